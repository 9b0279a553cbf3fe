/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Forks for tests. A thread that has only begun to run allocates, and where a fork finds it at that, the allocators of
 * sanitizers stay locked in the child; the C library's does not.
 */
#ifndef FORK_AT_REST_H
#define FORK_AT_REST_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline bool fork_thread_sleeps(const char *thread)
{
    char path[300], text[200] = "";
    snprintf(path, sizeof path, "/proc/self/task/%s/stat", thread);
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return true; /* it has ended */
    const char *line = fgets(text, sizeof text, file);
    fclose(file);
    const char *state = line != NULL ? strrchr(line, ')') : NULL;
    return state != NULL && strncmp(state, ") S", 3) == 0;
}

static inline bool fork_others_sleep(void)
{
    bool all = true;
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL)
        return false;
    for (const struct dirent *entry; (entry = readdir(threads)) != NULL;)
        if (entry->d_name[0] != '.' && atol(entry->d_name) != (long)gettid() && !fork_thread_sleeps(entry->d_name))
            all = false;
    closedir(threads);
    return all;
}

/* Returns once all other threads sleep, or after two seconds. */
static inline void fork_await_rest(void)
{
    for (int i = 0; i < 2000 && !fork_others_sleep(); ++i)
        usleep(1000);
}

static inline pid_t fork_at_rest(void)
{
    fork_await_rest();
    return fork();
}

#endif
