/* SPDX-License-Identifier: Apache-2.0 */
/* The device processes: when they begin, and that they end with the program. */
#include "kernel.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The device processes that the process has for children; the first few of them. */
static size_t children_of(pid_t parent, pid_t *children, size_t room)
{
    size_t count = 0;
    DIR *processes = opendir("/proc");
    ck_assert_ptr_nonnull(processes);
    for (struct dirent *entry; (entry = readdir(processes)) != NULL;) {
        char path[300], name[64] = "";
        int pid = atoi(entry->d_name), its_parent = 0;
        snprintf(path, sizeof path, "/proc/%d/stat", pid);
        FILE *file = pid > 0 ? fopen(path, "r") : NULL;
        if (file == NULL)
            continue;
        if (fscanf(file, "%*d (%63[^)]) %*c %d", name, &its_parent) == 2 && its_parent == parent &&
            strcmp(name, "gpusim-device") == 0 && count < room)
            children[count++] = pid;
        fclose(file);
    }
    closedir(processes);
    return count;
}

static bool ends_soon(pid_t pid)
{
    for (int i = 0; i < 2000; ++i) {
        char path[64], state = 'Z';
        snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
        FILE *file = fopen(path, "r");
        if (file == NULL)
            return true;
        bool read = fscanf(file, "%*d (%*[^)]) %c", &state) == 1;
        fclose(file);
        if (!read || state == 'Z')
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    return false;
}

START_TEST(a_device_process_begins_with_the_first_context_of_its_device)
{
    pid_t children[4];
    cuda_context context = NULL;
    cuda_open();
    cuda_ok(cu.init(0));
    ck_assert_uint_eq(children_of(getpid(), children, 4), 0);
    cuda_ok(cu.primary_retain(&context, 1));
    ck_assert_uint_eq(children_of(getpid(), children, 4), 1);
    cuda_ok(cu.primary_retain(&context, 0));
    ck_assert_uint_eq(children_of(getpid(), children, 4), 2);
    cuda_ok(cu.primary_release(0));
    cuda_ok(cu.primary_release(1));
}
END_TEST

typedef enum ending { EXIT, EXIT_AT_ONCE, KILLED, EXIT_WHILE_FORKED } ending;

/* A program with two devices and work that never ends, which ends one way or another. */
static void program(ending how, int to_parent)
{
    static gate door;
    cuda_context context = NULL;
    pid_t children[2] = {0, 0};
    cuda_start();
    cuda_ok(cu.primary_retain(&context, 1));
    cuda_ok(cu.stream_call(cuda_new_stream(1), pass, &door));
    children_of(getpid(), children, 2);
    if (write(to_parent, children, sizeof children) != sizeof children)
        _exit(1);
    if (how == EXIT)
        exit(0);
    if (how == EXIT_AT_ONCE)
        _exit(0);
    if (how == EXIT_WHILE_FORKED && fork() == 0) {
        for (;;)
            pause();
    }
    raise(SIGKILL);
}

START_TEST(device_processes_end_however_the_program_ends)
{
    for (ending how = EXIT; how <= EXIT_WHILE_FORKED; ++how) {
        pid_t devices[2];
        int files[2], status;
        ck_assert_int_eq(pipe(files), 0);
        pid_t child = fork();
        if (child == 0) {
            setpgid(0, 0);
            program(how, files[1]);
        }
        ck_assert_int_eq(read(files[0], devices, sizeof devices), sizeof devices);
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        for (int i = 0; i < 2; ++i) {
            ck_assert_int_gt(devices[i], 0);
            ck_assert_msg(ends_soon(devices[i]), "device process %d stays (%d)", (int)devices[i], (int)how);
        }
        kill(-child, SIGKILL);
        close(files[0]);
        close(files[1]);
    }
}
END_TEST

START_TEST(nothing_works_in_the_child_of_a_fork)
{
    cuda_device_pointer words = 0;
    int status = 0;
    cuda_start();
    pid_t child = fork();
    if (child == 0)
        _exit(cu.init(0) == CUDA_RESULT_NOT_INITIALIZED && cu.memory_allocate(&words, 4) == CUDA_RESULT_NOT_INITIALIZED
                  ? 7
                  : 8);
    waitpid(child, &status, 0);
    ck_assert_int_eq(WEXITSTATUS(status), 7);
    words = cuda_new_words(10, 1); /* the parent goes on */
    cuda_ok(cu.memory_free(words));
    cuda_stop();
}
END_TEST

START_TEST(a_dead_device_process_is_a_lost_device)
{
    pid_t device = 0;
    cuda_start();
    cuda_stream stream = cuda_new_stream(1);
    cuda_function kernel = cuda_kernel(cuda_load("compute_75.ptx"), "add");
    ck_assert_uint_eq(children_of(getpid(), &device, 1), 1);
    kill(device, SIGKILL);
    ck_assert_int_eq(cuda_run(kernel, stream, (words_args){0}, 0), 0);
    ck_assert_int_eq(cu.stream_synchronize(stream), CUDA_RESULT_UNKNOWN);
    cuda_stop();
}
END_TEST

Suite *process_suite(void)
{
    Suite *suite = suite_create("process");
    add_test(suite, a_device_process_begins_with_the_first_context_of_its_device);
    add_test(suite, device_processes_end_however_the_program_ends);
    add_test(suite, nothing_works_in_the_child_of_a_fork);
    add_test(suite, a_dead_device_process_is_a_lost_device);
    return suite;
}
