/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/omp/runtime.h"
#include "plugins/cpu/engine/engine.h"
#include "plugins/cpu/machine/futex.h"
#include "object/shortage.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

cpu_omp_runtime cpu_omp_process_runtime;

/* GNU's first: more of the libraries that the program may load later need it, and then find it. */
const char *const cpu_omp_libraries[] = {"libgomp.so.1", "libomp.so.5", "libomp.so", "libiomp5.so", NULL};

enum { TEXT = 400 };

/* Where a function lies; NULL if there is none. */
static const void *base_of(void *handle, const char *name, void **function)
{
    Dl_info info;
    *function = dlsym(handle, name);
    return *function != NULL && dladdr(*function, &info) != 0 ? info.dli_fbase : NULL;
}

/* Finds all functions in one library. Returns the name of one that it does not have, or NULL. */
static const char *fill(cpu_omp_runtime *runtime, void *handle, const void **base)
{
    const struct {
        const char *name;
        void *slot;
    } functions[] = {
        {"GOMP_parallel", &runtime->parallel},           {"GOMP_parallel_loop_runtime", &runtime->parallel_loop},
        {"GOMP_loop_runtime_next", &runtime->loop_next}, {"GOMP_loop_end_nowait", &runtime->loop_end},
        {"omp_get_thread_num", &runtime->thread_num},    {"omp_get_num_threads", &runtime->num_threads},
        {"omp_get_max_threads", &runtime->max_threads},
    };
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); ++i) {
        void *function;
        const void *own = base_of(handle, functions[i].name, &function);
        if (own == NULL || (i != 0 && own != *base))
            return functions[i].name;
        *base = own;
        memcpy(functions[i].slot, &function, sizeof(function));
    }
    return NULL;
}

/* The newest OpenMP that the library has a function of. */
static const char *standard(void *handle, const void *base, uint32_t *version)
{
    static const struct {
        const char *function, *standard;
        uint32_t version;
    } news[] = {
        {"omp_in_explicit_task", "5.2", 202111}, {"omp_display_env", "5.1", 202011},
        {"omp_pause_resource", "5.0", 201811},   {"omp_get_num_places", "4.5", 201511},
        {"omp_get_cancellation", "4.0", 201307},
    };
    void *function;
    for (size_t i = 0; i < sizeof(news) / sizeof(news[0]); ++i) {
        if (base_of(handle, news[i].function, &function) == base) {
            *version = news[i].version;
            return news[i].standard;
        }
    }
    *version = 201107;
    return "3.1";
}

static void describe(cpu_omp_runtime *runtime, void *handle, const void *base, const char *origin)
{
    Dl_info info = {.dli_fname = ""};
    void *function;
    runtime->generation = *cpu_host()->fork_generation;
    runtime->survives_fork = base_of(handle, "__kmpc_fork_call", &function) == base; /* LLVM's way in */
    const char *number = standard(handle, base, &runtime->version);
    memcpy(&function, &runtime->parallel, sizeof(function));
    dladdr(function, &info);
    char *path = realpath(info.dli_fname, NULL); /* names with versions are links' targets */
    const char *file = path != NULL ? path : info.dli_fname;
    const char *slash = strrchr(file, '/');
    snprintf(runtime->name, sizeof(runtime->name), "OpenMP %s by %s %s", number,
             runtime->survives_fork ? "LLVM" : "GNU", slash != NULL ? slash + 1 : file);
    cpu_host()->log(ACCEL_LOG_INFO, "cpu-omp: %s (%s), %s", runtime->name, file, origin);
    free(path);
}

static bool take(cpu_omp_runtime *runtime, void *handle, const char *origin)
{
    const void *base = NULL;
    if (fill(runtime, handle, &base) != NULL)
        return false;
    describe(runtime, handle, base, origin);
    return true;
}

