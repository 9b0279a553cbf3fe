/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/driver/open.h"

#include "plugins/gpu/driver/installed.h"
#include "plugins/gpu/driver/node.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { UNDER_WAY = 1, DONE = 2, STAGE_MASK = 3 };

static ACCEL_PRINTF(4, 5) void refuse(gpu_open_state *opening, accel_status status, uint32_t state, const char *format,
                                      ...)
{
    va_list list;

    opening->status = status;
    opening->state = state;
    va_start(list, format);
    vsnprintf(opening->text, sizeof(opening->text), format, list);
    va_end(list);
}

static double milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void version_text(const gpu_recipe *recipe, int version, char text[32])
{
    snprintf(text, 32, "%d.%d", version / recipe->version_unit, version % recipe->version_unit / recipe->version_minor);
}

static bool find_library(const gpu_recipe *recipe, gpu_open_state *opening, gpu_library *library)
{
    char tried[GPU_OPEN_TEXT / 2];
    bool has_kernel_driver;

    switch (gpu_library_open(library, recipe->libraries, tried, sizeof(tried))) {
    case GPU_LIBRARY_OPEN:
        return true;
    case GPU_LIBRARY_ABSENT:
        has_kernel_driver = gpu_node_exists(recipe->root, recipe->nodes);
        refuse(opening, ACCEL_UNAVAILABLE, ACCEL_BACKEND_NO_DRIVER,
               "%s: no driver library: tried %s, and the system knows none; %s%s%s", recipe->driver->name, tried,
               recipe->install,
               has_kernel_driver ? ", or hand its library to the container: the kernel's part is there, " : "",
               has_kernel_driver ? recipe->nodes[0] : "");
        return false;
    default:
        refuse(opening, ACCEL_UNAVAILABLE, ACCEL_BACKEND_BROKEN,
               "%s: the driver library is there, but cannot be loaded: %s; repair or reinstall the driver",
               recipe->driver->name, tried);
        return false;
    }
}

static void refuse_symbol(const gpu_recipe *recipe, gpu_open_state *opening, const gpu_library *library,
                          const char *symbol)
{
    refuse(opening, ACCEL_UNAVAILABLE, ACCEL_BACKEND_BROKEN,
           "%s: %s is broken: it lacks the function %s; repair or reinstall the driver", recipe->driver->name,
           library->name, symbol);
}

/* `function` answered with `result`: the driver's words, the nodes' state, and what to do. */
static void refuse_answer(const gpu_recipe *recipe, gpu_open_state *opening, const gpu_library *library,
                          const char *function, gpu_result result)
{
    const gpu_driver *driver = recipe->driver;
    const gpu_open_error *meaning = NULL;
    uint32_t state = ACCEL_BACKEND_BROKEN;
    const char *remedy = "repair or reinstall the driver";
    char node[PATH_MAX + 64], words[256];

    for (size_t i = 0; i < recipe->error_class_count; ++i) {
        if (recipe->error_classes[i].result == result)
            meaning = &recipe->error_classes[i];
    }
    if (meaning != NULL) {
        state = meaning->state;
        remedy = meaning->remedy;
    }
    if (result != 0) {
        const char *name = driver->error_name(result), *text = driver->error_text(result);
        bool more = strcmp(name, text) != 0; /* HIP 5 has no words but the name */
        snprintf(words, sizeof(words), "%s of %s answers %s (%d%s%s)", function, library->name, name, result,
                 more ? ", " : "", more ? text : "");
    }
    if (result == 0)
        snprintf(words, sizeof(words), "%s of %s finds none", function, library->name);

    int nodes = gpu_node_check(recipe->root, recipe->nodes, node, sizeof(node));
    if (nodes == GPU_NODE_REFUSED)
        refuse(opening, ACCEL_UNAVAILABLE, ACCEL_BACKEND_NO_PERMISSION,
               "%s: no permission to open %s (%s); join the group that may, often \"render\" or \"video\", or hand the "
               "device to the container",
               driver->name, node, words);
    else if (state == ACCEL_BACKEND_NO_DEVICE)
        refuse(opening, ACCEL_UNAVAILABLE, state, "%s: no device: %s%s%s; %s", driver->name, words,
               nodes == GPU_NODE_ABSENT ? "; " : "", nodes == GPU_NODE_ABSENT ? node : "",
               remedy != NULL ? remedy : "a card must be there, and not hidden from this process");
    else
        refuse(opening, ACCEL_UNAVAILABLE, state, "%s: the driver cannot be used: %s%s%s", driver->name, words,
               remedy != NULL ? "; " : "", remedy != NULL ? remedy : "");
}

