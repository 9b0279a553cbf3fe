/* SPDX-License-Identifier: Apache-2.0 */
#include "core/tools/range_library.h"

#include "core/base/log.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

typedef int (*push_function)(const char *name);
typedef int (*pop_function)(void);

static struct range_library {
    const char *names[3]; /* the first that is here is taken */
    const char *push_name, *pop_name;
    push_function push; /* NULL: not here. Set once, under `once` */
    pop_function pop;
} libraries[] = {
    {{"libnvToolsExt.so.1", NULL, NULL}, "nvtxRangePushA", "nvtxRangePop", NULL, NULL},
    {{"librocprofiler-sdk-roctx.so.1", "libroctx64.so.4", NULL}, "roctxRangePushA", "roctxRangePop", NULL, NULL},
};
enum { LIBRARY_COUNT = sizeof(libraries) / sizeof(libraries[0]) };

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_library(struct range_library *library)
{
    void *handle = NULL, *push, *pop;

    for (size_t i = 0; library->names[i] != NULL && handle == NULL; ++i)
        handle = dlopen(library->names[i], RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return;
    push = dlsym(handle, library->push_name);
    pop = dlsym(handle, library->pop_name);
    if (push == NULL || pop == NULL) {
        accel_log(ACCEL_LOG_WARNING, "regions: the library of %s has no %s", library->push_name,
                  push == NULL ? library->push_name : library->pop_name);
        return;
    }
    memcpy(&library->push, &push, sizeof(push));
    memcpy(&library->pop, &pop, sizeof(pop));
}

static void open_all(void)
{
    for (size_t i = 0; i < LIBRARY_COUNT; ++i)
        open_library(&libraries[i]);
}

void accel_ranges_push(const char *name)
{
    pthread_once(&once, open_all);
    for (size_t i = 0; i < LIBRARY_COUNT; ++i) {
        if (libraries[i].push != NULL)
            libraries[i].push(name);
    }
}

void accel_ranges_pop(void)
{
    pthread_once(&once, open_all);
    for (size_t i = 0; i < LIBRARY_COUNT; ++i) {
        if (libraries[i].pop != NULL)
            libraries[i].pop();
    }
}
