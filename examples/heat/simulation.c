/* SPDX-License-Identifier: Apache-2.0 */
#include "simulation.h"

#include <stdio.h>
#include <stdlib.h>

#include "heat.h"

/* A snapshot on its way to the host. There are two: one is copied and looked at while the steps to the other one run. */
typedef struct snapshot {
    accel_buffer *device, *host; /* as the steps left it; in host memory from which the device copies fast */
    accel_event *taken, *arrived;
    const double *values; /* of host */
    uint32_t step;
} snapshot;

struct simulation {
    accel_queue *compute, *copy;
    accel_module *module;
    accel_kernel *kernel; /* borrowed from the module */
    accel_buffer *fields[2];
    snapshot snapshots[2];
    size_t side;
    uint32_t step; /* field step % 2 has the temperatures */
    heat_args args;
};

static void check(accel_status status)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "heat: %s: %s\n", accel_status_name(status), accel_error_message());
    exit(2);
}

static void snapshot_new(simulation *s, accel_device *device, snapshot *shot)
{
    accel_buffer_desc desc = accel_buffer_2d(sizeof(double), s->side, s->side);
    accel_buffer_properties about = ACCEL_BUFFER_PROPERTIES_INIT;
    check(accel_buffer_create(device, &desc, &shot->device));
    desc.flags = ACCEL_BUFFER_PINNED;
    desc.pitch[0] = s->side * sizeof(double); /* no gaps between the rows */
    check(accel_buffer_create(device, &desc, &shot->host));
    check(accel_buffer_info(shot->host, &about));
    shot->values = about.host_ptr;
    check(accel_event_create(device, NULL, &shot->taken));
    check(accel_event_create(device, NULL, &shot->arrived));
}

simulation *simulation_new(accel_device *device, size_t side, double rate, const double *start)
{
    simulation *const s = calloc(1, sizeof *s);
    const accel_buffer_desc desc = accel_buffer_2d(sizeof(double), side, side);
    accel_buffer_properties about = ACCEL_BUFFER_PROPERTIES_INIT;
    if (s == NULL) {
        fprintf(stderr, "heat: no memory\n");
        exit(2);
    }
    s->side = side;
    check(accel_queue_create(device, NULL, &s->compute));
    check(accel_queue_create(device, NULL, &s->copy));
    check(accel_object_name(ACCEL_OBJECT_QUEUE, s->compute, "compute")); /* for ACCEL_TRACE */
    check(accel_object_name(ACCEL_OBJECT_QUEUE, s->copy, "copy"));
    check(accel_module_load(device, "heat", &s->module));
    check(accel_module_kernel(s->module, "step", &s->kernel));
    for (int k = 0; k < 2; ++k) {
        check(accel_buffer_create(device, &desc, &s->fields[k]));
        check(accel_write(s->compute, s->fields[k], start)); /* the edge, in both */
        snapshot_new(s, device, &s->snapshots[k]);
    }
    check(accel_buffer_info(s->fields[0], &about)); /* fields of one shape have one pitch */
    s->args.side = side;
    s->args.pitch = about.pitch[0] / sizeof(double);
    s->args.rate = rate;
    check(accel_queue_wait(s->compute));
    return s;
}

/* Steps, then the snapshot. Waits for nothing. */
static void submit(simulation *s, uint32_t until, snapshot *shot)
{
    const size_t inside[2] = {s->side - 2, s->side - 2};
    for (; s->step < until; ++s->step) {
        s->args.now = accel_buffer_ptr(s->fields[s->step % 2]);
        s->args.next = accel_buffer_ptr(s->fields[(s->step + 1) % 2]);
        check(accel_launch_over(s->compute, s->kernel, 2, inside, &s->args, sizeof s->args));
    }
    /* The next steps overwrite the fields, so the snapshot is a copy inside the device. */
    check(accel_copy(s->compute, shot->device, s->fields[s->step % 2], NULL));
    check(accel_event_record(shot->taken, s->compute));
    check(accel_queue_wait_event(s->copy, shot->taken));
    check(accel_copy(s->copy, shot->host, shot->device, NULL));
    check(accel_event_record(shot->arrived, s->copy));
    shot->step = s->step;
}

void simulation_run(simulation *s, uint32_t steps, uint32_t every, simulation_take *take, void *user)
{
    snapshot *shot = &s->snapshots[0], *last = NULL;
    while (s->step < steps || last != NULL) {
        const bool more = s->step < steps;
        if (more)
            submit(s, steps - s->step < every ? steps : s->step + every, shot);
        if (last != NULL) { /* the device is busy with the steps after it */
            check(accel_event_wait(last->arrived));
            take(user, last->step, last->values);
        }
        last = more ? shot : NULL;
        shot = shot == &s->snapshots[0] ? &s->snapshots[1] : &s->snapshots[0];
    }
}

void simulation_release(simulation *s)
{
    for (int k = 0; k < 2; ++k) {
        accel_buffer_release(s->fields[k]);
        accel_buffer_release(s->snapshots[k].device);
        accel_buffer_release(s->snapshots[k].host);
        accel_event_release(s->snapshots[k].taken);
        accel_event_release(s->snapshots[k].arrived);
    }
    accel_module_release(s->module);
    accel_queue_release(s->copy);
    accel_queue_release(s->compute);
    free(s);
}
