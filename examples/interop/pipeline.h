/* SPDX-License-Identifier: Apache-2.0 */
/* The steps: kernels of libaccel, and what others do with the same memory between them. */
#ifndef PIPELINE_H
#define PIPELINE_H

#include <accel/accel.h>

/* What takes part, in words for people. Static storage. */
typedef struct pipeline_report {
    const char *product, *rows, *scale;
    double seconds;
} pipeline_report;

typedef struct pipeline_libraries {
    const char *openblas; /* NULL: the usual one, if it is there; "none": none */
    const char *cublas;   /* likewise */
} pipeline_libraries;

/* All steps on the device. `result` gets n dense rows. false: it failed, and there was a message. */
bool pipeline_run(accel_device *, size_t n, const pipeline_libraries *, double *result, pipeline_report *);

#endif
