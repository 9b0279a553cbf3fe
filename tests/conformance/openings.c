/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How libaccel and its plugins open plugins, kernel objects, OpenMP runtimes and drivers: at once, for themselves alone,
 * before what the program preloads, and for good. This program's dlopen and dlclose come before the C library's.
 */
#include <accel/accel.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { OPENINGS = 100, NAME = 200 };

static struct opening {
    char name[NAME];
    int flags;
    void *handle;
} openings[OPENINGS];
static size_t count;
static int failures;

#define expect(condition, ...)                                                                                         \
    do                                                                                                                 \
        if (!(condition)) {                                                                                            \
            printf(__VA_ARGS__);                                                                                       \
            printf("\n");                                                                                              \
            failures++;                                                                                                \
        }                                                                                                              \
    while (0)

/* Others open libraries too: the drivers do. */
static bool is_ours(const void *caller)
{
    Dl_info info;
    return dladdr(caller, &info) != 0 && strstr(info.dli_fname, "libaccel") != NULL;
}

__attribute__((visibility("default"))) void *dlopen(const char *name, int flags)
{
    void *address = dlsym(RTLD_NEXT, "dlopen");
    void *(*next)(const char *, int);
    memcpy(&next, &address, sizeof next);
    void *handle = next(name, flags);
    if (count < OPENINGS && name != NULL && is_ours(__builtin_return_address(0))) {
        struct opening *own = &openings[count++];
        snprintf(own->name, NAME, "%s", name);
        own->flags = flags;
        own->handle = handle;
    }
    return handle;
}

/* Only what was there already, and was opened to look for it, may be given back. */
__attribute__((visibility("default"))) int dlclose(void *handle)
{
    void *address = dlsym(RTLD_NEXT, "dlclose");
    int (*next)(void *);
    memcpy(&next, &address, sizeof next);
    const struct opening *last = NULL;
    for (size_t i = 0; i < count; ++i)
        if (openings[i].handle == handle)
            last = &openings[i];
    if (last != NULL && is_ours(__builtin_return_address(0)))
        expect((last->flags & RTLD_NOLOAD) != 0, "%s: closed", last->name);
    return next(handle);
}

static bool opened(const char *part)
{
    for (size_t i = 0; i < count; ++i)
        if (strstr(openings[i].name, part) != NULL)
            return true;
    return false;
}

/* A kernel of its library, from every device that runs one; twice, so that the second finds the object. */
static void use(accel_device *device)
{
    for (int i = 0; i < 2; ++i) {
        accel_module *module = NULL;
        accel_kernel *kernel = NULL;
        accel_status status = accel_module_load(device, "conformance", &module);
        if (status == ACCEL_OK)
            status = accel_module_kernel(module, "set", &kernel);
        expect(status == ACCEL_OK || status == ACCEL_NOT_FOUND, "%s", accel_error_message());
        accel_module_release(module);
    }
}

int main(void)
{
    static const char *const parts[] = {"/libaccel-cpu-serial.so", "/libaccel-cpu-threads.so", "/conformance."};
    accel_instance *instance = NULL;
    expect(accel_instance_create(NULL, &instance) == ACCEL_OK, "%s", accel_error_message());
    for (size_t i = 0; i < accel_instance_device_count(instance); ++i)
        use(accel_instance_device(instance, i));
    accel_instance_release(instance);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; ++i)
        expect(opened(parts[i]), "%s: never opened", parts[i]);
    for (size_t i = 0; i < count; ++i) {
        /* Looking whether a library is there binds nothing. */
        int binding = (openings[i].flags & RTLD_NOLOAD) != 0 ? RTLD_LAZY | RTLD_NOW | RTLD_NOLOAD : 0;
        expect((openings[i].flags & ~binding) == (binding != 0 ? RTLD_LOCAL : RTLD_NOW | RTLD_LOCAL), "%s: flags %#x",
               openings[i].name, (unsigned)openings[i].flags);
    }
    return failures != 0;
}
