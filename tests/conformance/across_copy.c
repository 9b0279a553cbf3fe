/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between two backends, neither of which reaches the other's memory if it is not the host's: by either's queue. */
#include "fork_at_rest.h"
#include "nouns.h"
#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

/* The queue's end of a copy, and the other one, of `count` words each. */
typedef struct ends {
    accel_device *near, *far;
    accel_queue *queue; /* of near */
    accel_buffer *ours, *theirs;
} ends;

static ends ends_new(accel_device *near, accel_device *far, uint32_t flags, size_t count)
{
    return (ends){near, far, queue_new(near, flags), words_new(near, count, 1), words_new(far, count, 2)};
}

static void ends_free(ends *e)
{
    accel_queue_release(e->queue);
    accel_buffer_release(e->ours);
    accel_buffer_release(e->theirs);
}

static void theirs_are(const ends *e, uint32_t value)
{
    accel_queue *queue = queue_new(e->far, 0);
    words_are(queue, e->theirs, value);
    accel_queue_release(queue);
}

START_TEST(m4_copies_between_backends_take_their_turn_and_do_not_block_the_caller)
{
    accel_device *devices[] = {test.device, need_partner()};
    for (int near = 0; near < 2; ++near) {
        ends e = ends_new(devices[near], devices[1 - near], 0, 1000);
        uint32_t three = 3, four = 4;
        bool idle = true;
        gate door;
        gate_init(&door);
        gate_in(&door, e.queue);
        ok(accel_fill(e.queue, e.ours, &three, sizeof three, NULL));
        ok(accel_copy(e.queue, e.theirs, e.ours, NULL));
        ok(accel_fill(e.queue, e.ours, &four, sizeof four, NULL));
        ok(accel_copy(e.queue, e.ours, e.theirs, NULL));
        gate_entered(&door);
        theirs_are(&e, 2);
        ok(accel_queue_is_idle(e.queue, &idle));
        ck_assert(!idle);
        gate_open(&door);
        ok(accel_queue_wait(e.queue));
        words_are(e.queue, e.ours, 3);
        theirs_are(&e, 3);
        ends_free(&e);
        gate_destroy(&door);
    }
}
END_TEST

START_TEST(m4_what_follows_a_copy_between_backends_finds_it_done)
{
    enum { ROUNDS = 50 };
    accel_device *devices[] = {test.device, need_partner()};
    for (int near = 0; near < 2; ++near) {
        ends e = ends_new(devices[near], devices[1 - near], 0, 5000);
        accel_queue *other = queue_new(e.far, 0);
        accel_event *copied = event_new(e.near, 0), *changed = event_new(e.far, 0);
        for (uint32_t round = 0; round < ROUNDS; ++round) {
            uint32_t mine = 2 * round, yours = 2 * round + 1;
            ok(accel_fill(e.queue, e.ours, &mine, sizeof mine, NULL));
            ok(accel_copy(e.queue, e.theirs, e.ours, NULL));
            ok(accel_event_record(copied, e.queue));
            ok(accel_queue_wait_event(other, copied));
            words_are(other, e.theirs, mine);
            ok(accel_fill(other, e.theirs, &yours, sizeof yours, NULL));
            ok(accel_event_record(changed, other));
            ok(accel_queue_wait_event(e.queue, changed));
            ok(accel_copy(e.queue, e.ours, e.theirs, NULL));
            words_are(e.queue, e.ours, yours);
        }
        accel_event_release(copied);
        accel_event_release(changed);
        accel_queue_release(other);
        ends_free(&e);
    }
}
END_TEST

START_TEST(m4_buffers_and_queue_of_a_pending_copy_between_backends_may_be_released)
{
    accel_device *devices[] = {test.device, need_partner()};
    for (int near = 0; near < 2; ++near) {
        for (int to_far = 0; to_far < 2; ++to_far) {
            ends e = ends_new(devices[near], devices[1 - near], 0, 1000);
            accel_event *copied = event_new(e.near, 0);
            accel_buffer *dst = to_far ? e.theirs : e.ours, *src = to_far ? e.ours : e.theirs;
            gate door;
            gate_init(&door);
            gate_in(&door, e.queue);
            ok(accel_copy(e.queue, dst, src, NULL));
            ok(accel_event_record(copied, e.queue));
            accel_buffer_retain(dst);
            ends_free(&e);
            gate_open(&door);
            ok(accel_event_wait(copied));
            accel_queue *reader = queue_new(to_far ? e.far : e.near, 0);
            words_are(reader, dst, to_far ? 1 : 2);
            accel_queue_release(reader);
            accel_buffer_release(dst);
            accel_event_release(copied);
            gate_destroy(&door);
        }
    }
}
END_TEST

