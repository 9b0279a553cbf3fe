/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/driver/open.h"

#include "object/shortage.h"
#include "plugins/gpu/driver/node.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Of a driver at its beginning, and some. One that finds fewer says that there is no device, and says so ever after. */
enum { DESCRIPTORS = 32 };
enum { UNDER_WAY = 1, DONE = 2, STAGE_MASK = 3 };

static ACCEL_PRINTF_FORMAT(4, 5) void refuse(gpu_open_outcome *outcome, accel_status status, uint32_t state,
                                             const char *format, ...)
{
    va_list list;

    outcome->status = status;
    outcome->state = state;
    va_start(list, format);
    vsnprintf(outcome->text, sizeof(outcome->text), format, list);
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

/* `chosen`: the value of the recipe's variable, or NULL. */
static bool find_library(const gpu_recipe *recipe, const char *chosen, gpu_open_outcome *outcome, gpu_library *library)
{
    const char *const one[] = {chosen, NULL}, *const first_node[] = {recipe->nodes[0], NULL};
    char tried[GPU_OPEN_TEXT / 2];
    bool has_kernel_driver;

    switch (gpu_library_open(library, chosen != NULL ? one : recipe->libraries, tried, sizeof(tried))) {
    case GPU_LIBRARY_OPEN:
        return true;
    case GPU_LIBRARY_ABSENT:
        if (chosen != NULL) {
            refuse(
                outcome, ACCEL_UNAVAILABLE, ACCEL_BACKEND_NO_DRIVER,
                "%s: no driver library: %s names \"%s\", and the system knows none; name one that is there, or unset "
                "it",
                recipe->driver->name, recipe->variable, chosen);
            return false;
        }
        has_kernel_driver = gpu_node_exists(recipe->root, first_node);
        refuse(outcome, ACCEL_UNAVAILABLE, ACCEL_BACKEND_NO_DRIVER,
               "%s: no driver library: tried %s, and the system knows none; %s%s%s", recipe->driver->name, tried,
               recipe->install,
               has_kernel_driver ? ", or hand its library to the container: the kernel's part is there, " : "",
               has_kernel_driver ? recipe->nodes[0] : "");
        return false;
    case GPU_LIBRARY_SHORT:
        refuse(outcome, shortage_status(errno), ACCEL_BACKEND_BROKEN, "%s: the driver library cannot be opened: %s; %s",
               recipe->driver->name, tried, shortage_remedy(errno));
        return false;
    default:
        refuse(outcome, ACCEL_UNAVAILABLE, ACCEL_BACKEND_BROKEN,
               "%s: the driver library is there, but cannot be loaded: %s; repair or reinstall the driver",
               recipe->driver->name, tried);
        return false;
    }
}

static void refuse_symbol(const gpu_recipe *recipe, gpu_open_outcome *outcome, const gpu_library *library,
                          const char *symbol)
{
    refuse(outcome, ACCEL_UNAVAILABLE, ACCEL_BACKEND_BROKEN,
           "%s: %s is broken: it lacks the function %s; repair or reinstall the driver", recipe->driver->name,
           library->name, symbol);
}

/* `function` returned `result`: the driver's words, the nodes' state, and what to do. */
static void refuse_result(const gpu_recipe *recipe, gpu_open_outcome *outcome, const gpu_library *library,
                          const char *function, gpu_result result)
{
    const gpu_driver *driver = recipe->driver;
    const gpu_open_error *known = NULL;
    uint32_t state = ACCEL_BACKEND_BROKEN;
    const char *remedy = "repair or reinstall the driver";
    char node[PATH_MAX + 64], words[256];

    for (size_t i = 0; i < recipe->error_class_count; ++i) {
        if (recipe->error_classes[i].result == result)
            known = &recipe->error_classes[i];
    }
    if (known != NULL) {
        state = known->state;
        remedy = known->remedy;
    }
    if (result != 0) {
        const char *name = driver->error_name(result), *text = driver->error_text(result);
        bool more = strcmp(name, text) != 0; /* HIP 5 has no words but the name */
        snprintf(words, sizeof(words), "%s of %s returned %s (%d%s%s)", function, library->name, name, result,
                 more ? ", " : "", more ? text : "");
    }
    if (result == 0)
        snprintf(words, sizeof(words), "%s of %s finds none", function, library->name);

    int nodes = gpu_node_check(recipe->root, recipe->nodes, node, sizeof(node));
    if (nodes == GPU_NODE_REFUSED)
        refuse(outcome, ACCEL_UNAVAILABLE, ACCEL_BACKEND_NO_PERMISSION,
               "%s: no permission to open %s (%s); join the group that may, often \"render\" or \"video\", or hand the "
               "device to the container",
               driver->name, node, words);
    else if (state == ACCEL_BACKEND_NO_DEVICE)
        refuse(outcome, ACCEL_UNAVAILABLE, state, "%s: no device: %s%s%s; %s", driver->name, words,
               nodes == GPU_NODE_ABSENT ? "; " : "", nodes == GPU_NODE_ABSENT ? node : "",
               remedy != NULL ? remedy : "a card must be there, and not hidden from this process");
    else
        refuse(outcome, ACCEL_UNAVAILABLE, state, "%s: the driver cannot be used: %s%s%s", driver->name, words,
               remedy != NULL ? "; " : "", remedy != NULL ? remedy : "");
}

static bool check_version(const gpu_recipe *recipe, gpu_open_outcome *outcome, const gpu_library *library)
{
    gpu_driver *driver = recipe->driver;
    char found[32], needed[32];
    const char *call = NULL;
    gpu_result result = recipe->version(&driver->driver_version, &driver->runtime_version, &call);

    if (result != 0) {
        refuse_result(recipe, outcome, library, call, result);
        return false;
    }
    if (driver->driver_version >= recipe->minimum)
        return true;
    version_text(recipe, driver->driver_version, found);
    version_text(recipe, recipe->minimum, needed);
    refuse(outcome, ACCEL_UNAVAILABLE, ACCEL_BACKEND_DRIVER_TOO_OLD,
           "%s: driver too old: found %s %s (%s), needed %s %s or newer; update the driver", driver->name,
           driver->product, found, library->name, driver->product, needed);
    return false;
}

/* Without the kernel's part there is no device, and loading the library to learn so may take long: ROCm's brings a
 * compiler of 100 MB. */
static bool refuse_without_kernel(const gpu_recipe *recipe, gpu_open_outcome *outcome)
{
    if (recipe->kernel_nodes == NULL || gpu_node_exists(recipe->root, recipe->kernel_nodes))
        return false;
    refuse(
        outcome, ACCEL_UNAVAILABLE, ACCEL_BACKEND_NO_DEVICE,
        "%s: no device: there is no %s, the kernel's part of the driver; load the kernel's module, or hand the device "
        "to the container (%s names a library that needs none)",
        recipe->driver->name, recipe->kernel_nodes[0], recipe->variable);
    return true;
}

static void open_driver(const gpu_recipe *recipe, gpu_open_outcome *outcome, const accel_host_services *host)
{
    gpu_driver *driver = recipe->driver;
    gpu_library library;
    int devices = 0;
    double begin = milliseconds();
    const char *chosen = host->config(recipe->variable);

    if (chosen != NULL && chosen[0] == '\0')
        chosen = NULL;
    if (chosen == NULL && refuse_without_kernel(recipe, outcome))
        return;
    if (!find_library(recipe, chosen, outcome, &library))
        return;
    const char *missing = recipe->find(&library, false);
    if (missing == NULL && !check_version(recipe, outcome, &library))
        return;
    if (missing == NULL)
        missing = recipe->find(&library, true);
    if (missing != NULL) {
        refuse_symbol(recipe, outcome, &library, missing);
        return;
    }
    recipe->complete(driver);

    int shortage = shortage_of_descriptors(DESCRIPTORS);
    if (shortage != 0) {
        refuse(outcome, shortage_status(shortage), ACCEL_BACKEND_BROKEN,
               "%s: the driver needs %d file descriptors for /dev and more, and there are fewer: %s; %s", driver->name,
               DESCRIPTORS, strerror(shortage), shortage_remedy(shortage));
        return;
    }
    double found = milliseconds();
    gpu_result result = driver->init();
    host->log(ACCEL_LOG_INFO, "%s: %s took %.3f ms; loading %s and finding its functions before took %.3f ms",
              driver->name, recipe->init_name, milliseconds() - found, library.name, found - begin);
    if (result != 0) {
        refuse_result(recipe, outcome, &library, recipe->init_name, result);
        return;
    }
    result = driver->device_count(&devices);
    if (result != 0 || devices <= 0)
        refuse_result(recipe, outcome, &library, recipe->count_name, result);
}

/* In the child of a fork: whether the parent's outcome holds for it too. */
static bool survives_fork(const gpu_open_outcome *outcome)
{
    return outcome->status != ACCEL_OK &&
           (outcome->state == ACCEL_BACKEND_NO_DRIVER || outcome->state == ACCEL_BACKEND_DRIVER_TOO_OLD);
}

/* Opens the driver, unless that was done before or another thread is about it. What the process lacked memory or
 * descriptors for is an error of this call alone: the stage is 0 again, and the next call tries anew. */
static accel_status open_once(const gpu_recipe *recipe, const accel_host_services *host, uint64_t generation,
                              uint64_t *stage)
{
    gpu_open_outcome *outcome = recipe->outcome;
    accel_status status = ACCEL_OK;

    *stage = 0;
    if (atomic_compare_exchange_strong_explicit(&outcome->stage, stage, generation + UNDER_WAY, memory_order_acquire,
                                                memory_order_acquire)) {
        open_driver(recipe, outcome, host);
        *stage = generation + DONE;
        if (outcome->status == ACCEL_OUT_OF_MEMORY || outcome->status == ACCEL_IO) {
            status = host->error(outcome->status, "%s", outcome->text);
            outcome->status = ACCEL_OK;
            *stage = 0;
        }
        atomic_store_explicit(&outcome->stage, *stage, memory_order_release);
    }
    while (*stage == generation + UNDER_WAY) { /* by another thread of this process */
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        *stage = atomic_load_explicit(&outcome->stage, memory_order_acquire);
    }
    return status;
}

accel_status gpu_driver_open(const gpu_family *family, const accel_host_services *host, const gpu_driver **driver,
                             uint32_t *state)
{
    const gpu_recipe *recipe = family->recipe;
    gpu_open_outcome *outcome = recipe->outcome;
    uint64_t generation = (uint64_t)*host->fork_generation * (STAGE_MASK + 1);
    uint64_t stage;

    do {
        accel_status status = open_once(recipe, host, generation, &stage);
        if (status != ACCEL_OK)
            return status;
    } while (stage == 0);
    if (stage != generation + DONE && ((stage & STAGE_MASK) != DONE || !survives_fork(outcome))) {
        *state = ACCEL_BACKEND_BROKEN;
        return host->error(ACCEL_FORKED,
                           "%s: this process was forked from one that had opened the driver, and %s does not survive a "
                           "fork; use it in one of the two only, or start the child with exec",
                           recipe->driver->name, recipe->driver->product);
    }
    if (outcome->status != ACCEL_OK) {
        *state = outcome->state;
        return host->error(outcome->status, "%s", outcome->text);
    }
    *driver = recipe->driver;
    return ACCEL_OK;
}
