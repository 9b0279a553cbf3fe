/* SPDX-License-Identifier: Apache-2.0 */
/* The environment variables of CPU backends, as data of their descriptors. */
#ifndef ACCEL_CPU_VARIABLES_H
#define ACCEL_CPU_VARIABLES_H

#include <accel/plugin.h>

/* Defaults, also where a host knows no configuration. */
#define CPU_STACK_SIZE ACCEL_THREAD_STACK_SIZE
#define CPU_SPIN_US 20

#define CPU_DIGITS(number) CPU_DIGITS_OF(number)
#define CPU_DIGITS_OF(number) #number

/* Initialisers of one accel_plugin_variable: a number from `least` to `most`, the name of a file, and other
 * text. */
#define CPU_NUMBER(variable, least, most, initial, text)                                                               \
    {                                                                                                                  \
        sizeof(accel_plugin_variable), ACCEL_VARIABLE_NUMBER, least, most, variable, initial, text                     \
    }
#define CPU_FILE(variable, text)                                                                                       \
    {                                                                                                                  \
        sizeof(accel_plugin_variable), ACCEL_VARIABLE_FILE, 0, 0, variable, "", text                                   \
    }

#define CPU_TEXT(variable, initial, text)                                                                              \
    {                                                                                                                  \
        sizeof(accel_plugin_variable), 0, 0, 0, variable, initial, text                                                \
    }

/* Of every CPU backend. */
#define CPU_VARIABLES                                                                                                  \
    CPU_NUMBER("ACCEL_CPU_STACK_SIZE", 4096, 8 << 20, CPU_DIGITS(CPU_STACK_SIZE),                                      \
               "bytes of stack of each thread of a thread kernel on CPUs"),                                            \
        CPU_NUMBER(                                                                                                    \
            "ACCEL_CPU_SPIN_US", 0, 1000000, CPU_DIGITS(CPU_SPIN_US),                                                  \
            "microseconds that a CPU worker spins for work before it sleeps; workers of cpu-threads spin longer "      \
            "if launches follow each other at regular intervals, unless it is 0"),                                     \
        CPU_NUMBER("ACCEL_CHECK", 0, 1, "0",                                                                           \
                   "1: CPU backends check the stacks of thread kernels for overflow after each block"),                \
        CPU_FILE(                                                                                                      \
            "ACCEL_HWLOC_LIBRARY",                                                                                     \
            "hwloc 2, from which CPU backends take the topology where it matters: not for up to eight threads on one NUMA node; unset: libhwloc.so.15")

#define CPU_FAULTS_VARIABLE                                                                                            \
    CPU_TEXT(                                                                                                          \
        "ACCEL_FAULTS", "crash",                                                                                       \
        "report: a kernel that crashes on a CPU (SIGSEGV, SIGBUS, SIGFPE, SIGILL) fails its launch; crash: it ends "   \
        "the program")

#define CPU_SERIAL_VARIABLES CPU_VARIABLES, CPU_FAULTS_VARIABLE

#define CPU_CHECK_VARIABLES                                                                                                     \
    CPU_VARIABLES,                                                                                                              \
        CPU_FILE("ACCEL_CHECK_REPORT",                                                                                          \
                 "file to which cpu-check appends what it finds; -: standard error; unset: none"),                              \
        CPU_FILE("ACCEL_CHECK_JSON",                                                                                            \
                 "file to which cpu-check appends what it finds as JSON, an object in each line; unset: none"),                 \
        CPU_FILE("ACCEL_CHECK_SUPPRESS",                                                                                        \
                 "file of errors that cpu-check does not report, [KIND] FILE[:LINE] in each line; unset: none"),                \
        CPU_NUMBER(                                                                                                             \
            "ACCEL_CHECK_LEAKS", 0, 1, "0",                                                                                     \
            "1: cpu-check reports buffers, queues, events, modules and instances that are not released when the process ends"), \
        CPU_NUMBER("ACCEL_CHECK_LATE", 0, 1, "0",                                                                               \
                   "1: on cpu-check queues begin late: when the host waits, or after 200 ms"),                                  \
        CPU_NUMBER("ACCEL_CHECK_HOST", 0, 1, "0",                                                                               \
                   "1: cpu-check reports a host that reads results or changes memory by addresses before pending "              \
                   "work is known to be done; queues begin late"),                                                              \
        CPU_NUMBER("ACCEL_CHECK_TRAPS", 0, 1, "0",                                                                              \
                   "1: cpu-check reports divisions by zero, overflows of signed integers, conversions out of range, "           \
                   "and new NaNs"),                                                                                             \
        CPU_NUMBER(                                                                                                             \
            "ACCEL_CHECK_SHARE", 1, 1000000, "1",                                                                               \
            "cpu-check looks for all errors in one of so many blocks; in all of them for accesses outside memory"),             \
        CPU_NUMBER("ACCEL_CHECK_WARP", 1, 64, "1", "threads of a warp on cpu-check: 1, 32 or 64"),                              \
        CPU_TEXT("ACCEL_CHECK_LIKE", "",                                                                                        \
                 "target of a GPU, such as sm_90: cpu-check reports launches with more shared memory, threads or "              \
                 "registers than it has; unset: none"),                                                                         \
        CPU_NUMBER("ACCEL_CHECK_LIMIT", 1, 1000000, "",                                                                         \
                   "seconds after which cpu-check reports and ends a block that still runs; unset: no limit"),                  \
        CPU_NUMBER("ACCEL_CHECK_STOP", 0, 1, "1",                                                                               \
                   "1: a launch in which cpu-check finds an error fails its queue; 0: the program goes on"),                    \
        CPU_TEXT("ACCEL_CHECK_ORDER", "forwards",                                                                               \
                 "order of blocks, and of threads between barriers, on cpu-check: forwards, backwards, or a number "            \
                 "that chooses a shuffle")

#define CPU_THREADS_VARIABLES                                                                                          \
    CPU_VARIABLES, CPU_FAULTS_VARIABLE,                                                                                \
        CPU_NUMBER("ACCEL_CPU_THREADS", 1, 1024, "",                                                                   \
                   "threads of one launch on cpu-threads; unset: as many as the process has CPUs or quota for"),       \
        CPU_NUMBER("ACCEL_CPU_PIN", 0, 2, "",                                                                          \
                   "workers of cpu-threads run on all CPUs of the device (0), one CPU each (1), one NUMA node each "   \
                   "(2); unset: 2, but 0 where several processes of a job share the CPUs")

#define CPU_OMP_VARIABLES                                                                                              \
    CPU_VARIABLES, CPU_FAULTS_VARIABLE,                                                                                \
        CPU_FILE("ACCEL_OMP_LIBRARY", "OpenMP runtime of cpu-omp, e.g. libomp.so.5; unset: the one that the process "  \
                                      "has, else libgomp, else libomp")

#endif
