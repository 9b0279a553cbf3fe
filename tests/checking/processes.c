/* SPDX-License-Identifier: Apache-2.0 */
/* A program that ends in an unusual way. Usage: processes HOW LIBRARY KERNEL; HOW:
 * child: a child of a fork launches the kernel, on its parent's queue, and leaves by exit;
 * parent: the parent does, before a child is there that does nothing;
 * leaves: the program leaves by _exit behind a launch that has ended; dies: by SIGKILL; aborts: by abort;
 * busy: by exit, while its queue has work, and without a release.
 * It prints "right" for each launch of a process whose other results are right. */
#include <accel/accel.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "planted.h"

enum { N = 256, BLOCKS = 4 };

static accel_instance *instance; /* static: programs that end early lose nothing by that */
static accel_device *device;
static accel_queue *queue;
static accel_module *module;
static accel_kernel *kernel, *right;
static accel_buffer *x, *y, *c;

static void ok(accel_status status)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "processes: %s\n", accel_error_message());
    exit(3);
}

static void open_all(const char *library, const char *name)
{
    static const float zero[N];
    accel_buffer_desc desc = accel_buffer_1d(sizeof(float), N);
    ok(accel_instance_create(NULL, &instance));
    ok(accel_instance_find_device(instance, NULL, &device));
    ok(accel_queue_create(device, NULL, &queue));
    ok(accel_module_load(device, library, &module));
    ok(accel_module_kernel(module, name, &kernel));
    ok(accel_module_kernel(module, "right_elements", &right));
    ok(accel_buffer_create(device, &desc, &x));
    ok(accel_buffer_create(device, &desc, &y));
    ok(accel_buffer_create(device, &desc, &c));
    ok(accel_write(queue, x, zero));
    ok(accel_write(queue, y, zero));
    ok(accel_write(queue, c, zero));
    ok(accel_queue_wait(queue));
}

static void close_all(void)
{
    accel_buffer_release(x);
    accel_buffer_release(y);
    accel_buffer_release(c);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
}

static void launch(accel_kernel *which)
{
    planted_args args = {N, accel_buffer_ptr(x), accel_buffer_ptr(y), accel_buffer_ptr(c)};
    accel_work work = accel_work_1d(BLOCKS, N / BLOCKS, 1);
    ok(accel_launch(queue, which, &work, &args, sizeof args));
}

/* The kernel, and what the program is about. */
static void work(void)
{
    const float one = 1;
    float found[N] = {0};
    launch(kernel);
    ok(accel_queue_wait(queue));
    ok(accel_fill(queue, x, &one, sizeof one, NULL));
    launch(right);
    ok(accel_read(queue, found, y));
    ok(accel_queue_wait(queue));
    puts(found[0] == 1 && found[N - 1] == 1 ? "right" : "wrong");
    fflush(stdout);
}

static void in_child(void (*run)(void))
{
    int status = 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        if (run != NULL)
            run();
        exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fprintf(stderr, "processes: the child ended with %d\n", status);
        exit(4);
    }
}

int main(int count, char *arguments[])
{
    const char *how = count == 4 ? arguments[1] : "";
    if (count != 4)
        return 2;
    open_all(arguments[2], arguments[3]);
    if (strcmp(how, "child") == 0) {
        in_child(work);
    } else if (strcmp(how, "busy") == 0) {
        for (int i = 0; i < 200; ++i)
            launch(kernel);
        exit(0);
    } else {
        work();
    }
    if (strcmp(how, "parent") == 0)
        in_child(NULL);
    if (strcmp(how, "leaves") == 0)
        _exit(0);
    if (strcmp(how, "dies") == 0)
        raise(SIGKILL);
    if (strcmp(how, "aborts") == 0)
        abort();
    close_all();
    return 0;
}
