/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where kernels say which of their assertions failed (semantics K17), and what leads to the lines that they print (K19): an
 * accel_report in device memory for each queue that launches such kernels. It is read when the queue, or an event of it, is
 * waited for. Other queues have none.
 */
#ifndef ACCEL_GPU_REPORT_H
#define ACCEL_GPU_REPORT_H

#include "plugins/gpu/engine/device.h"
#include "plugins/gpu/report/lines.h"

/* Kept until the device ends, for one queue after the other. */
struct gpu_report {
    gpu_report *next;           /* of the device */
    accel_report *memory;       /* the device's */
    _Atomic bool taken;         /* a queue has it */
    _Atomic uint32_t owner;     /* counts the queues that had it */
    _Atomic bool written;       /* a kernel that asserts or prints was launched since it was read */
    _Atomic(gpu_lines *) lines; /* NULL until a kernel that prints wants it; set under the device's lock */
};

/* With the context current: one that nobody has, all 0; with lines if there is one and it `prints`. */
accel_status gpu_report_take(accel_impl_device *, bool prints, gpu_report **);
/* NULL is allowed. */
void gpu_report_put(gpu_report *);
/* With the context current: makes one for a queue that will want it, if none is free. */
accel_status gpu_report_expect(accel_impl_device *, bool prints);
/* With the context current: a kernel that prints is launched next. */
accel_status gpu_report_want_lines(accel_impl_device *, gpu_report *);
/* Writes what kernels have printed so far. */
accel_status gpu_report_print(accel_impl_device *, const gpu_report *);

/* What the kernels so far have written; no launch is pending. */
accel_status gpu_report_read(accel_impl_device *, const gpu_report *, accel_report *);
/* The failure, with its text; makes the report 0. */
accel_status gpu_report_clear(accel_impl_device *, const gpu_report *, const accel_report *);

/* The device ends, with its context current, or with one that cannot be entered. */
void gpu_reports_end(accel_impl_device *);
void gpu_reports_forget(accel_impl_device *);

#endif
