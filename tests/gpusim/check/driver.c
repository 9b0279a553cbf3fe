/* SPDX-License-Identifier: Apache-2.0 */
#include "driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

cuda_functions cu;
cuda_more cu_more;
hip_functions hip;
hip_more hip_further;
char report[4096];

static void *open_library(const char *name)
{
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    ck_assert_msg(library != NULL, "%s", dlerror());
    return library;
}

static void find(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
}

void cuda_open(void)
{
    void *library = open_library("libcuda.so.1");
#define CUDA_FIND(member, name, exported, version, need, result, parameters) find(library, #exported, &cu.member);
    CUDA_ENTRY_FUNCTIONS(CUDA_FIND)
    CUDA_FUNCTIONS(CUDA_FIND)
#define CUDA_FIND_MORE(member, name, exported, version, need, result, parameters)                                      \
    find(library, #exported, &cu_more.member);
    CUDA_MORE_FUNCTIONS(CUDA_FIND_MORE)
}

void hip_open(void)
{
    void *library = open_library("libamdhip64.so.6");
#define HIP_FIND(member, name, exported, version, need, result, parameters) find(library, #exported, &hip.member);
    HIP_FUNCTIONS(HIP_FIND)
#define HIP_FIND_MORE(member, name, exported, version, need, result, parameters)                                       \
    find(library, #exported, &hip_further.member);
    HIP_MORE_FUNCTIONS(HIP_FIND_MORE)
}

void cuda_start(void)
{
    cuda_context context = NULL;
    cuda_open();
    cuda_ok(cu.init(0));
    cuda_ok(cu.primary_retain(&context, 0));
    cuda_ok(cu.context_set(context));
}

void cuda_stop(void)
{
    cuda_ok(cu.primary_release(0));
}

void run_apart(void (*function)(void), int status)
{
    char path[] = "/tmp/gpusim-report-XXXXXX";
    int file = mkstemp(path), ended = 0;
    ck_assert_int_ge(file, 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        setenv("GPUSIM_REPORT", path, 1);
        function();
        exit(0);
    }
    ck_assert_int_eq(waitpid(child, &ended, 0), child);
    ssize_t length = read(file, report, sizeof report - 1);
    close(file);
    unlink(path);
    report[length > 0 ? length : 0] = '\0';
    ck_assert_msg(WIFEXITED(ended), "the process died of signal %d; report: %s", WTERMSIG(ended), report);
    ck_assert_msg(WEXITSTATUS(ended) == status, "it ended with %d, not %d; report: %s", WEXITSTATUS(ended), status,
                  report);
}

void violates(void (*function)(void), const char *text)
{
    run_apart(function, 86);
    const char *end = strchr(report, '\n');
    ck_assert_msg(strstr(report, text) != NULL, "\"%s\" is not in: %s", text, report);
    ck_assert_msg(end != NULL && end[1] == '\0', "more than one violation: %s", report);
}

cuda_stream cuda_new_stream(unsigned flags)
{
    cuda_stream stream = NULL;
    cuda_ok(cu.stream_create(&stream, flags, 0));
    return stream;
}

cuda_event cuda_new_event(unsigned flags)
{
    cuda_event event = NULL;
    cuda_ok(cu.event_create(&event, flags));
    return event;
}

cuda_device_pointer cuda_new_words(size_t n, uint32_t value)
{
    cuda_device_pointer words = 0;
    cuda_ok(cu.memory_allocate(&words, n * sizeof value));
    cuda_ok(cu.fill_32(words, value, n, NULL));
    cuda_ok(cu.stream_synchronize(NULL));
    return words;
}

static void doze(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

void pass(void *user)
{
    gate *door = user;
    __atomic_store_n(&door->entered, true, __ATOMIC_RELEASE);
    while (!__atomic_load_n(&door->open, __ATOMIC_ACQUIRE))
        doze();
}

void open_gate(gate *door)
{
    __atomic_store_n(&door->open, true, __ATOMIC_RELEASE);
}

void await_entered(const gate *door)
{
    while (!__atomic_load_n(&door->entered, __ATOMIC_ACQUIRE))
        doze();
}

void add(Suite *suite, const char *name, const TTest *test)
{
    TCase *test_case = tcase_create(name);
    tcase_set_timeout(test_case, 60);
    tcase_add_test(test_case, test);
    suite_add_tcase(suite, test_case);
}