static bool is_runtime(const char *path)
{
    static const char *const beginnings[] = {"libgomp", "libomp", "libiomp"};
    const char *slash = strrchr(path, '/'), *file = slash != NULL ? slash + 1 : path;
    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); ++i)
        if (strncmp(file, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

/* One of the libraries that are loaded. */
typedef struct loaded {
    size_t skip; /* runtimes before it */
    char path[PATH_MAX];
} loaded;

static int look(struct dl_phdr_info *info, size_t size, void *user)
{
    loaded *wanted = user;
    (void)size;
    if (info->dlpi_name == NULL || !is_runtime(info->dlpi_name) || strlen(info->dlpi_name) >= PATH_MAX)
        return 0;
    if (wanted->skip != 0) {
        wanted->skip--;
        return 0;
    }
    strcpy(wanted->path, info->dlpi_name);
    return 1;
}

/* Python wheels bring "libgomp-a34b3233.so.1", which nobody knows by name. The loader's list is locked while it is
 * searched, so each library is opened after a search of its own. */
static bool take_renamed(cpu_omp_runtime *runtime, const char *origin)
{
    loaded found;
    for (size_t i = 0; found.skip = i, dl_iterate_phdr(look, &found) != 0; ++i) {
        void *handle = dlopen(found.path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        if (handle != NULL && take(runtime, handle, origin))
            return true;
    }
    return false;
}

static bool take_present(cpu_omp_runtime *runtime, const char *const libraries[])
{
    static const char origin[] = "which the process has";
    loaded any = {.skip = 0};
    if (take(runtime, RTLD_DEFAULT, origin))
        return true;
    if (dl_iterate_phdr(look, &any) == 0) /* else each dlopen would look for its file, only to find it not loaded */
        return false;
    for (size_t i = 0; libraries[i] != NULL; ++i) { /* what is hidden in the scope of a library */
        void *handle = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        if (handle != NULL && take(runtime, handle, origin))
            return true;
    }
    return take_renamed(runtime, origin);
}

/* Loads it for good, because its threads may run until the process ends. Adds to `text` why it could not. *shortage: the
 * errno if the process lacks memory or descriptors, else it stays. */
static bool load(cpu_omp_runtime *runtime, const char *library, char text[TEXT], int *shortage)
{
    size_t length = strlen(text);
    const char *comma = length != 0 ? ", " : "", *missing;
    const void *base = NULL;
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *reason = dlerror();
        const char *inside = reason != NULL ? strstr(reason, ": ") : NULL;
        snprintf(text + length, TEXT - length, "%s%s (%s)", comma, library, inside != NULL ? inside + 2 : "?");
        if (shortage_in(reason) != 0)
            *shortage = shortage_in(reason);
        return false;
    }
    missing = fill(runtime, handle, &base);
    if (missing == NULL) {
        describe(runtime, handle, base, "loaded by cpu-omp");
        return true;
    }
    snprintf(text + length, TEXT - length, "%s%s (has no %s)", comma, library, missing);
    return false;
}

static accel_status refuse(const char *text, int shortage)
{
    return cpu_host()->error(shortage_status(shortage), "cpu-omp: the OpenMP runtime cannot be opened: tried %s; %s",
                             text, shortage_remedy(shortage));
}

accel_status cpu_omp_runtime_find(cpu_omp_runtime *runtime, const char *chosen, const char *const libraries[])
{
    char text[TEXT] = "";
    int shortage = 0;
    if (chosen != NULL && chosen[0] != '\0') {
        if (load(runtime, chosen, text, &shortage))
            return ACCEL_OK;
        if (shortage != 0)
            return refuse(text, shortage);
        return cpu_host()->error(ACCEL_NOT_FOUND,
                                 "cpu-omp: ACCEL_OMP_LIBRARY names no OpenMP runtime: tried %s; name a libgomp or "
                                 "libomp, or unset it",
                                 text);
    }
    if (take_present(runtime, libraries))
        return ACCEL_OK;
    for (size_t i = 0; libraries[i] != NULL && shortage == 0; ++i)
        if (load(runtime, libraries[i], text, &shortage))
            return ACCEL_OK;
    if (shortage != 0)
        return refuse(text, shortage);
    return cpu_host()->error(ACCEL_NOT_FOUND,
                             "cpu-omp: no OpenMP runtime: tried %s; install libgomp1 or libomp5, or name one in "
                             "ACCEL_OMP_LIBRARY",
                             text);
}

/* --- the exit of the program --- */

enum { WAIT_NS = 1000000000, LOOK_NS = 100000 };

/* seq_cst: whoever enters counts itself and then looks at `exiting`, exit does it the other way round; so one of them sees
 * the other. */
static _Atomic uint32_t inside;
static _Atomic bool exiting;
static _Atomic uint32_t generation; /* of forks */

uint32_t cpu_omp_inside(void)
{
    return atomic_load(&inside);
}

static void begin_exit(void)
{
    uint64_t end = cpu_clock_ns() + WAIT_NS;
    uint32_t count;
    atomic_store(&exiting, true);
    while ((count = cpu_omp_inside()) != 0 && cpu_clock_ns() < end)
        cpu_futex_wait(&inside, count, LOOK_NS); /* nobody wakes it: leaving is to cost little */
}

bool cpu_omp_watch_exit(void)
{
    atomic_store(&generation, *cpu_host()->fork_generation);
    return atexit(begin_exit) == 0;
}

bool cpu_omp_enter(void)
{
    atomic_fetch_add(&inside, 1);
    if (__builtin_expect(!atomic_load(&exiting), 1))
        return true;
    cpu_omp_leave();
    return false;
}

void cpu_omp_leave(void)
{
    atomic_fetch_sub_explicit(&inside, 1, memory_order_release);
}

bool cpu_omp_after_fork(void)
{
    uint32_t now = *cpu_host()->fork_generation, seen = atomic_load(&generation);
    if (seen == now || !atomic_compare_exchange_strong(&generation, &seen, now))
        return false;
    atomic_store(&inside, 0);
    return true;
}
