/* SPDX-License-Identifier: Apache-2.0 */
#include "cpu_commands.h"
#include "plugins/cpu/engine/module.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

cpu_engine engine;

static void add_blocks(const accel_launch_context *launch, const void *args, size_t first, size_t count)
{
    const add_args *own = args;

    (void)launch;
    (void)first;
    if (own->expected != UINT64_MAX)
        ck_assert_uint_eq(*own->counter, own->expected);
    *own->counter += own->step * count;
}

accel_descriptor add_kernel; /* outlives every launch, as an object does */

void open_engine(void)
{
    add_kernel = cpu_block_kernel(add_blocks, sizeof(add_args), _Alignof(add_args));
    engine = cpu_engine_open(&cpu_executor_serial);
}

accel_status launch_add(accel_impl_queue *queue, uint64_t *counter, uint64_t expected)
{
    accel_impl_kernel kernel = cpu_engine_kernel(&engine, &add_kernel);
    add_args args = {counter, expected, 1};
    accel_work work = accel_work_1d(1, 1, 1);

    accel_status status = LAUNCH(queue, &kernel, &work, &args);
    memset(&args, 0xff, sizeof(args)); /* Q6: copied */
    memset(&work, 0xff, sizeof(work));
    return status;
}

void sleep_ms(int ms)
{
    usleep((useconds_t)ms * 1000);
}

accel_impl_event *make_event(uint32_t flags)
{
    accel_impl_event *event = NULL;

    ck_assert_uint_eq(engine.plugin.device_vtable->event_create(engine.device, flags, &event), ACCEL_OK);
    return event;
}

void pass_gate(void *user, accel_status status)
{
    gate *own = user;

    (void)status;
    own->entered = true;
    while (!own->open)
        sched_yield();
}

void note_status(void *user, accel_status status)
{
    *(accel_status *)user = status;
}
