/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Through the caches or past them? Near the sizes of the caches this depends on the machine: how the third level takes what is
 * written, who shares it, how fast memory is. Both routes write the same bytes, so a device tries them and remembers, for each
 * size, what took less time.
 */
#ifndef ACCEL_CPU_ROUTES_H
#define ACCEL_CPU_ROUTES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CPU_ROUTES_SIZES = 16 /* two for each power of two */, CPU_ROUTES_KINDS = 6 };

/* Of one device; zeroed memory knows nothing yet. Any thread uses it at any time. Its numbers are independent of each other,
 * hence relaxed; a number that two threads store at once is that of one of them. */
typedef struct cpu_routes {
    struct {
        _Atomic uint32_t uses;
        _Atomic uint32_t cost[2]; /* through the caches, and past them: 1/1024 ns per KiB; 0: not known */
    } size[CPU_ROUTES_KINDS][CPU_ROUTES_SIZES];
} cpu_routes;

typedef struct cpu_route {
    bool past_caches;
    bool counts; /* cpu_routes_took is to be told the time */
    uint8_t kind, size;
} cpu_route;

/* The route of a transfer of `bytes` bytes. `kind`: the caller's, below CPU_ROUTES_KINDS. `kept`: from where on going past
 * the caches is expected to pay. `least`: what stays in the caches in any case. */
cpu_route cpu_routes_choose(cpu_routes *, unsigned kind, size_t bytes, size_t kept, size_t least);
void cpu_routes_took(cpu_routes *, cpu_route, size_t bytes, uint64_t ns);

#endif
