/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/report/line.h"
#include "plugins/cpu/check/shared/shared.h"
#include "plugins/cpu/engine/host.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if __has_include(<execinfo.h>)
#include <execinfo.h>
#else /* without it what the program calls has no place */
#define backtrace(frames, count) ((void)(frames), 0)
#endif

extern char **environ;

/* What addr2line says of an offset; "" if it does not run. */
static void ask(const char *file, size_t offset, char *answer, size_t size)
{
    char number[32];
    snprintf(number, sizeof(number), "0x%zx", offset);
    char *const command[] = {"addr2line", "-i", "-e", (char *)(uintptr_t)file, number, NULL};
    int ends[2], status;
    pid_t child;
    size_t got = 0;
    ssize_t bytes;
    posix_spawn_file_actions_t actions;
    answer[0] = '\0';
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    if (posix_spawn_file_actions_init(&actions) != 0) {
        close(ends[0]), close(ends[1]);
        return;
    }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int failed = posix_spawnp(&child, command[0], &actions, NULL, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    while (failed == 0 && got + 1 < size) {
        bytes = read(ends[0], answer + got, size - 1 - got);
        if (bytes < 0 && errno == EINTR)
            continue;
        if (bytes <= 0)
            break;
        got += (size_t)bytes;
    }
    answer[got] = '\0';
    close(ends[0]);
    while (failed == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
}

/* The first line that is not in a header of libaccel's. NULL: none says anything. */
static char *pick(char *answer)
{
    char *state = NULL, *best = NULL;
    for (char *line = strtok_r(answer, "\n", &state); line != NULL; line = strtok_r(NULL, "\n", &state)) {
        if (line[0] == '?' || strstr(line, ":?") != NULL)
            continue;
        char *behind = strstr(line, " (discriminator ");
        if (behind != NULL)
            *behind = '\0';
        if (best == NULL)
            best = line;
        if (strstr(line, "/accel/kernel/") == NULL && strstr(line, "/accel/kernel.h") == NULL &&
            strstr(line, "/accel/cpp/") == NULL)
            return line;
    }
    return best;
}

void check_line_of(const void *place, char *text, size_t size)
{
    char answer[4096];
    Dl_info info;
    if (place == NULL || dladdr(place, &info) == 0 || info.dli_fname == NULL) {
        snprintf(text, size, "unknown code");
        return;
    }
    size_t offset = (size_t)((const char *)place - 1 - (const char *)info.dli_fbase);
    const char *copy = check_shared_file(place), *file = copy != NULL ? copy : info.dli_fname;
    ask(file, offset, answer, sizeof(answer));
    const char *line = pick(answer);
    /* Of a program that does not move, offsets are addresses. */
    if (line == NULL && copy == NULL) {
        ask(file, (size_t)(const char *)place - 1, answer, sizeof(answer));
        line = pick(answer);
    }
    if (line != NULL)
        snprintf(text, size, "%s", line);
    else
        snprintf(text, size, "%s+0x%zx", file, offset);
}

/* The first frame outside libaccel and its plugins; -1: there is none. */
static int outer_frame(void *const *frames, int count)
{
    Dl_info core, engine, own, info;
    const void *functions[] = {(const void *)(uintptr_t)cpu_host()->config, (const void *)&cpu_host_services,
                               (const void *)(uintptr_t)outer_frame};
    if (dladdr(functions[0], &core) == 0 || dladdr(functions[1], &engine) == 0 || dladdr(functions[2], &own) == 0)
        return -1;
    bool begun = false; /* before our own frame may be one of a sanitizer, which walks the stack for us */
    for (int i = 0; i < count; ++i) {
        if (dladdr(frames[i], &info) == 0)
            continue;
        begun = begun || info.dli_fbase == own.dli_fbase;
        if (begun && info.dli_fbase != core.dli_fbase && info.dli_fbase != engine.dli_fbase &&
            info.dli_fbase != own.dli_fbase)
            return i;
    }
    return -1;
}

const void *check_line_caller(void *const *frames, int count)
{
    const int at = outer_frame(frames, count);
    return at >= 0 ? frames[at] : NULL;
}

/* Plugins of other backends use buffers of this one, too. */
static bool is_library(const Dl_info *info)
{
    const char *slash = info->dli_fname != NULL ? strrchr(info->dli_fname, '/') : NULL;
    return slash != NULL && strncmp(slash + 1, "libaccel", strlen("libaccel")) == 0;
}

const void *check_line_accessor(void *const *frames, int count)
{
    Dl_info libc, core, info;
    if (dladdr((const void *)(uintptr_t)getpid, &libc) == 0 ||
        dladdr((const void *)(uintptr_t)cpu_host()->config, &core) == 0)
        return NULL;
    for (int i = 0; i < count; ++i) {
        if (dladdr(frames[i], &info) == 0)
            return frames[i];
        if (info.dli_fbase == core.dli_fbase || is_library(&info))
            return NULL;
        if (info.dli_fbase != libc.dli_fbase)
            return frames[i];
    }
    return NULL;
}

const void *check_line_here(const char **entry)
{
    enum { FRAMES = 16 };
    void *frames[FRAMES];
    Dl_info info;
    const int at = outer_frame(frames, backtrace(frames, FRAMES));
    if (entry != NULL)
        *entry = at > 0 && dladdr(frames[at - 1], &info) != 0 && info.dli_sname != NULL ? info.dli_sname : "";
    return at >= 0 ? frames[at] : NULL;
}
