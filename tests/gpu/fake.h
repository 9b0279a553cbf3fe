/* SPDX-License-Identifier: Apache-2.0 */
/* What a test tells a fake driver library, through its exported `fake_control`, before the plugin's code opens it. The
 * library has every function of the lists; all but those that a start calls return success and do nothing. */
#ifndef TESTS_GPU_FAKE_H
#define TESTS_GPU_FAKE_H

enum {
    FAKE_MISSING_RESULT, /* cuGetProcAddress fails for it */
    FAKE_MISSING_NULL,   /* it succeeds, but the pointer is NULL */
    FAKE_MISSING_STATUS  /* it succeeds, and says by the status that it found nothing to that version */
};

typedef struct fake_controls {
    int version; /* of the driver, as it counts */
    int runtime_version;
    int version_result, init_result, count_result;
    int devices;
    int init_milliseconds;   /* that init takes */
    const char *missing;     /* name of a function that is not there; NULL: none */
    int missing_how;         /* FAKE_MISSING_* */
    const char *name;        /* of each device's architecture, HIP */
    int attribute;           /* value of each attribute */
    int inits, contexts;     /* calls of init, contexts made: counted */
    const char *wrong_query; /* a function that was asked for with a wrong version or flag, or NULL */
} fake_controls;

#endif
