/* SPDX-License-Identifier: Apache-2.0 */
#include "settle.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_NS = 1000000, QUIET_LOOKS = 2, MOST_LOOKS = 250 };

/* What the threads of a process have done. */
typedef struct activity {
    bool running;              /* one of them is on a CPU, or wants one */
    unsigned long long slices; /* how often they were given one, all together */
} activity;

static bool read_file(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    const size_t length = fread(text, 1, size - 1, file);
    fclose(file);
    text[length] = '\0';
    return length != 0;
}

static void look_at_thread(pid_t process, long thread, activity *seen)
{
    char path[96], text[512];
    unsigned long long slices;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/stat", (long)process, thread);
    /* "number (name) state": the name may have anything in it. */
    const char *name_end = read_file(path, text, sizeof text) ? strrchr(text, ')') : NULL;
    if (name_end != NULL && strlen(name_end) > 2 && name_end[2] == 'R')
        seen->running = true;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)process, thread);
    if (read_file(path, text, sizeof text) && sscanf(text, "%*u %*u %llu", &slices) == 1)
        seen->slices += slices;
}

static activity look(const pid_t *processes, size_t count)
{
    activity seen = {0};
    for (size_t i = 0; i < count; ++i) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%ld/task", (long)processes[i]);
        DIR *threads = opendir(path);
        if (threads == NULL)
            continue;
        for (const struct dirent *entry; (entry = readdir(threads)) != NULL;) {
            const long thread = strtol(entry->d_name, NULL, 10);
            if (thread > 0 && thread != (long)gettid())
                look_at_thread(processes[i], thread, &seen);
        }
        closedir(threads);
    }
    return seen;
}

bool settle(const pid_t *processes, size_t count)
{
    const struct timespec pause = {.tv_nsec = LOOK_NS};
    activity before = look(processes, count);
    int quiet = 0;
    for (int looks = 0; looks < MOST_LOOKS && quiet < QUIET_LOOKS; ++looks) {
        nanosleep(&pause, NULL);
        const activity now = look(processes, count);
        quiet = !now.running && now.slices == before.slices ? quiet + 1 : 0;
        before = now;
    }
    return quiet == QUIET_LOOKS;
}
