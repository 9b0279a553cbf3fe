/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/check.h"
#include "plugins/cpu/check/arithmetic/invalid.h"
#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/finding.h"
#include "plugins/cpu/check/hooks.h"
#include "plugins/cpu/check/host/host.h"
#include "plugins/cpu/check/host_memory.h"
#include "plugins/cpu/check/light/light.h"
#include "plugins/cpu/check/like/like.h"
#include "plugins/cpu/check/limit.h"
#include "plugins/cpu/check/memory.h"
#include "plugins/cpu/check/order.h"
#include "plugins/cpu/check/queues/history.h"
#include "plugins/cpu/check/queues/late.h"
#include "plugins/cpu/check/queues/objects.h"
#include "plugins/cpu/check/queues/released.h"
#include "plugins/cpu/check/queues/tables.h"
#include "plugins/cpu/check/queues/track.h"
#include "plugins/cpu/check/queues/transfer.h"
#include "plugins/cpu/check/report/json.h"
#include "plugins/cpu/check/report/report.h"
#include "plugins/cpu/check/report/suppression.h"
#include "plugins/cpu/check/shadow.h"
#include "plugins/cpu/check/share.h"
#include "plugins/cpu/check/shared/shared.h"
#include "plugins/cpu/check/stack/overflow.h"
#include "plugins/cpu/check/surroundings.h"
#include "plugins/cpu/check/view.h"
#include "plugins/cpu/check/warp/warp.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/engine/process.h"
#include "plugins/cpu/machine/float_mode.h"
#include "plugins/cpu/queue/queue.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
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

static void take_all(void)
{
    take();
    check_tracks_lock();
    check_objects_lock();
}
static void give_all(void)
{
    check_objects_unlock();
    check_tracks_unlock();
    give();
}

static void give_in_child(void)
{
    check_host_reset();
    give_all();
}

/* In the child of a fork only the thread that forked is there, and it held nothing. */
static void watch_forks(void)
{
    static bool watching;
    if (!watching)
        watching = pthread_atfork(take_all, give_all, give_in_child) == 0;
}

/* The process or its last instance ends. An operation that still runs has the lock; one that runs for long keeps it. */
static bool take_at_end(void)
{
    enum { SECONDS = 2 };
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SECONDS;
    return getpid() == process && pthread_mutex_timedlock(&lock, &until) == 0;
}

static void end(void)
{
    if (!leaks || !take_at_end())
        return;
    check_report_leaks();
    give();
}

static void last_closed(void)
{
    if (!take_at_end())
        return;
    check_host_look();
    check_report_misses();
    give();
}

#if defined(__GLIBC__)
/* A program that says of itself that it has succeeded needs its results; too early is too early in any case. */
static void end_well(int status, void *unused)
{
    (void)unused;
    if (!take_at_end())
        return;
    check_host_look();
    if (status == 0)
        check_report_misses();
    give();
}
#endif

static void watch_end(void)
{
    static bool watching;
#if defined(__GLIBC__)
    static bool watching_status;
    if (!watching_status)
        watching_status = on_exit(end_well, NULL) == 0;
#endif
    if (leaks && !watching)
        watching = atexit(end) == 0;
}

/* NULL: not set. */
static const char *variable(const char *name)
{
    const char *value = cpu_host()->config(name);
    return value != NULL && value[0] != '\0' ? value : NULL;
}

/* What the environment may have wrong, once it was read. */
static accel_status judge_settings(const char *backend, bool ordered, bool alike, uint64_t lanes)
{
    if (!ordered)
        return cpu_host()->error(ACCEL_INVALID,
                                 "%s: ACCEL_CHECK_ORDER is \"%s\"; it may be forwards, backwards, or a number that "
                                 "chooses a shuffle",
                                 backend, variable("ACCEL_CHECK_ORDER"));
    if (!alike) {
        char targets[512];
        check_like_list(targets, sizeof(targets));
        return cpu_host()->error(ACCEL_INVALID, "%s: ACCEL_CHECK_LIKE is \"%s\"; it may be %s", backend,
                                 variable("ACCEL_CHECK_LIKE"), targets);
    }
    if (lanes != 1 && lanes != 32 && lanes != 64)
        return cpu_host()->error(ACCEL_INVALID, "%s: ACCEL_CHECK_WARP is %llu; it may be 1, 32 or 64", backend,
                                 (unsigned long long)lanes);
    return ACCEL_OK;
}

static accel_status open_files(const char *backend)
{
    const char *suppressions = variable("ACCEL_CHECK_SUPPRESS");
    const accel_status status =
        check_report_open(variable("ACCEL_CHECK_REPORT"), variable("ACCEL_CHECK_JSON"), suppressions, backend);
    return status == ACCEL_OK ? check_suppressions_read(suppressions, backend) : status;
}

