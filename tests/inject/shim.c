/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library for LD_PRELOAD: one call of libaccel or a plugin that asks the system for something fails, as if there were
 * none left. Memory: ENOMEM. Files, directories and libraries: EMFILE. Threads: EAGAIN. Calls of other libraries always
 * get through, since those may end the process; what the C library asks for itself counts as part of its caller's call.
 */
#include "shim.h"

#include "ledger.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* The C library's own, which it exports under these names for libraries such as this one. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static atomic_ulong calls;
static atomic_ulong chosen; /* 0: none */
static char failed[160];    /* written once, by the thread whose call fails */
static _Atomic bool has_failed;
static _Thread_local char dlopen_text[320];

#define CALLER inject_site_of(__builtin_extract_return_addr(__builtin_return_address(0)))
/* The next library's function of this name. */
#define NEXT(name)                                                                                                     \
    static _Atomic(void *) found_##name;                                                                               \
    __typeof__(&name) next_##name;                                                                                     \
    if (found_##name == NULL)                                                                                          \
        found_##name = dlsym(RTLD_NEXT, #name);                                                                        \
    memcpy(&next_##name, &(void *){found_##name}, sizeof(next_##name))

static bool fails(const char *function, inject_site site)
{
    if (site.library == NULL || atomic_fetch_add(&calls, 1) + 1 != atomic_load(&chosen))
        return false;
    snprintf(failed, sizeof(failed), "%s at %s+%#lx", function, site.library, (unsigned long)site.offset);
    atomic_store(&has_failed, true);
    return true;
}

void inject_arm(unsigned long n)
{
    atomic_store(&calls, 0);
    atomic_store(&chosen, n);
}

unsigned long inject_calls(void)
{
    return atomic_load(&calls);
}

const char *inject_failed(void)
{
    return atomic_load(&has_failed) ? failed : NULL;
}

unsigned long inject_live(void)
{
    return inject_ledger_count();
}

void inject_print_live(void)
{
    inject_ledger_print();
}

__attribute__((constructor)) static void begin(void)
{
    inject_sites_read();
}

/* ------------------------------------------------------------------------------------------ memory -- */

static void *taken(void *memory, inject_site site)
{
    inject_ledger_add(memory, site);
    return memory;
}

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t size)
{
    inject_site site = CALLER;
    return fails("malloc", site) ? no_memory() : taken(__libc_malloc(size), site);
}

void *calloc(size_t count, size_t size)
{
    inject_site site = CALLER;
    return fails("calloc", site) ? no_memory() : taken(__libc_calloc(count, size), site);
}

void *realloc(void *memory, size_t size)
{
    inject_site site = CALLER;
    if (fails("realloc", site))
        return no_memory();
    inject_ledger_remove(memory); /* before another thread can be given the same address */
    return taken(__libc_realloc(memory, size), site);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    inject_site site = CALLER;
    return fails("aligned_alloc", site) ? no_memory() : taken(__libc_memalign(alignment, size), site);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    inject_site site = CALLER;
    void *made = fails("posix_memalign", site) ? NULL : taken(__libc_memalign(alignment, size), site);
    if (made == NULL)
        return ENOMEM;
    *memory = made;
    return 0;
}

void free(void *memory)
{
    inject_ledger_remove(memory);
    __libc_free(memory);
}

char *strdup(const char *text)
{
    inject_site site = CALLER;
    size_t size = strlen(text) + 1;
    char *copy = fails("strdup", site) ? no_memory() : taken(__libc_malloc(size), site);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

char *realpath(const char *restrict path, char *restrict resolved)
{
    inject_site site = CALLER;
    NEXT(realpath);
    if (fails("realpath", site))
        return no_memory();
    char *found = next_realpath(path, resolved);
    return resolved == NULL ? taken(found, site) : found;
}

void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    inject_site site = CALLER;
    NEXT(mmap);
    if (fails("mmap", site))
        return no_memory(), MAP_FAILED;
    void *mapped = next_mmap(address, size, protection, flags, file, offset);
    return mapped != MAP_FAILED ? taken(mapped, site) : mapped;
}

int munmap(void *address, size_t size)
{
    NEXT(munmap);
    inject_ledger_remove(address);
    return next_munmap(address, size);
}

int mprotect(void *address, size_t size, int protection)
{
    NEXT(mprotect);
    if (fails("mprotect", CALLER))
        return no_memory(), -1;
    return next_mprotect(address, size, protection);
}

/* ---------------------------------------------------------------------------- files and libraries -- */

static void *no_file(void)
{
    errno = EMFILE;
    return NULL;
}

int open(const char *path, int flags, ...)
{
    va_list list;
    NEXT(open);
    va_start(list, flags);
    mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
    va_end(list);
    if (fails("open", CALLER))
        return no_file(), -1;
    return next_open(path, flags, mode);
}

FILE *fopen(const char *restrict path, const char *restrict mode)
{
    NEXT(fopen);
    return fails("fopen", CALLER) ? no_file() : next_fopen(path, mode);
}

DIR *opendir(const char *path)
{
    NEXT(opendir);
    return fails("opendir", CALLER) ? no_file() : next_opendir(path);
}

int memfd_create(const char *name, unsigned flags)
{
    NEXT(memfd_create);
    return fails("memfd_create", CALLER) ? (no_file(), -1) : next_memfd_create(name, flags);
}

void *dlopen(const char *path, int mode)
{
    NEXT(dlopen);
    if ((mode & RTLD_NOLOAD) == 0 && fails("dlopen", CALLER)) {
        snprintf(dlopen_text, sizeof(dlopen_text), "%s: cannot open shared object file: %s", path, strerror(EMFILE));
        return NULL;
    }
    void *handle = next_dlopen(path, mode);
    inject_sites_read();
    return handle;
}

char *dlerror(void)
{
    static _Thread_local char text[320];
    NEXT(dlerror);
    if (dlopen_text[0] == '\0')
        return next_dlerror();
    memcpy(text, dlopen_text, sizeof(text));
    dlopen_text[0] = '\0';
    return text;
}

int mkostemp(char *name, int flags)
{
    NEXT(mkostemp);
    return fails("mkostemp", CALLER) ? (no_file(), -1) : next_mkostemp(name, flags);
}

/* ---------------------------------------------------------------------------------------- threads -- */

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes, void *(*run)(void *),
                   void *restrict user)
{
    NEXT(pthread_create);
    return fails("pthread_create", CALLER) ? EAGAIN : next_pthread_create(thread, attributes, run, user);
}

int pthread_key_create(pthread_key_t *key, void (*destroy)(void *))
{
    NEXT(pthread_key_create);
    return fails("pthread_key_create", CALLER) ? EAGAIN : next_pthread_key_create(key, destroy);
}

/* pthread_atfork is part of each library, and calls this. */
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *library);
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *library)
{
    NEXT(__register_atfork);
    return fails("pthread_atfork", CALLER) ? ENOMEM : next___register_atfork(prepare, parent, child, library);
}