static void note(void *user, accel_status status)
{
    atomic_store((_Atomic uint32_t *)user, 1 + (uint32_t)status);
}

START_TEST(o3_a_pending_copy_between_backends_outlives_its_instance)
{
    static _Atomic uint32_t done;
    (void)need_partner();
    for (int near = 0; near < 2; ++near) {
        uint32_t words[1000] = {0}; /* of the program, which sees the copy arrive in them */
        accel_instance *instance = NULL;
        accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
        accel_buffer_desc shape = accel_buffer_1d(sizeof words[0], 1000);
        accel_buffer *seen = NULL;
        desc.backends = suite_backends();
        ok(accel_instance_create(&desc, &instance));
        accel_device *devices[] = {accel_instance_device(instance, 0),
                                   accel_instance_device(instance, accel_instance_device_count(instance) - 1)};
        ends e = ends_new(devices[near], devices[1 - near], 0, 1000);
        ok(accel_buffer_wrap(accel_instance_host(instance), words, &shape, &seen));
        atomic_store(&done, 0);
        gate door;
        gate_init(&door);
        gate_in(&door, e.queue);
        ok(accel_copy(e.queue, e.ours, e.theirs, NULL));
        ok(accel_copy(e.queue, seen, e.ours, NULL));
        ok(accel_queue_call(e.queue, note, &done));
        accel_buffer_release(seen);
        ends_free(&e);
        accel_instance_release(instance);
        gate_entered(&door);
        gate_open(&door);
        ck_assert(becomes(&done, 1, 40));
        ck_assert_uint_eq(words[999], 2);
        gate_destroy(&door);
    }
}
END_TEST

/* The parent's thread that copies is not there. */
static void copy_in_new_instance(void)
{
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    surroundings_close();
    desc.backends = suite_backends();
    ok(accel_instance_create(&desc, &test.instance));
    test.device = accel_instance_device(test.instance, 0);
    ends e = ends_new(accel_instance_device(test.instance, accel_instance_device_count(test.instance) - 1), test.device,
                      0, 100);
    ok(accel_copy(e.queue, e.ours, e.theirs, NULL));
    words_are(e.queue, e.ours, 2);
    ends_free(&e);
}

START_TEST(o7_copies_between_backends_work_in_the_child_of_a_fork)
{
    if (test.properties.kind == ACCEL_DEVICE_GPU)
        unsupported("drivers do not work in the child");
    ends e = ends_new(need_partner(), test.device, 0, 100);
    ok(accel_copy(e.queue, e.ours, e.theirs, NULL));
    words_are(e.queue, e.ours, 2);
    ends_free(&e);
    pid_t child = fork_at_rest();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        alarm(40);
        copy_in_new_instance();
        _exit(0);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

/* Shapes that are cut in every way, in chunks of a few MiB: within rows, between rows, between planes. */
START_TEST(m4_large_copies_between_backends_arrive_whole_in_every_shape)
{
    static const size_t shapes[][3] = {{1, 1, 5000001}, {1, 3, 2500001}, {2, 700, 1801}, {9, 11, 40001}};
    accel_device *partner = need_partner();
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; ++s) {
        const size_t *extent = shapes[s];
        size_t count = extent[0] * extent[1] * extent[2];
        accel_buffer_desc wide = accel_buffer_3d(1, extent[0], extent[1], extent[2]);
        wide.pitch[1] = extent[2] + 3;
        wide.pitch[0] = wide.pitch[1] * (extent[1] + 1);
        accel_buffer_desc close = accel_buffer_3d(1, extent[0], extent[1], extent[2]);
        accel_buffer *ours = buffer_new(test.device, &close), *theirs = buffer_new(partner, &wide),
                     *back = buffer_new(test.device, &wide);
        accel_queue *queue = queue_new(test.device, 0), *other = queue_new(partner, ACCEL_QUEUE_BLOCKING);
        unsigned char *given = malloc(count), *got = calloc(1, count);
        for (size_t i = 0; i < count; ++i)
            given[i] = (unsigned char)(i * 2654435761u >> 13);
        ok(accel_write(queue, ours, given));
        ok(accel_copy(queue, theirs, ours, NULL));
        ok(accel_queue_wait(queue));
        ok(accel_copy(other, back, theirs, NULL));
        ok(accel_read(queue, got, back));
        ok(accel_queue_wait(queue));
        ck_assert_int_eq(memcmp(given, got, count), 0);
        free(given);
        free(got);
        accel_buffer_release(ours);
        accel_buffer_release(theirs);
        accel_buffer_release(back);
        accel_queue_release(queue);
        accel_queue_release(other);
    }
}
END_TEST

