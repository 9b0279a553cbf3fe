/* SPDX-License-Identifier: Apache-2.0 */
#include "process.h"
#include "report.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Out of the way of the numbers that the process gets its files under. */
static int moved_up(int file)
{
    int moved = file >= 0 ? fcntl(file, F_DUPFD_CLOEXEC, 16) : -1;
    if (file >= 0)
        close(file);
    return moved;
}

int sim_file_new(const char *name, size_t size)
{
    int file = moved_up(memfd_create(name, MFD_CLOEXEC));
    if (file >= 0 && ftruncate(file, (off_t)size) != 0) {
        close(file);
        return -1;
    }
    return file;
}

static bool new_pair(int ends[2])
{
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    ends[0] = moved_up(ends[0]);
    ends[1] = moved_up(ends[1]);
    return ends[0] >= 0 && ends[1] >= 0;
}

/* Its program lies beside this library. */
static bool find_program(char *path, size_t size)
{
    Dl_info info;
    if (dladdr((void *)&environ, &info) == 0 || dladdr((void *)(uintptr_t)&sim_process_start, &info) == 0)
        return false;
    const char *end = strrchr(info.dli_fname, '/');
    int length = end != NULL ? (int)(end - info.dli_fname) + 1 : 0;
    return (size_t)snprintf(path, size, "%.*sgpusim-device", length, info.dli_fname) < size;
}

/* The environment without what is preloaded into the program, such as a sanitizer. */
static char **environment_without_preload(void)
{
    size_t count = 0, kept = 0;
    while (environ[count] != NULL)
        ++count;
    char **copy = calloc(count + 1, sizeof *copy);
    for (size_t i = 0; copy != NULL && i < count; ++i)
        if (strncmp(environ[i], "LD_PRELOAD=", 11) != 0)
            copy[kept++] = environ[i];
    return copy;
}

static int spawn(pid_t *pid, const char *path, char **arguments, int control, int memory)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, control, WIRE_CONTROL);
    posix_spawn_file_actions_adddup2(&actions, memory, WIRE_MEMORY);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    char **environment = environment_without_preload();
    int result = environment == NULL ? ENOMEM : posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    free(environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

sim_status sim_process_start(sim_process *process, int memory, uintptr_t base, size_t size)
{
    char path[4096], base_text[32], size_text[32];
    int ends[2];
    if (!find_program(path, sizeof path) || !new_pair(ends))
        return SIM_OPERATING_SYSTEM;
    snprintf(base_text, sizeof base_text, "%zu", (size_t)base);
    snprintf(size_text, sizeof size_text, "%zu", size);
    char *arguments[] = {path, base_text, size_text, NULL};
    int result = spawn(&process->pid, path, arguments, ends[1], memory);
    close(ends[1]);
    if (result != 0) {
        fprintf(stderr, "gpusim: cannot start %s: %s\n", path, strerror(result));
        close(ends[0]);
        process->pid = 0;
        return SIM_OPERATING_SYSTEM;
    }
    process->control = ends[0];
    pthread_mutex_init(&process->lock, NULL);
    return SIM_OK;
}

/* The socket is shut, not closed: a stream's thread may be about to use it. */
void sim_process_stop(sim_process *process)
{
    pid_t pid = process->pid;
    if (pid == 0)
        return;
    shutdown(process->control, SHUT_RDWR); /* who waits for an answer goes on */
    pthread_mutex_lock(&process->lock);
    process->pid = 0;
    pthread_mutex_unlock(&process->lock);
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
}

static bool send_with_file(int socket, const void *data, size_t size, int file)
{
    struct iovec part = {.iov_base = (void *)(uintptr_t)data, .iov_len = size};
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (file >= 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.space;
        message.msg_controllen = sizeof control.space;
        control.header =
            (struct cmsghdr){.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(int))};
        memcpy(CMSG_DATA(&control.header), &file, sizeof file);
    }
    ssize_t sent;
    while ((sent = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    return sent == (ssize_t)size;
}

static bool receive(int socket, void *data, size_t size)
{
    ssize_t received;
    while ((received = recv(socket, data, size, 0)) < 0 && errno == EINTR)
        ;
    return received == (ssize_t)size;
}

bool sim_process_ask(sim_process *process, const wire_request *request, int file, wire_answer *answer)
{
    pthread_mutex_lock(&process->lock);
    bool answered = process->pid != 0 && send_with_file(process->control, request, sizeof *request, file) &&
                    receive(process->control, answer, sizeof *answer);
    pthread_mutex_unlock(&process->lock);
    if (!answered) {
        answer->failed = 1;
        snprintf(answer->text, sizeof answer->text, "the device process is gone");
    }
    return answer->failed == 0;
}

int sim_process_lane(sim_process *process)
{
    wire_request request = {.what = WIRE_LANE};
    wire_answer answer;
    int ends[2];
    if (!new_pair(ends))
        return -1;
    bool opened = sim_process_ask(process, &request, ends[1], &answer);
    close(ends[1]);
    if (opened)
        return ends[0];
    close(ends[0]);
    return -1;
}

bool sim_process_launch(int lane, const wire_launch *launch, wire_fault *fault)
{
    size_t size = offsetof(wire_launch, parameters) + launch->parameter_bytes;
    return send_with_file(lane, launch, size, -1) && receive(lane, fault, sizeof *fault);
}
