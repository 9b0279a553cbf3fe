/* SPDX-License-Identifier: Apache-2.0 */
/* A program for trace.py: every kind of operation on three queues, and how it ends: traced end|exit|fork|kill|fail. */
#include "../conformance/kernels/arguments.h"

#include <accel/accel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 100000, ROUNDS = 4 };

static void ok(accel_status status)
{
    if (status != ACCEL_OK) {
        fprintf(stderr, "%s\n", accel_error_message());
        exit(3);
    }
}

static void launch(accel_queue *queue, accel_kernel *kernel, accel_buffer *words, uint32_t value)
{
    words_args args = {.words = (uint32_t *)accel_buffer_ptr(words), .n = WORDS, .value = value};
    accel_work work = accel_work_1d(4, 1, WORDS / 4);

    ok(accel_launch(queue, kernel, &work, &args, sizeof args));
}

static void nothing(void *user, accel_status status)
{
    (void)user, (void)status;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "end";
    accel_queue_desc blocking = ACCEL_QUEUE_DESC_INIT;
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), WORDS);
    static accel_instance *instance; /* these are static: a program that ends early leaks nothing by that */
    static accel_device *device;
    static accel_queue *left, *right, *third;
    static accel_event *event;
    static accel_buffer *a, *b;
    static accel_module *module;
    static accel_kernel *add, *set;
    static uint32_t *words;
    uint32_t zero = 0;

    words = calloc(WORDS, sizeof *words);
    blocking.flags = ACCEL_QUEUE_BLOCKING;
    ok(accel_instance_create(NULL, &instance));
    ok(accel_instance_find_device(instance, NULL, &device));
    ok(accel_queue_create(device, NULL, &left));
    ok(accel_queue_create(device, NULL, &right));
    ok(accel_queue_create(device, &blocking, &third));
    ok(accel_object_name(ACCEL_OBJECT_QUEUE, left, "left \"quoted\" \xe9"));
    ok(accel_event_create(device, NULL, &event));
    ok(accel_module_load(device, "conformance", &module));
    ok(accel_module_kernel(module, "add", &add));
    ok(accel_module_kernel(module, "set", &set));
    ok(accel_buffer_create(device, &desc, &a));
    ok(accel_buffer_create(device, &desc, &b));
    ok(accel_region_push("rounds"));
    for (int i = 0; i < ROUNDS && words != NULL; ++i) {
        ok(accel_region_push("round"));
        ok(accel_write(left, a, words));
        launch(left, add, a, 1);
        ok(accel_event_record(event, left));
        ok(accel_queue_wait_event(right, event));
        ok(accel_copy(right, b, a, NULL));
        launch(right, add, b, 1);
        ok(accel_queue_wait(right));
        launch(third, set, a, 5);
        ok(accel_read(third, words, b));
        ok(accel_region_pop());
        if (strcmp(how, "kill") == 0 && i == 2)
            usleep(150000); /* what is older than 100 ms is in the file when the next event comes */
        if (strcmp(how, "kill") == 0 && i == 3)
            _exit(9);
    }
    ok(accel_region_pop());
    ok(accel_fill(left, a, &zero, sizeof zero, NULL));
    ok(accel_queue_call(left, nothing, NULL));
    ok(accel_queue_wait(left));
    printf("%u\n", words != NULL ? words[WORDS - 1] : 0);
    fflush(stdout);
    if (strcmp(how, "exit") == 0)
        exit(0);
    if (strcmp(how, "fork") == 0) {
        pid_t child = fork();
        if (child == 0)
            exit(0);
        waitpid(child, NULL, 0);
    }
    accel_buffer_release(a);
    accel_buffer_release(b);
    accel_event_release(event);
    accel_module_release(module);
    accel_queue_release(left);
    accel_queue_release(right);
    accel_queue_release(third);
    accel_instance_release(instance);
    free(words);
}