START_TEST(m4_copies_between_two_instances_of_a_backend)
{
    accel_instance *instance = NULL;
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    desc.backends = suite_backends();
    ok(accel_instance_create(&desc, &instance));
    accel_device *elsewhere = accel_instance_device(instance, 0);
    for (uint32_t flags = 0; flags < 2; ++flags) {
        ends e = ends_new(test.device, elsewhere, flags, 1000);
        ok(accel_copy(e.queue, e.theirs, e.ours, NULL));
        ok(accel_queue_wait(e.queue));
        theirs_are(&e, 1);
        ends_free(&e);
    }
    accel_instance_release(instance);
}
END_TEST

START_TEST(q7_copies_between_backends_behind_a_failure_are_skipped)
{
    accel_device *partner = need_partner();
    for (uint32_t flags = 0; flags < 2; ++flags) {
        ends e = ends_new(partner, test.device, flags, 100);
        uint32_t five = 5;
        faulty_queue_control *control = queue_control(e.queue);
        control->fail_next(control, ACCEL_KERNEL_FAULT);
        accel_status first = accel_fill(e.queue, e.ours, &five, sizeof five, NULL);
        accel_status second = accel_copy(e.queue, e.theirs, e.ours, NULL);
        ck_assert_int_eq(first, flags != 0 ? ACCEL_KERNEL_FAULT : ACCEL_OK);
        ck_assert_int_eq(second, first);
        refused(ACCEL_KERNEL_FAULT, accel_queue_wait(e.queue), "on request");
        ends behind = ends_new(partner, test.device, 0, 100); /* whoever would do the first copy has done this one */
        ok(accel_copy(behind.queue, behind.theirs, behind.ours, NULL));
        ok(accel_queue_wait(behind.queue));
        ends_free(&behind);
        theirs_are(&e, 2);
        ok(accel_copy(e.queue, e.theirs, e.ours, NULL)); /* it was told */
        ok(accel_queue_wait(e.queue));
        theirs_are(&e, 1);
        ends_free(&e);
    }
}
END_TEST

START_TEST(q7_a_failure_of_the_other_device_is_the_queues_and_its_own_device_goes_on)
{
    accel_device *partner = need_partner();
    for (uint32_t flags = 0; flags < 2; ++flags) {
        accel_instance *instance = NULL;
        accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
        desc.backends = suite_partner_name;
        ok(accel_instance_create(&desc, &instance));
        ends e = ends_new(test.device, accel_instance_device(instance, 0), flags, 100);
        faulty_device_control *control = device_control(e.far);
        uint32_t six = 6;
        control->lose(control);
        accel_status status = accel_copy(e.queue, e.ours, e.theirs, NULL);
        ck_assert_int_eq(status, flags != 0 ? ACCEL_UNAVAILABLE : ACCEL_OK);
        if (flags != 0)
            ck_assert_ptr_nonnull(strstr(accel_error_message(), "lost on request"));
        accel_status skipped = accel_fill(e.queue, e.ours, &six, sizeof six, NULL);
        ck_assert_int_eq(skipped, flags != 0 ? ACCEL_UNAVAILABLE : ACCEL_OK);
        refused(ACCEL_UNAVAILABLE, accel_queue_wait(e.queue), "");
        refused(ACCEL_DEVICE_LOST, accel_copy(e.queue, e.ours, e.theirs, NULL), "lost");
        words_are(e.queue, e.ours, 1);
        ok(accel_fill(e.queue, e.ours, &six, sizeof six, NULL));
        words_are(e.queue, e.ours, 6);
        ends_free(&e);
        accel_instance_release(instance);
    }
    ends well = ends_new(test.device, partner, 0, 100);
    ok(accel_copy(well.queue, well.ours, well.theirs, NULL));
    words_are(well.queue, well.ours, 2);
    ends_free(&well);
}
END_TEST

