/* SPDX-License-Identifier: Apache-2.0 */
/* Which context is current on the program's threads, and what a launch costs there, counted in calls of the driver. HIP
 * has none but a current device, the first from the start: on it no thread is ever without. */
#include "../check/driver.h"
#include "rig.h"
#include "vendor.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { LAUNCHES = 10, ASKED = 0, SWITCHED, LAUNCHED, ALL, COUNTS };

typedef struct counts {
    unsigned of[COUNTS];
} counts;

static counts count(const char *trace)
{
    bool cuda = rig_is_cuda();
    counts counted;
    counted.of[ASKED] = rig_calls(trace, cuda ? "cuCtxGetCurrent" : "hipGetDevice");
    counted.of[SWITCHED] = cuda ? rig_calls(trace, "cuCtxSetCurrent") + rig_calls(trace, "cuCtxPushCurrent_v2") +
                                      rig_calls(trace, "cuCtxPopCurrent_v2")
                                : rig_calls(trace, "hipSetDevice");
    counted.of[LAUNCHED] = rig_calls(trace, cuda ? "cuLaunchKernel" : "hipModuleLaunchKernel");
    counted.of[ALL] = rig_calls(trace, NULL);
    return counted;
}

static void *device_native(accel_device *device)
{
    void *native = NULL;
    ok(accel_device_native(device, &native));
    return native;
}

static void run_in_thread(void *(*function)(void *), void *user)
{
    pthread_t thread;
    ck_assert_int_eq(pthread_create(&thread, NULL, function, user), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

/* A thread's launches on a queue, and what they cost. */
typedef struct launches {
    const rig *rig;
    accel_queue *queue;
    accel_kernel *kernel;
    void *words;
    const char *trace;
    counts first, others;
    void *before, *after; /* what was current */
} launches;

static counts launch_counted(const launches *l, int times)
{
    rig_forget(l->trace);
    for (int i = 0; i < times; ++i)
        ok(rig_launch(l->rig, l->queue, l->kernel, l->words));
    return count(l->trace);
}

static void *launch_often(void *user)
{
    launches *l = user;
    l->before = vendor_current();
    l->first = launch_counted(l, 1);
    l->others = launch_counted(l, LAUNCHES);
    l->after = vendor_current();
    return NULL;
}

static launches on_first(const rig *r, const char *trace)
{
    return (launches){.rig = r, .queue = r->queue, .kernel = r->add, .trace = trace};
}

/* With what the other device needs for launches, of which the words are an allocation. */
typedef struct other {
    accel_queue *queue;
    accel_module *module;
    accel_kernel *add;
    accel_buffer *words;
} other;

static other other_begin(const rig *r)
{
    other o = {0};
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), RIG_WORDS);
    uint32_t zero = 0;
    ok(accel_queue_create(r->other, NULL, &o.queue));
    ok(accel_module_load(r->other, "conformance", &o.module));
    ok(accel_module_kernel(o.module, "add", &o.add));
    ok(accel_buffer_create(r->other, &desc, &o.words));
    ok(accel_fill(o.queue, o.words, &zero, sizeof(zero), NULL));
    ok(accel_queue_wait(o.queue));
    return o;
}

static void other_end(other *o)
{
    accel_buffer_release(o->words);
    accel_module_release(o->module);
    accel_queue_release(o->queue);
}

static launches on_other(const rig *r, const other *o, const char *trace)
{
    return (launches){
        .rig = r, .queue = o->queue, .kernel = o->add, .words = accel_buffer_ptr(o->words), .trace = trace};
}

static void words_are(accel_queue *queue, accel_buffer *buffer, uint32_t value)
{
    uint32_t words[RIG_WORDS];
    ok(accel_read(queue, words, buffer));
    ok(accel_queue_wait(queue));
    for (int i = 0; i < RIG_WORDS; ++i)
        ck_assert_msg(words[i] == value, "word %d is %u, not %u", i, words[i], value);
}

static void cost(counts found, int times, unsigned switched)
{
    ck_assert_uint_eq(found.of[ASKED], (unsigned)times);
    ck_assert_uint_eq(found.of[SWITCHED], switched);
    ck_assert_uint_eq(found.of[LAUNCHED], (unsigned)times);
    ck_assert_uint_eq(found.of[ALL], 2 * (unsigned)times + switched);
}

/* Traced from the start, with nothing pending. */
static rig begin_traced(const char **trace)
{
    uint32_t zero = 0;
    *trace = rig_scratch("trace");
    setenv("GPUSIM_TRACE", *trace, 1);
    vendor_open();
    rig r = rig_begin();
    ok(accel_fill(r.queue, r.words, &zero, sizeof(zero), NULL));
    ok(accel_queue_wait(r.queue));
    return r;
}

