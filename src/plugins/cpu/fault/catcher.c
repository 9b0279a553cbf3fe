/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/fault/catcher.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/engine/process.h"
#include "plugins/cpu/fault/fault.h"
#include "plugins/cpu/fault/handler.h"
#include "plugins/cpu/fault/registers.h"
#include "plugins/cpu/fault/signal_stack.h"
#include "plugins/cpu/fiber/fiber_pool.h"

#include <pthread.h>
#include <setjmp.h>
#include <string.h>

enum { STEPS = 4096 /* bytes of stack for a longjmp */ };

/* A range of blocks that a thread runs. */
typedef struct cpu_catching {
    const cpu_launch *launch; /* the queue's */
    accel_descriptor kernel;  /* as the engine sees it: with functions of ours, whose args are this struct */
    cpu_scratch *scratch;
    bool fibers;
    volatile bool inside;                        /* without fibers: in the kernel's code */
    volatile size_t block;                       /* of a kernel without run_thread: the linear index */
    const accel_thread_context *volatile thread; /* with run_thread, and one thread in a block */
    cpu_fault fault;                             /* number 0: none so far */
    void *steps;                                 /* the end of the stack for `leave` */
    jmp_buf place;
} cpu_catching;

/* The thread's cpu_catching, for the handler: unlike a variable of the thread, it is read without any allocation. */
static pthread_key_t key;
static bool has_key;

static void make_key(void)
{
    has_key = pthread_key_create(&key, NULL) == 0;
}

/* --- in the handler --- */

/* Does the thread perhaps hold a lock of the table? One that is free now, or soon, is not its own. */
static bool may_hold_lock(void)
{
    enum { PATIENCE_NS = 500000000 };
    return cpu_process_lock_left(PATIENCE_NS) != NULL;
}

static void leave(void *user)
{
    static void (*volatile const jump)(jmp_buf, int) = longjmp; /* bound already: to look it up takes more stack */
    jump(((cpu_catching *)user)->place, 1);
}

static void note_index(size_t index[3], const size_t given[3])
{
    for (int i = 0; i < 3; ++i)
        index[i] = given[i];
}

static void note_block(cpu_fault *fault, const cpu_launch *launch, size_t block)
{
    const size_t *grid = launch->context.grid_extent;
    fault->block[0] = block % grid[0];
    fault->block[1] = block / grid[0] % grid[1];
    fault->block[2] = block / grid[0] / grid[1];
}

static void note_thread(cpu_fault *fault, const accel_thread_context *thread)
{
    note_index(fault->block, thread->block_index);
    note_index(fault->thread, thread->thread_index);
    fault->has_thread = true;
}

static bool resolve(int number, const siginfo_t *info, ucontext_t *registers)
{
    cpu_catching *own = has_key ? pthread_getspecific(key) : NULL;
    if (own == NULL || (!own->fibers && !own->inside))
        return false;
    cpu_fiber *fiber = own->fibers ? cpu_fiber_pool_at(own->scratch->fibers, cpu_registers_stack(registers)) : NULL;
    if ((own->fibers && fiber == NULL) || may_hold_lock())
        return false;
    own->fault = (cpu_fault){.number = number,
                             .code = info->si_code,
                             .address = (uintptr_t)info->si_addr,
                             .instruction = cpu_registers_instruction(registers)};
    if (own->fibers)
        note_thread(&own->fault, &fiber->thread);
    else if (own->thread != NULL)
        note_thread(&own->fault, own->thread);
    else
        note_block(&own->fault, own->launch, own->block);
    if (own->fibers)
        cpu_fiber_pool_leave(fiber, registers);
    else
        cpu_registers_call(registers, leave, own, own->steps);
    return true;
}

/* --- in the place of the kernel's functions --- */

static cpu_catching *catching_of(const void *args)
{
    return (cpu_catching *)(uintptr_t)args;
}

static void run_blocks(const accel_launch_context *context, const void *args, size_t first, size_t count)
{
    cpu_catching *own = catching_of(args);
    const cpu_launch *launch = own->launch;
    for (size_t block = first; block < first + count; ++block) {
        own->block = block;
        own->inside = true;
        launch->kernel->run_blocks(context, launch->args, block, 1);
        own->inside = false;
    }
}

static void run_thread(const accel_thread_context *thread, const void *args)
{
    cpu_catching *own = catching_of(args);
    const cpu_launch *launch = own->launch;
    own->thread = thread;
    own->inside = true;
    launch->kernel->run_thread(thread, launch->args);
    own->inside = false;
}

/* --- a range of blocks --- */

