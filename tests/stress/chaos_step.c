/* SPDX-License-Identifier: Apache-2.0 */
/* What a thread of chaos may do. */
#include "chaos.h"

#include "kernels/arguments.h"

#include <faulty.h>
#include <unistd.h>

void expect(arena_queue *q, accel_status status)
{
    if (status == ACCEL_OK)
        return;
    MUST(q->weak, "%s", accel_error_message());
    /* ACCEL_DEVICE_LOST: also of a queue that is to wait for an event of a lost device. */
    MUST(status == ACCEL_KERNEL_FAULT || status == ACCEL_UNAVAILABLE || status == ACCEL_DEVICE_LOST, "%s",
         accel_error_message());
    atomic_fetch_add_explicit(&q->failures, 1, memory_order_relaxed);
}

static void check(accel_status status)
{
    MUST(status == ACCEL_OK, "%s", accel_error_message());
}

static arena_queue *any_queue(walker *self)
{
    return &all.queues[draw(&self->random, all.queue_count)];
}

/* One of the same strength: failures do not come from weak queues to others. */
static arena_queue *like(walker *self, const arena_queue *q)
{
    for (;;) {
        arena_queue *other = any_queue(self);
        if (other->weak == q->weak)
            return other;
    }
}

static accel_event *event_of(walker *of, const arena_queue *q)
{
    return of->events[q->on - all.devices][q->weak];
}

/* ------------------------------------------------------------------------------------- host functions -- */

static void run(void *user, accel_status status)
{
    host_call *call = user;
    arena_queue *q = call->queue;
    uint32_t *last = &q->last[call->caller->index];

    MUST(atomic_fetch_add(&q->inside, 1) == 0, "a host function runs beside another one of its queue");
    MUST(atomic_fetch_add(&call->runs, 1) == 0, "a host function runs again");
    MUST(*last < call->number, "call %u of a thread runs behind its call %u", call->number, *last);
    *last = call->number;
    MUST(q->weak || status == ACCEL_OK, "a queue that nothing failed on has failed: %s", accel_status_name(status));
    if (call->after != NULL)
        MUST(atomic_load(&call->after->runs) == 1, "what an event stands behind has not run");
    for (int i = 1; call->look && status == ACCEL_OK && i < WORDS; ++i)
        MUST(q->host[i] == q->host[0], "word %d is %u, word 0 is %u: an operation is half done", i, q->host[i],
             q->host[0]);
    if (call->number % 32 == 0)
        usleep(call->number % 128);
    atomic_fetch_sub(&q->inside, 1);
}

/* NULL if it was refused, or if there is no room for more. */
static host_call *submit(walker *self, arena_queue *q, const host_call *after, bool look)
{
    if (self->call_count == MOST_CALLS)
        return NULL;

    host_call *call = &self->calls[self->call_count++];

    *call = (host_call){.caller = self, .queue = q, .after = after, .look = look};
    call->number = ++self->numbers[q - all.queues];
    accel_status status = accel_queue_call(q->queue, run, call);
    expect(q, status);
    call->accepted = status == ACCEL_OK;
    if (call->accepted)
        atomic_fetch_add_explicit(&all.calls, 1, memory_order_relaxed);
    return call->accepted ? call : NULL;
}

/* A call on one queue, an event behind it, a call on another queue behind that. */
static void chain(walker *self)
{
    arena_queue *first = any_queue(self), *second = like(self, first);
    accel_event *event = event_of(self, first);
    host_call *before = submit(self, first, NULL, false);
    accel_status recorded = accel_event_record(event, first->queue);

    expect(first, recorded);
    if (recorded != ACCEL_OK || before == NULL)
        return;
    accel_status waited = accel_queue_wait_event(second->queue, event);
    expect(second, waited);
    if (draw(&self->random, 4) == 0)
        expect(first, accel_event_wait(event));
    /* A wait that failed does not order: a blocking queue that has failed skips it. */
    (void)submit(self, second, waited == ACCEL_OK && !second->weak ? before : NULL, false);
}

/* ---------------------------------------------------------------------------------------- operations -- */

static accel_status add_one(arena_queue *q, accel_buffer *to)
{
    words_args args = {.words = (uint32_t *)accel_buffer_ptr(to), .n = WORDS, .value = 1};
    accel_work work = accel_work_1d(4, 32, WORDS / 128);

    return accel_launch(q->queue, q->on->add, &work, &args, sizeof(args));
}

static void launch(walker *self, arena_queue *q)
{
    uint32_t times = 1 + draw(&self->random, 4);

    for (uint32_t i = 0; i < times; ++i) {
        accel_status status = add_one(q, q->sum);
        expect(q, status);
        if (status == ACCEL_OK)
            atomic_fetch_add_explicit(&q->adds, 1, memory_order_relaxed);
    }
}

static void transfer(walker *self, arena_queue *q)
{
    uint32_t value = draw(&self->random, UINT32_MAX);

    expect(q, accel_fill(q->queue, q->words, &value, sizeof(value), NULL));
    expect(q, add_one(q, q->words));
    expect(q, accel_copy(q->queue, q->copy, q->words, NULL));
    if (draw(&self->random, 2) == 0)
        expect(q, accel_copy(q->queue, q->words, q->copy, NULL));
}

