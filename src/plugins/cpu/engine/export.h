/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine's library exports: the little that the executors' plugins take from it. */
#ifndef ACCEL_CPU_EXPORT_H
#define ACCEL_CPU_EXPORT_H

#define CPU_EXPORT __attribute__((visibility("default")))

/* A variable of each thread. Its library's are at a multiple of 64: the LeakSanitizer of gcc 12 takes them for another C library's
 * where they begin 16 bytes behind a page's begin, as the heap may choose, and crashes. */
#define CPU_OF_THREAD __thread __attribute__((aligned(64)))

#endif