/* Below the frame that is left for: so a longjmp from there goes upwards, as checks of it expect. */
static __attribute__((noinline)) accel_status run_above(cpu_catching *own, const cpu_launch *launch,
                                                        cpu_scratch *scratch, size_t first, size_t count)
{
    unsigned char steps[STEPS];
    own->steps = steps + STEPS;
    accel_status status = cpu_blocks_run_with(launch, scratch, first, count);
    own->steps = NULL;
    return status;
}

static __attribute__((noinline)) accel_status run_or_leave(cpu_catching *own, const cpu_launch *launch,
                                                           cpu_scratch *scratch, size_t first, size_t count)
{
    return setjmp(own->place) == 0 ? run_above(own, launch, scratch, first, count) : ACCEL_KERNEL_FAULT;
}

static cpu_catcher *catcher_of(const cpu_launch *launch)
{
    return (cpu_catcher *)((uintptr_t)launch->settings - offsetof(cpu_catcher, settings));
}

static accel_status run_caught(const cpu_launch *given, cpu_scratch *scratch, size_t first, size_t count)
{
    cpu_launch launch = *given;
    cpu_catching own;
    memset(&own, 0, offsetof(cpu_catching, place));
    own.launch = given;
    own.kernel = *given->kernel;
    if (own.kernel.form != ACCEL_FORM_THREAD)
        own.kernel.run_blocks = run_blocks;
    own.kernel.run_thread = run_thread;
    own.scratch = scratch;
    own.fibers = given->kernel->form == ACCEL_FORM_THREAD && given->threads != 1;
    launch.kernel = &own.kernel;
    launch.args = &own;
    cpu_signal_stack_need();
    if (pthread_setspecific(key, &own) != 0)
        return cpu_blocks_run_with(given, scratch, first, count);
    accel_status status = run_or_leave(&own, &launch, scratch, first, count);
    pthread_setspecific(key, NULL);
    if (own.fault.number == 0)
        return status;
    return cpu_fault_report(&own.fault, given->kernel, &catcher_of(given)->history);
}

/* --- launches --- */

static void note_launch(plugin_history *history, const cpu_launch *launch)
{
    uint32_t blocks[3], threads[3];
    for (int i = 0; i < 3; ++i) {
        size_t extent = launch->context.grid_extent[i];
        blocks[i] = extent < UINT32_MAX ? (uint32_t)extent : UINT32_MAX;
        threads[i] = (uint32_t)launch->context.block_extent[i];
    }
    plugin_history_add(history, launch->kernel->name, blocks, threads);
}

static accel_status run(const cpu_executor *self, const cpu_launch *given, cpu_scratch *scratch)
{
    cpu_catcher *catcher = (cpu_catcher *)(uintptr_t)self;
    cpu_launch launch = *given;
    launch.plain = false;
    launch.way = run_caught;
    launch.settings = &catcher->settings;
    note_launch(&catcher->history, given);
    return catcher->inner->run(catcher->inner, &launch, scratch);
}

/* --- its life --- */

/* What the log says, once. */
static void explain(const cpu_executor *inner, int signal)
{
    static _Atomic bool said;
    if (!atomic_exchange(&said, true))
        cpu_host()->log(ACCEL_LOG_WARNING,
                        "%s: ACCEL_FAULTS=report has no effect: the program, or a tool in it, handles %s itself",
                        inner->name, cpu_fault_name(signal));
}

static bool begin_signals(const cpu_executor *inner)
{
    cpu_handler_lock();
    int signal = cpu_handler_of_program();
    if (signal == 0)
        cpu_handler_begin(CPU_HANDLER_KERNELS, resolve);
    cpu_handler_unlock();
    if (signal != 0)
        explain(inner, signal);
    return signal == 0;
}

cpu_catcher *cpu_catcher_make(const cpu_executor *inner, const cpu_settings *settings)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!settings->report_faults || inner->observer != NULL || !CPU_REGISTERS_KNOWN)
        return NULL;
    pthread_once(&once, make_key);
    cpu_catcher *catcher = has_key ? calloc(1, sizeof(*catcher)) : NULL;
    if (catcher == NULL || !begin_signals(inner)) {
        free(catcher);
        return NULL;
    }
    catcher->executor = *inner;
    catcher->executor.run = run;
    catcher->inner = inner;
    catcher->settings = *settings;
    return catcher;
}

void cpu_catcher_end(cpu_catcher *catcher)
{
    if (catcher == NULL)
        return;
    cpu_handler_lock();
    cpu_handler_end(CPU_HANDLER_KERNELS);
    cpu_handler_unlock();
    free(catcher);
}