/* Asks what is current, launches. The first launch of a thread makes the device's context current besides. */
START_TEST(a_thread_without_a_context_makes_two_calls_for_a_launch_after_its_first)
{
    const char *trace;
    rig r = begin_traced(&trace);
    for (int i = 0; i < 50; ++i) {
        launches l = on_first(&r, trace);
        run_in_thread(launch_often, &l);
        cost(l.first, 1, rig_is_cuda());
        cost(l.others, LAUNCHES, 0);
        ck_assert_ptr_eq(l.before, rig_is_cuda() ? NULL : device_native(r.device));
        ck_assert_ptr_eq(l.after, device_native(r.device));
    }
    words_are(r.queue, r.words, 50 * 5 * (LAUNCHES + 1));
    rig_end(&r);
}
END_TEST

/* Also what is no launch leaves it. */
static void *use_other(void *user)
{
    rig *r = user;
    ok(rig_use(r->other));
    ck_assert_ptr_eq(vendor_current(), device_native(rig_is_cuda() ? r->other : r->device));
    ok(rig_use(r->device));
    ck_assert_ptr_eq(vendor_current(), device_native(rig_is_cuda() ? r->other : r->device));
    return NULL;
}

START_TEST(the_first_device_that_a_thread_uses_stays_current)
{
    vendor_open();
    rig r = rig_begin();
    run_in_thread(use_other, &r);
    rig_end(&r);
}
END_TEST

/* That of the second device is no less right, and switches there and back. */
START_TEST(two_devices_by_turns_on_one_thread)
{
    const char *trace;
    rig r = begin_traced(&trace);
    other o = other_begin(&r);
    launches first = on_first(&r, trace), second = on_other(&r, &o, trace);
    void *current = vendor_current();
    ck_assert_ptr_eq(current, device_native(r.device));
    for (int i = 0; i < LAUNCHES; ++i) {
        cost(launch_counted(&first, 1), 1, 0);
        ck_assert_ptr_eq(vendor_current(), current);
        cost(launch_counted(&second, 1), 1, 2);
        ck_assert_ptr_eq(vendor_current(), current);
    }
    words_are(r.queue, r.words, 5 * LAUNCHES);
    words_are(o.queue, o.words, 5 * LAUNCHES);
    other_end(&o);
    rig_end(&r);
}
END_TEST

/* Everything that works on a device. */
static void use_all(const rig *r)
{
    void *native = NULL;
    accel_event *event = NULL;
    ok(rig_use(r->device));
    ok(rig_use(r->other));
    ok(accel_event_create(r->device, NULL, &event));
    ok(accel_event_record(event, r->queue));
    ok(accel_event_native(event, &native));
    ok(accel_module_native(r->module, &native));
    ok(accel_kernel_native(r->add, &native));
    device_native(r->other);
    ok(accel_device_memory(r->device, NULL, NULL));
    ok(accel_device_wait(r->device));
    accel_event_release(event);
}

START_TEST(what_the_caller_made_current_is_left_as_found)
{
    vendor_open();
    rig r = rig_begin();
    void *of_device = device_native(r.device), *of_other = device_native(r.other);
    ck_assert_ptr_ne(of_device, of_other);
    void *const contexts[] = {of_other, of_device};
    for (int i = 0; i < 2; ++i) {
        vendor_use(contexts[i]);
        use_all(&r);
        ck_assert_ptr_eq(vendor_current(), contexts[i]);
        void *stream = vendor_stream(CUDA_STREAM_NON_BLOCKING);
        accel_queue *queue = NULL;
        ok(accel_queue_wrap(i == 0 ? r.other : r.device, stream, &queue));
        ck_assert_ptr_eq(vendor_current(), contexts[i]);
        accel_queue_release(queue);
        ck_assert_ptr_eq(vendor_current(), contexts[i]);
        vendor_stream_end(stream);
    }
    if (rig_is_cuda()) {
        cuda_context own = NULL;
        cuda_ok(cu_more.context_create(&own, 0, 1));
        use_all(&r);
        ck_assert_ptr_eq(vendor_current(), (void *)own);
        cuda_ok(cu_more.context_destroy(own));
    }
    vendor_use(of_other);
    rig_end(&r);
}
END_TEST

START_TEST(a_context_that_ends_with_the_instance_is_no_longer_current)
{
    cuda_context primary = NULL;
    vendor_open();
    void *before = vendor_current();
    for (int i = 0; i < 3; ++i) {
        rig r = rig_begin();
        use_all(&r);
        rig_end(&r);
        ck_assert_ptr_eq(vendor_current(), before);
    }
    if (rig_is_cuda()) { /* the program, or the vendor's runtime, has a reference of its own */
        cuda_ok(cu.primary_retain(&primary, 0));
        vendor_use(primary);
        rig r = rig_begin();
        use_all(&r);
        rig_end(&r);
        ck_assert_ptr_eq(vendor_current(), (void *)primary);
        cuda_ok(cu.primary_release(0));
    }
}
END_TEST

