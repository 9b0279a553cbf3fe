/* SPDX-License-Identifier: Apache-2.0 */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool overrides(const char *const *variables, const char *entry)
{
    const size_t length = strcspn(entry, "=");
    for (size_t i = 0; variables[i] != NULL; ++i)
        if (strncmp(variables[i], entry, length) == 0 && (variables[i][length] == '=' || variables[i][length] == '\0'))
            return true;
    return false;
}

/* The caller frees the array, not what it points to. */
static char **make_environment(const char *const *variables)
{
    size_t count = 1;
    for (size_t i = 0; environ[i] != NULL; ++i)
        count++;
    for (size_t i = 0; variables[i] != NULL; ++i)
        count++;
    char **made = calloc(count, sizeof *made);
    size_t n = 0;
    for (size_t i = 0; made != NULL && environ[i] != NULL; ++i)
        if (!overrides(variables, environ[i]))
            made[n++] = environ[i];
    for (size_t i = 0; made != NULL && variables[i] != NULL; ++i)
        if (strchr(variables[i], '=') != NULL)
            made[n++] = (char *)(uintptr_t)variables[i];
    return made;
}

/* A new process with these for its standard input and output. Returns 0 or the error's number. */
static int spawn(pid_t *id, const char *path, const char *argument, const char *const *variables, int input, int output)
{
    char *arguments[] = {(char *)(uintptr_t)path, (char *)(uintptr_t)argument, NULL};
    char **environment = make_environment(variables);
    posix_spawn_file_actions_t actions;
    if (environment == NULL)
        return ENOMEM;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    const int error = posix_spawn(id, path, &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return error;
}

bool process_start(bench_process *process, const char *path, const char *const *variables, bool *missing)
{
    int sockets[2] = {-1, -1};
    *missing = access(path, X_OK) != 0;
    if (*missing)
        return false;
    int error = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) == 0 ? 0 : errno;
    if (error == 0)
        error = spawn(&process->id, path, NULL, variables, sockets[1], sockets[1]);
    if (sockets[1] >= 0)
        close(sockets[1]);
    if (error == 0) {
        process->socket = sockets[0];
        return true;
    }
    if (error != ENOEXEC)
        fprintf(stderr, "accel-bench: %s: %s\n", path, strerror(error));
    if (sockets[0] >= 0)
        close(sockets[0]);
    process->id = 0;
    *missing = error == ENOEXEC; /* of another architecture: under an emulator */
    return false;
}

void process_end(bench_process *process)
{
    if (process->id == 0)
        return;
    close(process->socket); /* it reads the end of its input */
    if (process->polls)
        kill(process->id, SIGCONT);
    waitpid(process->id, NULL, 0);
    process->id = 0;
}

bool process_ask(const bench_process *process, const native_request *request, native_reply *reply)
{
    if (process->polls)
        kill(process->id, SIGCONT);
    const bool good = send(process->socket, request, sizeof *request, MSG_NOSIGNAL) == (ssize_t)sizeof *request &&
                      recv(process->socket, reply, sizeof *reply, MSG_WAITALL) == (ssize_t)sizeof *reply;
    if (process->polls)
        kill(process->id, SIGSTOP);
    if (good)
        return true;
    fprintf(stderr, "accel-bench: the native program has ended\n");
    return false;
}

/* What it writes is a small struct, which a pipe holds; so it never waits for a reader. */
bool process_run(const char *path, const char *argument, const char *const *variables, void *told, size_t size)
{
    int ends[2] = {-1, -1}, status = 0;
    pid_t id = 0;
    int error = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
    if (error == 0)
        error = spawn(&id, path, argument, variables, STDIN_FILENO, ends[1]);
    if (error == 0 && waitpid(id, &status, 0) != id)
        error = errno;
    if (ends[1] >= 0)
        close(ends[1]);
    const bool good = error == 0 && status == 0 && read(ends[0], told, size) == (ssize_t)size;
    if (ends[0] >= 0)
        close(ends[0]);
    if (!good)
        fprintf(stderr, "accel-bench: %s: %s\n", path, error != 0 ? strerror(error) : "it failed");
    return good;
}
