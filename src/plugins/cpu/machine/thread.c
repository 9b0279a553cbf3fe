/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/machine/thread.h"
#include "plugins/support/signals.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int start(void *(*main)(void *user), void *user, const uint8_t *mask)
{
    pthread_attr_t attributes;
    int error = pthread_attr_init(&attributes);
    if (error != 0)
        return error;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, CPU_THREAD_STACK);
    if (mask != NULL)
        error = pthread_attr_setaffinity_np(&attributes, CPU_MASK_BYTES, (const cpu_set_t *)(const void *)mask);
    pthread_t thread;
    if (error == 0) {
        sigset_t before;
        plugin_signals_block(&before);
        error = pthread_create(&thread, &attributes, main, user);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_attr_destroy(&attributes);
    return error;
}

int cpu_thread_start(void *(*main)(void *user), void *user, const uint8_t mask[CPU_MASK_BYTES])
{
    int error = start(main, user, mask);
    return error == EINVAL ? start(main, user, NULL) : error;
}

void cpu_thread_begin(const char *name)
{
    prctl(PR_SET_TIMERSLACK, 1ul, 0ul, 0ul, 0ul);
    prctl(PR_SET_NAME, name, 0ul, 0ul, 0ul);
}

int cpu_thread_number(void)
{
    return (int)syscall(SYS_gettid);
}

bool cpu_thread_keep_off(int thread, const uint8_t allowed[CPU_MASK_BYTES], int cpu)
{
    uint8_t mask[CPU_MASK_BYTES];
    if (cpu < 0 || thread == 0 || !cpu_mask_has(allowed, (size_t)cpu))
        return false;
    memcpy(mask, allowed, CPU_MASK_BYTES);
    mask[cpu / 8] = (uint8_t)(mask[cpu / 8] & ~(1u << (cpu % 8)));
    return cpu_mask_count(mask) != 0 && syscall(SYS_sched_setaffinity, thread, CPU_MASK_BYTES, mask) == 0;
}

void cpu_thread_allow(const uint8_t allowed[CPU_MASK_BYTES])
{
    syscall(SYS_sched_setaffinity, 0, CPU_MASK_BYTES, allowed);
}