static accel_status check_open(const cpu_executor *self, uint32_t *state)
{
    *state = ACCEL_BACKEND_BROKEN;
    take();
    const bool reserved = check_shadow_open(), ordered = check_order_choose(variable("ACCEL_CHECK_ORDER"));
    accel_status status = open_files(self->name);
    stops = cpu_host_number("ACCEL_CHECK_STOP", 1) != 0;
    leaks = cpu_host_number("ACCEL_CHECK_LEAKS", 0) != 0;
    check_objects_watch(leaks);
    const uint64_t share = cpu_host_number("ACCEL_CHECK_SHARE", 1);
    check_host_begin(cpu_host_number("ACCEL_CHECK_HOST", 0) != 0, share == 1, take, give);
    check_late_set(cpu_host_number("ACCEL_CHECK_LATE", 0) != 0 || check_host_is_watched());
    check_traps = cpu_host_number("ACCEL_CHECK_TRAPS", 0) != 0;
    const bool alike = check_like_choose(variable("ACCEL_CHECK_LIKE"));
    check_limit_set(cpu_host_number("ACCEL_CHECK_LIMIT", 0));
    const uint64_t lanes = cpu_host_number("ACCEL_CHECK_WARP", 1);
    check_warp_choose(lanes == 32 || lanes == 64 ? lanes : 1);
    check_share_choose(share);
    const bool plain = lanes <= 1 && !check_traps && !check_limit_is_set() && ordered && check_order_is_plain();
    const bool roomy = check_light_choose(share > 1 && plain);
    process = getpid();
    if (status == ACCEL_OK)
        status = judge_settings(self->name, ordered, alike, lanes);
    if (status == ACCEL_OK && !reserved)
        status = cpu_host()->error(ACCEL_OUT_OF_MEMORY,
                                   "%s: no address space for what it remembers of memory (256 MiB); raise ulimit -v",
                                   self->name);
    if (status != ACCEL_OK)
        check_report_refused();
    give();
    watch_forks();
    watch_end();
    if (!roomy)
        cpu_host()->log(
            ACCEL_LOG_WARNING,
            "%s: no address space for the light versions of kernels (16 TiB: ulimit -v limits it, or another "
            "tool has it); ACCEL_CHECK_SHARE makes kernels little faster",
            self->name);
    return status;
}

static uint32_t one(const cpu_executor *self)
{
    (void)self;
    return 1;
}

static accel_impl_queue *queue_of(cpu_scratch *scratch)
{
    return (accel_impl_queue *)(void *)((char *)scratch - offsetof(accel_impl_queue, scratch));
}

static void begin_contexts(void)
{
    if (!check_clock_is_full())
        return;
    check_shadow_sweep();
    check_clock_restart();
    check_history_forget();
}

static void begin(const cpu_launch *launch, const void *frame)
{
    begin_contexts();
    check_findings_begin();
    check_clock_launch(launch->blocks);
    check_share_launch(launch->kernel, launch->blocks);
    check_shared_launch(launch->shared_total);
    check_surroundings_begin(frame);
    check_warp_launch(launch);
    check_invalid_launch();
}

/* One after the other, so that each is in its place of the order. `light`: NULL if there is none. */
static accel_status run_blocks(const cpu_launch *launch, const cpu_launch *light, cpu_scratch *scratch)
{
    accel_status status = ACCEL_OK;
    for (size_t k = 0; k < launch->blocks && status == ACCEL_OK; ++k) {
        const size_t block = check_order_of(k, launch->blocks);
        if (light != NULL && !check_share_has(block) && check_light_is_ready(light, scratch))
            status = check_light_run(light, scratch, block);
        else
            status = cpu_blocks_run(launch, scratch, block, 1);
    }
    return status;
}

/* A kernel that was left within ACCEL_ATOMIC_UPDATE holds its lock, for which the next would wait for ever. Other backends
 * hold theirs for a moment. */
static void free_locks(void)
{
    enum { PATIENCE_NS = 100000000 };
    for (uint32_t *left; (left = cpu_process_lock_left(PATIENCE_NS)) != NULL;)
        __atomic_store_n(left, 0u, __ATOMIC_RELEASE);
}