static void *begin_use_end(void *user)
{
    rig r = rig_begin();
    use_all(&r);
    rig_end(&r);
    return user;
}

/* A thread that had it current finds the next instance's, on either device. */
START_TEST(a_context_that_ended_on_another_thread_is_in_nobodys_way)
{
    const char *trace = rig_scratch("trace");
    accel_instance *instance = NULL;
    setenv("GPUSIM_TRACE", trace, 1);
    vendor_open();
    for (uint32_t i = 0; i < 2; ++i) { /* the first context stays current here and ends elsewhere */
        ok(accel_instance_create(NULL, &instance));
        ok(rig_use(accel_instance_device(instance, i)));
        ck_assert_ptr_eq(vendor_current(), device_native(accel_instance_device(instance, 0)));
        run_in_thread((void *(*)(void *))(void (*)(void))accel_instance_release, instance);
        run_in_thread(begin_use_end, NULL);
    }
    rig r = rig_begin();
    other o = other_begin(&r);
    launches first = on_first(&r, trace), second = on_other(&r, &o, trace);
    uint32_t zero = 0;
    ok(accel_fill(r.queue, r.words, &zero, sizeof(zero), NULL));
    launch_counted(&first, LAUNCHES);
    launch_counted(&second, LAUNCHES);
    words_are(r.queue, r.words, 5 * LAUNCHES);
    words_are(o.queue, o.words, 5 * LAUNCHES);
    other_end(&o);
    rig_end(&r);
}
END_TEST

static void *destroy(void *context)
{
    cuda_ok(cu_more.context_destroy(context));
    return NULL;
}

/* No call names it again. */
START_TEST(a_callers_context_that_was_destroyed_is_left_as_found)
{
    const char *trace;
    cuda_context own = NULL;
    rig r = begin_traced(&trace);
    launches l = on_first(&r, trace);
    if (rig_is_cuda()) {
        cuda_ok(cu_more.context_create(&own, 0, 0));
        run_in_thread(destroy, own);
        ck_assert_ptr_eq(vendor_current(), (void *)own);
    }
    cost(launch_counted(&l, LAUNCHES), LAUNCHES, rig_is_cuda() ? 2 * LAUNCHES : 0);
    words_are(r.queue, r.words, 5 * LAUNCHES);
    if (rig_is_cuda())
        ck_assert_ptr_eq(vendor_current(), (void *)own);
    rig_end(&r);
}
END_TEST

/* They serve all devices, and outlive them. */
START_TEST(the_engines_threads_keep_no_context)
{
    const char *trace;
    rig_gate door;
    rig r = begin_traced(&trace);
    other o = other_begin(&r);
    launches l = on_other(&r, &o, trace);
    rig_gate_in(&door, o.queue); /* what follows is deferred */
    ck_assert_uint_eq(launch_counted(&l, LAUNCHES).of[LAUNCHED], 0);
    door.open = true;
    ok(accel_queue_wait(o.queue));
    counts found = count(trace);
    ck_assert_uint_eq(found.of[LAUNCHED], LAUNCHES);
    ck_assert_uint_ge(found.of[SWITCHED], 2 * LAUNCHES);
    words_are(o.queue, o.words, 5 * LAUNCHES);
    other_end(&o);
    rig_end(&r);
}
END_TEST

static rig forked;

static int use_in_child(int argument)
{
    (void)argument;
    accel_status status = rig_launch(&forked, forked.queue, forked.add, NULL);
    rig_end(&forked);
    return status == ACCEL_FORKED ? 0 : 1;
}

START_TEST(o7_a_fork_of_a_thread_with_a_context_leaves_the_parents)
{
    const char *trace;
    forked = begin_traced(&trace);
    launches l = on_first(&forked, trace);
    launch_counted(&l, 1);
    ck_assert_int_eq(rig_status_of(use_in_child, 0), 0);
    cost(launch_counted(&l, LAUNCHES), LAUNCHES, 0);
    words_are(forked.queue, forked.words, 5 * (LAUNCHES + 1));
    rig_end(&forked);
}
END_TEST

TCase *contexts_tests(void)
{
    TCase *tests = tcase_create("contexts");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_thread_without_a_context_makes_two_calls_for_a_launch_after_its_first);
    tcase_add_test(tests, the_first_device_that_a_thread_uses_stays_current);
    tcase_add_test(tests, two_devices_by_turns_on_one_thread);
    tcase_add_test(tests, what_the_caller_made_current_is_left_as_found);
    tcase_add_test(tests, a_context_that_ends_with_the_instance_is_no_longer_current);
    tcase_add_test(tests, a_context_that_ended_on_another_thread_is_in_nobodys_way);
    tcase_add_test(tests, a_callers_context_that_was_destroyed_is_left_as_found);
    tcase_add_test(tests, the_engines_threads_keep_no_context);
    tcase_add_test(tests, o7_a_fork_of_a_thread_with_a_context_leaves_the_parents);
    return tests;
}
