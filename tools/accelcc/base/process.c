/* SPDX-License-Identifier: Apache-2.0 */
#include "base/process.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { CAUGHT_COUNT = sizeof caught / sizeof caught[0] };

/* Written by the handler, and read outside it. The group is set with the signals blocked. */
static volatile sig_atomic_t caught_signal;
static volatile sig_atomic_t running_group;

static void on_signal(int number)
{
    int saved = errno;
    caught_signal = number;
    if (running_group > 0)
        kill(-(pid_t)running_group, SIGTERM);
    errno = saved;
}

static void caught_set(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < CAUGHT_COUNT; ++i)
        sigaddset(set, caught[i]);
}

void process_catch_signals(void)
{
    signal(SIGCHLD, SIG_DFL); /* the parent may ignore it, and then no exit status would arrive */
    signal(SIGPIPE, SIG_IGN); /* a reader of our messages may end first; delete the intermediate files all the same */
    for (size_t i = 0; i < CAUGHT_COUNT; ++i) {
        struct sigaction action, before;
        memset(&action, 0, sizeof action);
        action.sa_handler = on_signal; /* without SA_RESTART: read and waitpid return */
        caught_set(&action.sa_mask);
        if (sigaction(caught[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(caught[i], &action, NULL);
    }
}

void process_check(void)
{
    int number = caught_signal;
    if (number == 0)
        return;
    workspace_remove();
    signal(number, SIG_DFL);
    raise(number);
    exit(128 + number);
}

static void show(const list *command)
{
    for (size_t i = 0; i < command->count; ++i) {
        const char *word = command->items[i];
        const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+,./:@%";
        fputs(i == 0 ? "" : " ", stderr);
        if (*word != '\0' && word[strspn(word, plain)] == '\0') {
            fputs(word, stderr);
            continue;
        }
        fputc('\'', stderr);
        for (; *word != '\0'; ++word)
            *word == '\'' ? fputs("'\\''", stderr) : fputc(*word, stderr);
        fputc('\'', stderr);
    }
    fputc('\n', stderr);
}

/* Starts the command in a process group of its own, so that a signal reaches the compiler's own children too. */
static int start(const list *command, const char *directory, int output, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults, none;
    caught_set(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigemptyset(&none);
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    if (error == 0 && directory != NULL)
        error = posix_spawn_file_actions_addchdir_np(&actions, directory);
    if (error == 0)
        error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (error == 0) {
        char **words = (char **)(void *)command->items; /* posix_spawn does not write to them */
        error = posix_spawn(pid, words[0], &actions, &attributes, words, environ);
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static const char *read_all(int descriptor)
{
    size_t size = 0, capacity = 4096;
    char *text = arena_alloc(capacity);
    for (;;) {
        if (size + 1 == capacity) {
            char *larger = arena_alloc(2 * capacity);
            memcpy(larger, text, size);
            text = larger;
            capacity *= 2;
        }
        ssize_t got = read(descriptor, text + size, capacity - size - 1);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return text;
        size += (size_t)got;
    }
}

bool process_run(const list *command, const char *directory, bool echo, process_result *result)
{
    process_check();
    if (echo)
        show(command);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        message_error("%s: no pipe: %s", command->items[0], strerror(errno));
        return false;
    }
    sigset_t signals, before;
    caught_set(&signals);
    sigprocmask(SIG_BLOCK, &signals, &before);
    pid_t pid = 0;
    int error = start(command, directory, ends[1], &pid);
    if (error == 0)
        running_group = (sig_atomic_t)pid;
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    if (error != 0) {
        close(ends[0]);
        message_error("%s cannot be run: %s", command->items[0], strerror(error));
        return false;
    }
    result->output = read_all(ends[0]);
    close(ends[0]);
    int status = 0;
    pid_t ended;
    do
        ended = waitpid(pid, &status, 0);
    while (ended < 0 && errno == EINTR);
    running_group = 0;
    if (ended < 0) {
        message_error("%s: no exit status: %s", command->items[0], strerror(errno));
        return false;
    }
    result->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    process_check();
    return true;
}
