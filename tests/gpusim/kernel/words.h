/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What cuda_words.h and hip_words.h share: the way to the grid runner, and atomics. C++17, for g++, before anything
 * of accel/kernel.h.
 */
#ifndef GPUSIM_WORDS_H
#define GPUSIM_WORDS_H

#include "lane.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define GPUSIM_INLINE static inline __attribute__((always_inline, unused))

extern "C" {
extern const gpusim_calls *gpusim_device; /* object.cpp */
}

GPUSIM_INLINE const gpusim_lane *gpusim_here()
{
    return gpusim_device->lane();
}

/* -------------------------------------------------------------------------------------------------- clock -- */

GPUSIM_INLINE long long gpusim_clock()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* ------------------------------------------------------------------------------------------- mathematics -- */

/* What GPUs have besides the functions of C; so has glibc 2.42, with other last bits. */
GPUSIM_INLINE float gpusim_rsqrt(float x)
{
    return 1 / sqrtf(x);
}
GPUSIM_INLINE double gpusim_rsqrt(double x)
{
    return 1 / sqrt(x);
}
#define rsqrtf(x) gpusim_rsqrt(float(x))
#define rsqrt(x) gpusim_rsqrt(x)

/* ----------------------------------------------------------------------------------------------- atomics -- */

GPUSIM_INLINE void gpusim_after(bool took)
{
    gpusim_device->atomic(took);
}
template <class T> GPUSIM_INLINE bool gpusim_replace(T *p, T *seen, T desired)
{
    return __atomic_compare_exchange(p, seen, &desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
template <class T, class Next> GPUSIM_INLINE T gpusim_update(T *p, Next next)
{
    T seen;
    __atomic_load(p, &seen, __ATOMIC_RELAXED);
    while (!gpusim_replace(p, &seen, next(seen)))
        ;
    gpusim_after(false);
    return seen;
}
template <class T> GPUSIM_INLINE T gpusim_cas(T *p, T expected, T desired)
{
    const bool took = gpusim_replace(p, &expected, desired);
    gpusim_after(took);
    return expected;
}
template <class T> GPUSIM_INLINE T gpusim_exch(T *p, T v)
{
    const T old = __atomic_exchange_n(p, v, __ATOMIC_RELAXED);
    gpusim_after(true);
    return old;
}
#define GPUSIM_FETCH(name, expression)                                                                                 \
    template <class T> GPUSIM_INLINE T gpusim_##name(T *p, T v)                                                        \
    {                                                                                                                  \
        return gpusim_update(p, [v](T old) -> T { return expression; });                                               \
    }
GPUSIM_FETCH(add, old + v)
GPUSIM_FETCH(and, old &v)
GPUSIM_FETCH(or, old | v)
GPUSIM_FETCH(xor, old ^ v)
GPUSIM_FETCH(min, v < old ? v : old)
GPUSIM_FETCH(max, v > old ? v : old)

#endif