static accel_status run(const cpu_executor *self, const cpu_launch *given, cpu_scratch *scratch)
{
    static char text[3072]; /* under the lock */
    volatile accel_status status = ACCEL_OK;
    cpu_launch launch = *given, light;
    check_operation operation = {.noun = "launch", .kernel = given->kernel->name};
    const cpu_float_mode mode = cpu_float_mode_now(); /* a kernel that is left does not give it back */
    memcpy(operation.grid, given->context.grid_extent, sizeof(operation.grid));
    memcpy(operation.block, given->context.block_extent, sizeof(operation.block));
    (void)self;
    take();
    begin(given, __builtin_frame_address(0));
    const uint64_t moment = check_history_add(queue_of(scratch), &operation)->moment;
    check_views_launch(given->args, given->kernel->args_size, moment);
    check_host_memory_launch(given);
    if (launch.shared_total != 0)
        launch.shared_total += CHECK_SHARED_GAP;
    launch.kernel = check_order_threads(given->kernel);
    const bool has_light = !check_around.views && check_light_begin(&launch, &light, __builtin_frame_address(0));
    if (__builtin_setjmp(check_exit) == 0)
        status = run_blocks(&launch, has_light ? &light : NULL, scratch);
    if (has_light)
        check_light_end(status == ACCEL_OK && !check_abandoned);
    cpu_float_mode_set((cpu_float_mode_now() & ~CPU_FLOAT_MODE_MASK) | (mode & CPU_FLOAT_MODE_MASK));
    check_invalid_end();
    if (check_abandoned) {
        free_locks();
        status = ACCEL_OK; /* the report says more than that a stack was left */
    }
    check_like_judge(given);
    size_t count = check_report(&operation, text, sizeof(text));
    check_shared_end();
    check_host_memory_launch(NULL);
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
    if (found == NULL || found->abi != ACCEL_CHECK_ABI || found->struct_size != sizeof(*found))
        return cpu_host()->error(ACCEL_INCOMPATIBLE,
                                 "library \"%s\": its object for target check is of another version (%u, expected %u); "
                                 "compile it again: " REMEDY,
                                 image->library, found != NULL ? found->abi : 0, ACCEL_CHECK_ABI);
    take();
    found->hooks = check_hooks;
    bool light = false, kept = check_shared_object(image, handle, &light), wanted = check_light_is_chosen();
    check_like_object(image, handle);
    check_report_loaded();
    give();
    if (kept && !light && wanted)
        cpu_host()->log(ACCEL_LOG_WARNING,
                        "library \"%s\": its object for target check has no light version (accelcc --no-light); "
                        "ACCEL_CHECK_SHARE makes its kernels little faster",
                        image->library);
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
    check_host_forget(data);
    check_memory_release(data);
    check_object_end_return(data);
    give();
}

/* Under the queue's `run`, as the operation itself was. */
static void transferred(cpu_scratch *scratch, void *dst, const size_t *dst_pitch, const void *src,
                        const size_t *src_pitch, uint32_t dims, const size_t *extent)
{
    static char text[3072]; /* under the lock */
    accel_impl_queue *queue = queue_of(scratch);
    take();
    begin_contexts();
    check_findings_begin();
    check_clock_launch(0);
    const check_operation *operation =
        check_history_add(queue, &(check_operation){.noun = src != NULL ? "copy" : "fill", .kernel = ""});
    if (src != NULL)
        check_transfer(src, dims, extent, src_pitch, 0, operation->place);
    check_transfer(dst, dims, extent, dst_pitch, ACCEL_CHECK_WRITE, operation->place);
    if (check_report(operation, text, sizeof(text)) != 0 && stops)
        plugin_failure_keep(&queue->failure, cpu_host(), cpu_host()->error(ACCEL_KERNEL_FAULT, "%s", text));
    give();
}

/* A function of the program's. */
static accel_status misused(uint64_t number, const char *function)
{
    char text[1536] = "";
    check_released released;
    if (!check_released_find(number, &released))
        return ACCEL_OK;
    take();
    check_report_misuse(&released, function, text, sizeof(text));
    give();
    return cpu_host()->error(ACCEL_INVALID, "%s", text);
}

static void named(const void *data, const char *name)
{
    take();
    check_memory_name(data, name);
    give();
}

static void viewed(const void *view, uint32_t use, const accel_memory_view *region)
{
    take();
    if (use == ACCEL_VIEW_HOST)
        check_host_memory_know(region);
    else
        check_view_use(view, use, region);
    give();
}

static void opened(accel_open_result *result)
{
    check_tables_exchange(result, last_closed, misused, named, viewed);
}

static const cpu_observer observer = {
    .targets = "check",
    .target_rank = target_rank,
    .object = object,
    .allocate = allocate,
    .release = release,
    .transferred = transferred,
    .opened = opened,
    .warp_size = check_warp_size,
    .overflowed = check_stack_overflowed,
    .asserted = check_hooks_asserted,
    .guard_size = (size_t)16 << 20,
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
