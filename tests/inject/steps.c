/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of calls of several steps have in common, and their program. */
#include "steps.h"

site begin(void)
{
    site s = {0};
    accel_queue_desc blocking = ACCEL_QUEUE_DESC_INIT;
    blocking.flags = ACCEL_QUEUE_BLOCKING;
    ck_assert_msg(inject_arm != NULL, "run with the shim preloaded");
    ck_assert_int_eq(accel_instance_create(NULL, &s.instance), ACCEL_OK);
    s.device = accel_instance_device(s.instance, 0);
    ck_assert_int_eq(accel_queue_create(s.device, NULL, &s.queue), ACCEL_OK);
    ck_assert_int_eq(accel_queue_create(s.device, &blocking, &s.blocking), ACCEL_OK);
    ck_assert_int_eq(accel_event_create(accel_instance_host(s.instance), NULL, &s.gate), ACCEL_OK);
    return s;
}

void end(site *s)
{
    accel_event_release(s->gate);
    accel_queue_release(s->blocking);
    accel_queue_release(s->queue);
    accel_instance_release(s->instance);
}

void close_gate(const site *s)
{
    ck_assert_int_eq(accel_queue_wait(s->queue), ACCEL_OK);
    ck_assert_int_eq(accel_event_arm(s->gate), ACCEL_OK);
    ck_assert_int_eq(accel_queue_wait_event(s->queue, s->gate), ACCEL_OK);
}

void open_gate(const site *s)
{
    ck_assert_int_eq(accel_event_signal(s->gate, ACCEL_OK), ACCEL_OK);
    ck_assert_int_eq(accel_queue_wait(s->queue), ACCEL_OK);
}

accel_buffer *make(const site *s, size_t size, size_t count)
{
    accel_buffer_desc desc = accel_buffer_1d(size, count);
    accel_buffer *made;
    ck_assert_int_eq(accel_buffer_create(s->device, &desc, &made), ACCEL_OK);
    return made;
}

void set(const site *s, accel_buffer *buffer, uint32_t value)
{
    ck_assert_int_eq(accel_fill(s->blocking, buffer, &value, sizeof(value), NULL), ACCEL_OK);
}

void pad(const site *s, accel_buffer *buffer, int round, int turn)
{
    const uint32_t value = 77;
    for (int i = 0; i < round / 3 * round % turn; ++i)
        ck_assert_int_eq(accel_fill(s->queue, buffer, &value, sizeof(value), NULL), ACCEL_OK);
}

void check_both(const bool done[ROUNDS])
{
    int times = 0;
    for (int i = 0; i < ROUNDS; ++i)
        times += done[i];
    ck_assert_int_gt(times, 0);
    ck_assert_int_lt(times, ROUNDS);
}

int main(void)
{
    Suite *suite = suite_create("steps");
    TCase *tests = tcase_create("memory is short");
    tcase_set_timeout(tests, 120);
    add_algorithms(tests);
    add_patterns(tests);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
