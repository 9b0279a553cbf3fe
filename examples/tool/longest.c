/* SPDX-License-Identifier: Apache-2.0 */
/* A third party's tool: names the kernel that ran longest in one launch. ACCEL_TOOL=/path/libacceltool-longest.so */
#include <accel/tool.h>

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* callbacks come from several threads at once */
static const char *longest = "none";                     /* names live as long as the process */
static uint64_t longest_time, launches;

static void completed(void *user, const accel_tool_operation *operation)
{
    (void)user;
    if (operation->kind != ACCEL_TOOL_LAUNCH)
        return;
    pthread_mutex_lock(&lock);
    ++launches;
    if (operation->ended - operation->started > longest_time) {
        longest_time = operation->ended - operation->started;
        longest = operation->name;
    }
    pthread_mutex_unlock(&lock);
}

static void finish(void *user)
{
    (void)user;
    pthread_mutex_lock(&lock);
    fprintf(stderr, "%llu launches, the longest %.3f us: %s\n", (unsigned long long)launches,
            (double)longest_time / 1e3, longest);
    pthread_mutex_unlock(&lock);
}

accel_status accel_tool_init(const accel_tool_host *host, accel_tool_callbacks *callbacks)
{
    if (host->abi != ACCEL_TOOL_ABI)
        return host->error(ACCEL_INCOMPATIBLE, "libaccel has version %u of accel/tool.h, this tool %u", host->abi,
                           ACCEL_TOOL_ABI);
    callbacks->abi = ACCEL_TOOL_ABI;
    callbacks->completed = completed;
    callbacks->finish = finish;
    return ACCEL_OK;
}
