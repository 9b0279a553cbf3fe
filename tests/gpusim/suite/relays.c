/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between a GPU and a device of another backend, whose driver knows nothing of it. */
#include "rig.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = RIG_WORDS };

/* A device of the other backend, with a queue and words of its own. */
typedef struct stranger {
    accel_device *device;
    accel_queue *queue;
    accel_buffer *words;
} stranger;

static stranger stranger_begin(const rig *b, uint32_t flags)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), WORDS);
    accel_queue_desc queue = ACCEL_QUEUE_DESC_INIT;
    stranger s = {.device = accel_instance_device(b->instance, accel_instance_device_count(b->instance) - 1)};
    uint32_t seven = 7;
    queue.flags = flags;
    ok(accel_queue_create(s.device, &queue, &s.queue));
    ok(accel_buffer_create(s.device, &desc, &s.words));
    ok(accel_fill(s.queue, s.words, &seven, sizeof(seven), NULL));
    ok(accel_queue_wait(s.queue));
    return s;
}

static void stranger_end(stranger *s)
{
    accel_buffer_release(s->words);
    accel_queue_release(s->queue);
}

static void words_are(accel_queue *queue, accel_buffer *buffer, uint32_t value)
{
    uint32_t words[WORDS] = {0};
    ok(accel_read(queue, words, buffer));
    ok(accel_queue_wait(queue));
    for (int i = 0; i < WORDS; ++i)
        ck_assert_uint_eq(words[i], value);
}

static const char *const beside[] = {"cpu-serial", "cpu-threads", NULL};

/* The driver of the other vendor, or a CPU. */
static const char *other_backend(int i)
{
    return beside[i] != NULL ? beside[i] : rig_is_cuda() ? "hip" : "cuda";
}

START_TEST(m4_a_gpu_and_a_device_of_another_backend_copy_both_ways_by_either_queue)
{
    rig b = rig_begin_beside(other_backend(_i / 2));
    stranger s = stranger_begin(&b, _i % 2 != 0 ? ACCEL_QUEUE_BLOCKING : 0);
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_queue *ours = NULL;
    uint32_t one = 1, two = 2;
    desc.flags = _i % 2 != 0 ? ACCEL_QUEUE_BLOCKING : 0;
    ok(accel_queue_create(b.device, &desc, &ours));
    for (int by = 0; by < 2; ++by) {
        accel_queue *queue = by != 0 ? s.queue : ours;
        accel_buffer *near = by != 0 ? s.words : b.words, *far = by != 0 ? b.words : s.words;
        ok(accel_fill(queue, near, &one, sizeof(one), NULL));
        ok(accel_copy(queue, far, near, NULL));
        ok(accel_fill(queue, near, &two, sizeof(two), NULL));
        ok(accel_copy(queue, near, far, NULL));
        words_are(queue, near, 1);
        words_are(by != 0 ? ours : s.queue, far, 1);
    }
    accel_queue_release(ours);
    stranger_end(&s);
    rig_end(&b);
}
END_TEST

/* The GPU faults, or is lost; whoever copies from it learns of it, and goes on. */
static void a_failure_arrives(const char *backend, uint32_t flags, const char *fault, accel_status fails,
                              accel_status arrives)
{
    setenv("GPUSIM_FAULT", fault, 1); /* of launches, of which the other backend has none */
    rig b = rig_begin_beside(backend);
    stranger s = stranger_begin(&b, flags);
    uint32_t seven = 7, eight = 8;
    accel_status status = rig_launch(&b, b.queue, b.set, NULL);
    ck_assert(status == ACCEL_OK || status == fails);
    if (status == ACCEL_OK && fails == ACCEL_KERNEL_FAULT) /* core would see a loss at once */
        refused(fails, accel_queue_wait(b.queue), "set");
    /* A copy that comes before the loss succeeds: the launch is not in its order. */
    for (status = ACCEL_OK; status == ACCEL_OK; usleep(1000)) {
        ok(accel_fill(s.queue, s.words, &seven, sizeof(seven), NULL));
        status = accel_copy(s.queue, s.words, b.words, NULL);
        if (status == ACCEL_OK || status == arrives)
            status = accel_queue_wait(s.queue);
    }
    ck_assert(status == arrives || status == fails);
    if (fails == ACCEL_KERNEL_FAULT) /* else the loss may have come when the words were there already */
        words_are(s.queue, s.words, 7);
    ok(accel_fill(s.queue, s.words, &eight, sizeof(eight), NULL));
    words_are(s.queue, s.words, 8);
    stranger_end(&s);
    rig_end(&b);
}

START_TEST(q7_a_fault_of_the_gpu_reaches_the_queue_of_the_other_backend_which_goes_on)
{
    a_failure_arrives(other_backend(_i / 2), _i % 2 != 0 ? ACCEL_QUEUE_BLOCKING : 0, "illegal-address@1/0",
                      ACCEL_KERNEL_FAULT, ACCEL_KERNEL_FAULT);
}
END_TEST

START_TEST(k10_a_loss_of_the_gpu_reaches_the_queue_of_the_other_backend_as_unavailable)
{
    a_failure_arrives(other_backend(_i / 2), _i % 2 != 0 ? ACCEL_QUEUE_BLOCKING : 0, "lost@1/0", ACCEL_DEVICE_LOST,
                      ACCEL_UNAVAILABLE);
}
END_TEST

TCase *relays_tests(void)
{
    TCase *tests = tcase_create("relays");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, m4_a_gpu_and_a_device_of_another_backend_copy_both_ways_by_either_queue, 0, 6);
    tcase_add_loop_test(tests, q7_a_fault_of_the_gpu_reaches_the_queue_of_the_other_backend_which_goes_on, 0, 6);
    tcase_add_loop_test(tests, k10_a_loss_of_the_gpu_reaches_the_queue_of_the_other_backend_as_unavailable, 0, 6);
    return tests;
}
