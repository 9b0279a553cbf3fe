/* SPDX-License-Identifier: Apache-2.0 */
/* Floats of registers. The files that include this are compiled with -frounding-math -ffp-contract=off. */
#ifndef PTX_REAL_H
#define PTX_REAL_H

#include "thread.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

static inline float ptx_bits_float(uint64_t bits)
{
    const uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof(value));
    return value;
}

static inline double ptx_bits_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint64_t ptx_float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static inline uint64_t ptx_double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* .ftz: zeros in the place of subnormal floats. */
static inline float ptx_flush(const ptx_instruction *i, float value)
{
    return ptx_has(i, PTX_FTZ) && fabsf(value) < 0x1p-126f ? copysignf(0, value) : value;
}

/* An operand of the given type, flushed; floats become the same double. */
static inline double ptx_real(const ptx_thread *thread, const ptx_instruction *i, ptx_type type, unsigned operand)
{
    const uint64_t bits = ptx_bits(thread, i, operand);
    return type.bytes == 8 ? ptx_bits_double(bits) : (double)ptx_flush(i, ptx_bits_float(bits));
}

/* .sat: between 0 and 1, and 0 for NaN. */
static inline double ptx_saturate(const ptx_instruction *i, double value)
{
    if (!ptx_has(i, PTX_SAT))
        return value;
    return value > 1 ? 1 : value > 0 ? value : 0;
}

/* A result of 32 bits, of which there is only one NaN. */
static inline void ptx_put_float(ptx_thread *thread, const ptx_instruction *i, float value)
{
    value = ptx_flush(i, (float)ptx_saturate(i, value));
    ptx_put(thread, i, isnan(value) ? 0x7fffffffu : ptx_float_bits(value));
}

static inline void ptx_put_double(ptx_thread *thread, const ptx_instruction *i, double value)
{
    ptx_put(thread, i, ptx_double_bits(ptx_saturate(i, value)));
}

/* Between the two calculations round as the instruction says. */
static inline void ptx_rounding_begin(const ptx_instruction *i)
{
    static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    if (i->rounding != PTX_NEAREST)
        fesetround(modes[i->rounding]);
}

static inline void ptx_rounding_end(const ptx_instruction *i)
{
    if (i->rounding != PTX_NEAREST)
        fesetround(FE_TONEAREST);
}

#endif
