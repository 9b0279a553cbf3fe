/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/host/touch.h"
#include "plugins/cpu/check/host/pages.h"
#include "plugins/cpu/check/queues/track.h"
#include "plugins/cpu/fault/handler.h"
#include "plugins/cpu/fault/registers.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#else /* without it the host's accesses have no place but the instruction */
#define backtrace(frames, count) ((void)(frames), 0)
#endif

enum { TOUCHES = 64 };

/* frame_count 0: free, unless it is `compared`. */
static check_touch touches[TOUCHES];
static _Atomic size_t count;
static bool has_begun;

static bool is_free(const check_touch *touch)
{
    return touch->frame_count == 0 && !touch->compared;
}

static check_touch *unused(void)
{
    size_t at = 0;
    while (at < TOUCHES && !is_free(&touches[at]))
        ++at;
    return at < TOUCHES ? &touches[at] : NULL;
}

/* --- in the handler --- */

/* The instruction's own address, as if it were a call's that returns behind it, and those of its callers. */
static int walk(const ucontext_t *registers, void *frames[CHECK_TOUCH_FRAMES])
{
    enum { ALL = 2 * CHECK_TOUCH_FRAMES };
    void *all[ALL];
    void *const instruction = (void *)cpu_registers_instruction(registers);
    const int found = backtrace(all, ALL);
    int at = 0, kept = 1;
    while (at < found && all[at] != instruction)
        ++at;
    frames[0] = (char *)instruction + 1;
    while (++at < found && kept < CHECK_TOUCH_FRAMES)
        frames[kept++] = all[at];
    return kept;
}

/* A loop is noted once. */
static bool is_known(const check_touch *made)
{
    for (size_t i = 0; i < TOUCHES; ++i)
        if (touches[i].frame_count != 0 && touches[i].frames[0] == made->frames[0] && touches[i].use.noun != NULL &&
            touches[i].use.place == made->use.place)
            return true;
    return false;
}

static void note(uintptr_t address, bool written, const check_use *use, const ucontext_t *registers)
{
    check_touch *made = unused();
    if (made == NULL)
        return;
    *made = (check_touch){.address = address, .written = written, .use = *use};
    void *frames[CHECK_TOUCH_FRAMES];
    const int frame_count = walk(registers, frames);
    for (int i = 0; i < frame_count; ++i)
        made->frames[i] = frames[i];
    if (use->noun != NULL && is_known(made))
        return;
    check_tracks_snapshot(&made->known, &made->submitted);
    made->frame_count = frame_count;
    atomic_fetch_add(&count, 1);
}

/* Another thread may have given the page back since the fault. */
static bool resolve(int number, const siginfo_t *info, ucontext_t *registers)
{
    const uintptr_t address = (uintptr_t)info->si_addr, page = address & ~(uintptr_t)(CHECK_PAGE - 1);
    const bool written = cpu_registers_write(registers);
    const int error = errno;
    check_use use;
    if (number != SIGSEGV || info->si_code != SEGV_ACCERR)
        return false;
    check_tracks_lock();
    const bool found = check_guard_touched(address, written, &use);
    if (found)
        note(address, written, &use, registers);
    check_tracks_unlock();
    errno = error;
    return found || check_pages_allow(page, page + CHECK_PAGE, written);
}

/* --- elsewhere --- */

const char *check_touch_begin(void)
{
    if (has_begun)
        return NULL;
    if (!CPU_REGISTERS_TELL_WRITES)
        return "it is not known on this machine which faults are writes";
    if (dlsym(RTLD_DEFAULT, "__tsan_init") != NULL || dlsym(RTLD_DEFAULT, "__asan_init") != NULL)
        return "the program was built with a sanitizer";
    void *frames[1];
    (void)backtrace(frames, 1); /* loads what it needs, which the handler must not */
    cpu_handler_lock();
    const bool taken = cpu_handler_of_program() != 0;
    if (!taken)
        cpu_handler_begin(CPU_HANDLER_GUARDS, resolve);
    cpu_handler_unlock();
    has_begun = !taken;
    return taken ? "the program, or a tool in it, handles SIGSEGV or another signal of faults itself" : NULL;
}

bool check_touch_is_possible(void)
{
    return has_begun && cpu_handler_is_first(SIGSEGV);
}

void check_touch_compared(const check_use *use)
{
    check_touch *made = unused();
    if (made == NULL)
        return;
    *made = (check_touch){.address = (uintptr_t)use->data, .written = true, .compared = true, .use = *use};
    atomic_fetch_add(&count, 1);
}

check_touch *check_touch_next(size_t *at)
{
    while (*at < TOUCHES && is_free(&touches[*at]))
        ++*at;
    return *at < TOUCHES ? &touches[(*at)++] : NULL;
}

void check_touch_remove(check_touch *touch)
{
    touch->frame_count = 0;
    touch->compared = false;
    atomic_fetch_sub(&count, 1);
}

void check_touch_remove_all(void)
{
    check_touch *touch;
    for (size_t at = 0; (touch = check_touch_next(&at)) != NULL;)
        check_touch_remove(touch);
}

bool check_touch_is_noted(void)
{
    return atomic_load(&count) != 0;
}