static bool check_version(const gpu_recipe *recipe, gpu_open_state *opening, const gpu_library *library)
{
    gpu_driver *driver = recipe->driver;
    char found[32], needed[32];
    gpu_result result = recipe->version(&driver->driver_version, &driver->runtime_version);

    if (result != 0) {
        refuse_answer(recipe, opening, library, recipe->init_name, result);
        return false;
    }
    if (driver->driver_version >= recipe->minimum)
        return true;
    version_text(recipe, driver->driver_version, found);
    version_text(recipe, recipe->minimum, needed);
    refuse(opening, ACCEL_UNAVAILABLE, ACCEL_BACKEND_DRIVER_TOO_OLD,
           "%s: driver too old: found %s %s (%s), needed %s %s or newer; update the driver", driver->name,
           driver->product, found, library->name, driver->product, needed);
    return false;
}

/* Is there nothing that the library could reach, by the kernel's nodes alone? Then it need not be loaded to say so. What
 * the process has loaded anyway, or is no such library (the simulated driver), is asked. */
static bool is_futile(const gpu_recipe *recipe, gpu_open_state *opening)
{
    char path[PATH_MAX];

    if (recipe->runtime == NULL)
        return false;
    for (const char *const *node = recipe->kernel_parts; *node != NULL; ++node) {
        const char *const one[] = {*node, NULL};
        if (gpu_node_exists(recipe->root, one))
            return false;
    }
    for (const char *const *name = recipe->libraries; *name != NULL; ++name) {
        if (gpu_library_is_loaded(*name))
            return false;
        if (!gpu_installed_find(recipe->root, *name, path, sizeof(path)))
            continue;
        if (!gpu_installed_needs(path, recipe->runtime))
            return false;
        refuse(
            opening, ACCEL_UNAVAILABLE, ACCEL_BACKEND_NO_DEVICE,
            "%s: no device: there is no %s, the kernel's part of the driver (%.300s is installed, and was not loaded); "
            "load the kernel's module, or hand the device to the container",
            recipe->driver->name, recipe->kernel_parts[0], path);
        return true;
    }
    return false;
}

static void open_driver(const gpu_recipe *recipe, gpu_open_state *opening, const accel_host_services *host)
{
    gpu_driver *driver = recipe->driver;
    gpu_library library;
    int devices = 0;
    double begin = milliseconds();

    if (is_futile(recipe, opening) || !find_library(recipe, opening, &library))
        return;
    const char *missing = recipe->find(&library, false);
    if (missing == NULL && !check_version(recipe, opening, &library))
        return;
    if (missing == NULL)
        missing = recipe->find(&library, true);
    if (missing != NULL) {
        refuse_symbol(recipe, opening, &library, missing);
        return;
    }
    recipe->complete(driver);

    double found = milliseconds();
    gpu_result result = driver->init();
    host->log(ACCEL_LOG_INFO, "%s: %s took %.3f ms; loading %s and finding its functions before took %.3f ms",
              driver->name, recipe->init_name, milliseconds() - found, library.name, found - begin);
    if (result != 0) {
        refuse_answer(recipe, opening, &library, recipe->init_name, result);
        return;
    }
    result = driver->device_count(&devices);
    if (result != 0 || devices <= 0)
        refuse_answer(recipe, opening, &library, recipe->count_name, result);
}

/* In the child of a fork: whether the parent's answer holds for it too. */
static bool survives_fork(const gpu_open_state *opening)
{
    return opening->status != ACCEL_OK &&
           (opening->state == ACCEL_BACKEND_NO_DRIVER || opening->state == ACCEL_BACKEND_DRIVER_TOO_OLD);
}

accel_status gpu_driver_open(const gpu_family *family, const accel_host_services *host, const gpu_driver **driver,
                             uint32_t *state)
{
    const gpu_recipe *recipe = family->recipe;
    gpu_open_state *opening = recipe->opening;
    uint64_t generation = (uint64_t)*host->fork_generation * (STAGE_MASK + 1);
    uint64_t stage = 0;

    if (atomic_compare_exchange_strong_explicit(&opening->stage, &stage, generation + UNDER_WAY, memory_order_acquire,
                                                memory_order_acquire)) {
        open_driver(recipe, opening, host);
        atomic_store_explicit(&opening->stage, generation + DONE, memory_order_release);
        stage = generation + DONE;
    }
    while (stage == generation + UNDER_WAY) { /* by another thread of this process */
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        stage = atomic_load_explicit(&opening->stage, memory_order_acquire);
    }
    if (stage != generation + DONE && ((stage & STAGE_MASK) != DONE || !survives_fork(opening))) {
        *state = ACCEL_BACKEND_BROKEN;
        return host->error(ACCEL_FORKED,
                           "%s: this process was forked from one that had opened the driver, and %s does not survive a "
                           "fork; use it in one of the two only, or start the child with exec",
                           recipe->driver->name, recipe->driver->product);
    }
    if (opening->status != ACCEL_OK) {
        *state = opening->state;
        return host->error(opening->status, "%s", opening->text);
    }
    *driver = recipe->driver;
    return ACCEL_OK;
}