START_TEST(m4_a_copy_between_backends_for_which_memory_is_missing_can_be_repeated)
{
    accel_device *partner = need_partner();
    for (uint32_t flags = 0; flags < 2; ++flags) {
        accel_instance *instance = NULL;
        accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
        desc.backends = suite_partner_name;
        ok(accel_instance_create(&desc, &instance));
        ends e = ends_new(partner, accel_instance_device(instance, 0), flags, 100);
        faulty_device_control *control = device_control(e.far);
        control->fail_allocation(control, 0); /* of what the copy goes through */
        accel_status status = accel_copy(e.queue, e.ours, e.theirs, NULL);
        ck_assert_int_eq(status, flags != 0 ? ACCEL_OUT_OF_MEMORY : ACCEL_OK);
        refused(ACCEL_OUT_OF_MEMORY, accel_queue_wait(e.queue), "");
        words_are(e.queue, e.ours, 1);
        ok(accel_copy(e.queue, e.ours, e.theirs, NULL));
        words_are(e.queue, e.ours, 2);
        ends_free(&e);
        accel_instance_release(instance);
    }
}
END_TEST

typedef struct traveller {
    ends e;
    uint32_t number;
    accel_status status;
} traveller;

/* To the other backend and back, by a queue that others use too; the status of the first call that failed. */
static void *travel(void *user)
{
    traveller *t = user;
    for (uint32_t round = 0; round < 25 && t->status == ACCEL_OK; ++round) {
        uint32_t value = t->number * 1000 + round, words[2000];
        t->status = accel_fill(t->e.queue, t->e.ours, &value, sizeof value, NULL);
        if (t->status == ACCEL_OK)
            t->status = accel_copy(t->e.queue, t->e.theirs, t->e.ours, NULL);
        if (t->status == ACCEL_OK)
            t->status = accel_copy(t->e.queue, t->e.ours, t->e.theirs, NULL);
        if (t->status == ACCEL_OK)
            t->status = accel_read(t->e.queue, words, t->e.ours);
        if (t->status == ACCEL_OK)
            t->status = accel_queue_wait(t->e.queue);
        for (size_t i = 0; i < 2000 && t->status == ACCEL_OK; ++i)
            t->status = words[i] == value ? ACCEL_OK : ACCEL_INTERNAL;
    }
    return NULL;
}

START_TEST(o1_threads_copy_between_backends_in_both_directions)
{
    enum { TRAVELLERS = 8 };
    accel_device *devices[] = {test.device, need_partner()};
    accel_queue *queues[2][2];
    traveller travellers[TRAVELLERS];
    pthread_t threads[TRAVELLERS];
    for (uint32_t q = 0; q < 4; ++q)
        queues[q / 2][q % 2] = queue_new(devices[q / 2], q % 2);
    for (uint32_t i = 0; i < TRAVELLERS; ++i) {
        accel_device *near = devices[i % 2], *far = devices[1 - i % 2];
        travellers[i] =
            (traveller){{near, far, queues[i % 2][i / 2 % 2], words_new(near, 2000, 0), words_new(far, 2000, 0)}, i, 0};
    }
    for (size_t i = 0; i < TRAVELLERS; ++i)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, travel, &travellers[i]), 0);
    for (size_t i = 0; i < TRAVELLERS; ++i)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < TRAVELLERS; ++i) {
        ck_assert_int_eq(travellers[i].status, ACCEL_OK);
        accel_buffer_release(travellers[i].e.ours);
        accel_buffer_release(travellers[i].e.theirs);
    }
    for (uint32_t q = 0; q < 4; ++q)
        accel_queue_release(queues[q / 2][q % 2]);
}
END_TEST

Suite *across_copy_suite(void)
{
    Suite *suite = suite_create("copies across backends");
    add(suite, m4_copies_between_backends_take_their_turn_and_do_not_block_the_caller);
    add(suite, m4_what_follows_a_copy_between_backends_finds_it_done);
    add(suite, m4_buffers_and_queue_of_a_pending_copy_between_backends_may_be_released);
    add(suite, o3_a_pending_copy_between_backends_outlives_its_instance);
    add(suite, o7_copies_between_backends_work_in_the_child_of_a_fork);
    add(suite, m4_large_copies_between_backends_arrive_whole_in_every_shape);
    add(suite, m4_copies_between_two_instances_of_a_backend);
    add(suite, m4_a_copy_between_backends_for_which_memory_is_missing_can_be_repeated);
    add(suite, q7_copies_between_backends_behind_a_failure_are_skipped);
    add(suite, q7_a_failure_of_the_other_device_is_the_queues_and_its_own_device_goes_on);
    add(suite, o1_threads_copy_between_backends_in_both_directions);
    return suite;
}