static void look(walker *self, arena_queue *q)
{
    expect(q, accel_read(q->queue, q->host, draw(&self->random, 2) == 0 ? q->copy : q->words));
    (void)submit(self, q, NULL, true);
}

/* O4: released while its launch is pending. */
static void passing_buffer(walker *self, arena_queue *q)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(uint32_t), WORDS);
    accel_buffer *buffer = NULL;
    accel_status status = draw(&self->random, 2) == 0 ? accel_buffer_create(q->on->device, &desc, &buffer)
                                                      : accel_buffer_create_async(q->queue, &desc, &buffer);

    expect(q, status);
    if (status != ACCEL_OK)
        return;
    expect(q, add_one(q, buffer));
    accel_buffer_release(buffer);
}

/* O3: released, with its buffer, while it has work. */
static void passing_queue(walker *self, arena_queue *q)
{
    accel_queue_desc desc = ACCEL_QUEUE_DESC_INIT;
    accel_buffer_desc words = accel_buffer_1d(sizeof(uint32_t), WORDS);
    accel_queue *queue = NULL;
    accel_buffer *buffer = NULL;

    desc.flags = draw(&self->random, 2) == 0 ? ACCEL_QUEUE_BLOCKING : 0;
    accel_status status = accel_queue_create(q->on->device, &desc, &queue);
    if (status == ACCEL_OK)
        status = accel_buffer_create(q->on->device, &words, &buffer);
    expect(q, status);
    if (status == ACCEL_OK) {
        expect(q, accel_queue_wait_event(queue, event_of(self, q)));
        expect(q, accel_fill(queue, buffer, "abcd", 4, NULL));
        if (draw(&self->random, 2) == 0)
            expect(q, accel_queue_wait(queue));
    }
    accel_buffer_release(buffer);
    accel_queue_release(queue);
}

/* Behind an event of the program, which on a weak queue may carry a failure. */
static void host_event(walker *self, arena_queue *q)
{
    uint32_t status = q->weak && draw(&self->random, 2) == 0 ? ACCEL_KERNEL_FAULT : ACCEL_OK;

    if (atomic_load(&self->armed) != 0)
        return;
    check(accel_event_arm(self->host_event));
    atomic_store(&self->armed, 1 + status); /* from now on the signaller has it */
    expect(q, accel_queue_wait_event(q->queue, self->host_event));
}

static void fail_on_request(arena_queue *q)
{
    void *native = NULL;

    if (!q->on->faulty || !q->weak || accel_queue_native(q->queue, &native) != ACCEL_OK)
        return;
    faulty_queue_control *control = native;
    control->fail_next(control, ACCEL_KERNEL_FAULT);
}

static void ask(walker *self, arena_queue *q)
{
    bool yes;
    walker *other = &all.walkers[draw(&self->random, all.walker_count)];

    expect(q, accel_queue_is_idle(q->queue, &yes));
    expect(q, accel_event_is_complete(event_of(other, q), &yes));
}

static void wait_for_other(walker *self, arena_queue *q)
{
    walker *other = &all.walkers[draw(&self->random, all.walker_count)];
    arena_queue *of = like(self, q);

    expect(q, accel_queue_wait_event(q->queue, event_of(other, of)));
}

void step(walker *self)
{
    arena_queue *q = any_queue(self);
    uint32_t choice = draw(&self->random, 64);

    if (choice < 14)
        (void)submit(self, q, NULL, false);
    else if (choice < 24)
        launch(self, q);
    else if (choice < 30)
        transfer(self, q);
    else if (choice < 34)
        look(self, q);
    else if (choice < 42)
        chain(self);
    else if (choice < 46)
        expect(q, accel_queue_wait(q->queue));
    else if (choice < 49)
        wait_for_other(self, q);
    else if (choice < 53)
        host_event(self, q);
    else if (choice < 56)
        passing_buffer(self, q);
    else if (choice < 58)
        passing_queue(self, q);
    else if (choice < 60)
        fail_on_request(q);
    else if (choice < 63)
        ask(self, q);
    else
        usleep(draw(&self->random, 300));
    atomic_fetch_add_explicit(&all.operations, 1, memory_order_relaxed);
}

void strike(arena_device *device, uint32_t *random)
{
    arena_queue *q = &all.queues[(device - all.devices) * DEVICE_QUEUES + draw(random, DEVICE_QUEUES)];

    if (device->gpu) {
        words_args args = {.words = (uint32_t *)(uintptr_t)64, .n = WORDS, .value = 1};
        accel_work work = accel_work_1d(1, 32, WORDS / 32);
        expect(q, accel_launch(q->queue, device->set, &work, &args, sizeof(args)));
    } else if (device->faulty) {
        void *native = NULL;
        check(accel_device_native(device->device, &native));
        faulty_device_control *control = native;
        control->lose(control);
    }
}
