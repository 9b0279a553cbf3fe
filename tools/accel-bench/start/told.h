/* SPDX-License-Identifier: Apache-2.0 */
/* What a program whose start is measured writes to its standard output. */
#ifndef BENCH_TOLD_H
#define BENCH_TOLD_H

#include <stdio.h>

typedef struct start_told {
    double create_ns; /* of accel_instance_create */
    double peak_kib;  /* the most memory that it had so far */
} start_told;

/* Not getrusage's: that is at least the memory of the program which started this one. 0: the system does not tell. */
static inline double start_peak_kib(void)
{
    FILE *status = fopen("/proc/self/status", "re");
    char line[128];
    double peak = 0;
    while (status != NULL && fgets(line, sizeof line, status) != NULL)
        if (sscanf(line, "VmHWM: %lf kB", &peak) == 1)
            break;
    if (status != NULL)
        fclose(status);
    return peak;
}

#endif
