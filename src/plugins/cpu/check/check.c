/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/check.h"
#include "plugins/cpu/check/clock.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/hooks.h"
#include "plugins/cpu/check/memory.h"
#include "plugins/cpu/check/order.h"
#include "plugins/cpu/check/report/json.h"
#include "plugins/cpu/check/report/report.h"
#include "plugins/cpu/check/report/suppression.h"
#include "plugins/cpu/check/shadow.h"
#include "plugins/cpu/check/shared.h"
#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/engine/host.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REMEDY "accelcc --targets=default,check"

/* Guards everything of this directory: a launch, from its first block to its report, and each change of memory. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool stops; /* a launch with a finding fails its queue */
static bool leaks; /* are told when the process ends */
static pid_t process;

static void take(void)
{
    pthread_mutex_lock(&lock);
}
static void give(void)
{
    pthread_mutex_unlock(&lock);
}

/* In the child of a fork only the thread that forked is there, and it held nothing. */
static void watch_forks(void)
{
    static bool watching;
    if (!watching)
        watching = pthread_atfork(take, give, give) == 0;
}

/* The process ends. A launch that still runs has the lock. */
static void end(void)
{
    if (!leaks || getpid() != process || pthread_mutex_trylock(&lock) != 0)
        return;
    check_report_leaks();
    give();
}

static void watch_end(void)
{
    static bool watching;
    if (leaks && !watching)
        watching = atexit(end) == 0;
}

/* NULL: not set. */
static const char *variable(const char *name)
{
    const char *value = cpu_host()->config(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

static accel_status check_open(const cpu_executor *self, uint32_t *state)
{
    const char *order = variable("ACCEL_CHECK_ORDER"), *suppressions = variable("ACCEL_CHECK_SUPPRESS");
    *state = ACCEL_BACKEND_BROKEN;
    take();
    bool opened = check_shadow_open(), ordered = check_order_choose(order);
    check_report_to(variable("ACCEL_CHECK_REPORT"), suppressions);
    accel_status status = check_json_open(variable("ACCEL_CHECK_JSON"), self->name);
    if (status == ACCEL_OK)
        status = check_suppressions_read(suppressions, self->name);
    stops = cpu_host_number("ACCEL_CHECK_STOP", 1) != 0;
    leaks = cpu_host_number("ACCEL_CHECK_LEAKS", 0) != 0;
    check_traps = cpu_host_number("ACCEL_CHECK_TRAPS", 0) != 0;
    check_clock_sample(cpu_host_number("ACCEL_CHECK_SHARE", 1));
    process = getpid();
    give();
    watch_forks();
    watch_end();
    if (!ordered)
        return cpu_host()->error(
            ACCEL_INVALID,
            "%s: ACCEL_CHECK_ORDER is \"%s\"; it may be forwards, backwards, or a number that chooses "
            "a shuffle",
            self->name, order);
    if (!opened)
        return cpu_host()->error(ACCEL_OUT_OF_MEMORY,
                                 "%s: no address space for what it remembers of memory (256 MiB); raise ulimit -v",
                                 self->name);
    return status;
}

static uint32_t one(const cpu_executor *self)
{
    (void)self;
    return 1;
}

static void begin(const cpu_launch *launch)
{
    if (check_clock_is_full()) {
        check_shadow_sweep();
        check_clock_restart();
    }
    check_findings_begin();
    check_clock_launch(launch->blocks);
    check_shared_launch(launch->shared_total);
    check_surroundings_begin();
}

/* One after the other, so that each is in its place of the order. */
static accel_status run_blocks(const cpu_launch *launch, cpu_scratch *scratch)
{
    accel_status status = ACCEL_OK;
    for (size_t k = 0; k < launch->blocks && status == ACCEL_OK; ++k)
        status = cpu_blocks_run(launch, scratch, check_order_of(k, launch->blocks), 1);
    return status;
}

static accel_status run(const cpu_executor *self, const cpu_launch *given, cpu_scratch *scratch)
{
    static char text[3072]; /* under the lock */
    volatile accel_status status = ACCEL_OK;
    cpu_launch launch = *given;
    (void)self;
    take();
    begin(given);
    if (launch.shared_total != 0)
        launch.shared_total += CHECK_SHARED_GAP;
    if (__builtin_setjmp(check_exit) == 0)
        status = run_blocks(&launch, scratch);
    if (check_abandoned)
        status = ACCEL_OK; /* the report says more than that a stack was left */
    size_t count = check_report(given, text, sizeof(text));
    check_shared_end();
    if (status == ACCEL_OK && count != 0 && stops)
        status = cpu_host()->error(ACCEL_KERNEL_FAULT, "%s", text);
    give();
    return status;
}

/* ---------------------------------------------------------------------------------------- observer -- */

static uint32_t target_rank(const char *target, const char *format, char *reason, size_t reason_size)
{
    if (strcmp(target, "check") == 0 && strcmp(format, "so") == 0) {
        snprintf(reason, reason_size, "is instrumented for cpu-check");
        return 1;
    }
    snprintf(reason, reason_size, "is not instrumented; cpu-check runs objects for target check: " REMEDY);
    return 0;
}

static accel_status object(const accel_image *image, void *handle)
{
    accel_check_object *found = dlsym(handle, ACCEL_CHECK_SYMBOL);
    if (found == NULL || found->abi != ACCEL_CHECK_ABI || found->struct_size < sizeof(*found))
        return cpu_host()->error(ACCEL_INCOMPATIBLE,
                                 "library \"%s\": its object for target check is of another version (%u, expected %u); "
                                 "compile it again: " REMEDY,
                                 image->library, found != NULL ? found->abi : 0, ACCEL_CHECK_ABI);
    take();
    found->hooks = &check_hooks;
    bool kept = check_shared_object(image, handle);
    give();
    if (kept)
        return ACCEL_OK;
    return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "library \"%s\": no memory for the names of its arrays",
                             image->library);
}

static void *allocate(size_t size, size_t alignment)
{
    take();
    void *data = check_memory_allocate(size, alignment);
    give();
    return data;
}

static void release(void *data)
{
    take();
    check_memory_release(data);
    give();
}

static void written(void *data, uint32_t dims, const size_t *extent, const size_t *pitch)
{
    size_t rows = 1;
    take();
    for (uint32_t d = 0; d + 1 < dims; ++d)
        rows *= extent[d];
    for (size_t row = 0; row < rows; ++row) {
        size_t rest = row, offset = 0;
        for (uint32_t d = dims - 1; d-- > 0;) {
            offset += rest % extent[d] * pitch[d];
            rest /= extent[d];
        }
        check_shadow_write((const char *)data + offset, extent[dims - 1]);
    }
    give();
}

static const cpu_observer observer = {
    .targets = "check",
    .target_rank = target_rank,
    .object = object,
    .allocate = allocate,
    .release = release,
    .written = written,
    .stack_factor = 4,
};

const cpu_executor cpu_executor_check = {
    .name = "cpu-check",
    .compute_units = one,
    .run = run,
    .parts = one,
    .open = check_open,
    .observer = &observer,
};
