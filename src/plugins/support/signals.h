/* SPDX-License-Identifier: Apache-2.0 */
/* Signals on a plugin's threads. */
#ifndef ACCEL_PLUGINS_SIGNALS_H
#define ACCEL_PLUGINS_SIGNALS_H

#include <signal.h>
#include <stddef.h>

/* Signals of the program are for the program's threads; faults and the profiler's ticks are for whoever runs. A thread
 * begins with the mask of its creator, which is therefore the one to block them: nothing arrives before it could. */
static inline void plugin_signals_block(sigset_t *before)
{
    static const int kept[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPROF};
    sigset_t set;

    sigfillset(&set);
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); ++i)
        sigdelset(&set, kept[i]);
    pthread_sigmask(SIG_SETMASK, &set, before);
}

#endif
