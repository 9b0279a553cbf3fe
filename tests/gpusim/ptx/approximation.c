/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations for which the manual gives no result but an error bound. Here they are rounded correctly; with
 * GPUSIM_PTX_INEXACT they err at random within the bound, which code that relies on no more than the manual survives.
 */
#include "operation.h"
#include "real.h"

/* A random number between -1 and 1; 0 if results are to be exact. */
static double error_of(ptx_thread *thread)
{
    ptx_random *random = thread->block->random;
    return random->inexact ? (double)(int32_t)ptx_random_next(random) * 0x1p-31 : 0;
}

static void put_relative(ptx_thread *thread, const ptx_instruction *i, double exact, double bound)
{
    if (i->type.bytes == 4)
        ptx_put_float(thread, i, (float)(exact * (1 + bound * error_of(thread))));
    else if (ptx_has(i, PTX_FTZ)) /* of doubles only the upper half is calculated */
        ptx_put(thread, i, ptx_double_bits(exact) & UINT64_C(0xffffffff00000000));
    else /* rsqrt.approx.f64 is a function that ptxas writes: all of it, also of subnormal numbers */
        ptx_put_double(thread, i, exact);
}

static void put_absolute(ptx_thread *thread, const ptx_instruction *i, double exact, double bound)
{
    ptx_put_float(thread, i, (float)(exact + bound * error_of(thread)));
}

static double operand(const ptx_thread *thread, const ptx_instruction *i)
{
    const double value = ptx_real(thread, i, i->type, 1);
    return i->type.bytes == 8 && ptx_has(i, PTX_FTZ) && fabs(value) < 0x1p-1022 ? copysign(0, value) : value;
}

/* Two units in the last place; the other approximations that are bounded so have one. */
void ptx_divide_roughly(ptx_thread *thread, const ptx_instruction *i)
{
    put_relative(thread, i, ptx_real(thread, i, i->type, 1) / ptx_real(thread, i, i->type, 2), 0x1p-22);
}

void ptx_sqrt_roughly(ptx_thread *thread, const ptx_instruction *i)
{
    put_relative(thread, i, sqrt(operand(thread, i)), 0x1p-23);
}

void ptx_rcp(ptx_thread *thread, const ptx_instruction *i)
{
    if (ptx_has(i, PTX_APPROX)) {
        put_relative(thread, i, 1 / operand(thread, i), 0x1p-24);
        return;
    }
    volatile double exact = ptx_real(thread, i, i->type, 1);
    ptx_rounding_begin(i);
    volatile float rounded_float = 1 / (float)exact;
    volatile double rounded = 1 / exact;
    ptx_rounding_end(i);
    if (i->type.bytes == 4)
        ptx_put_float(thread, i, rounded_float);
    else
        ptx_put_double(thread, i, rounded);
}

void ptx_rsqrt(ptx_thread *thread, const ptx_instruction *i)
{
    put_relative(thread, i, 1 / sqrt(operand(thread, i)), 0x1.1p-23);
}

void ptx_sin(ptx_thread *thread, const ptx_instruction *i)
{
    put_absolute(thread, i, sin(operand(thread, i)), 0x1.6p-21);
}

void ptx_cos(ptx_thread *thread, const ptx_instruction *i)
{
    put_absolute(thread, i, cos(operand(thread, i)), 0x1.6p-21);
}

void ptx_ex2(ptx_thread *thread, const ptx_instruction *i)
{
    put_relative(thread, i, exp2(operand(thread, i)), 0x1p-22);
}

void ptx_lg2(ptx_thread *thread, const ptx_instruction *i)
{
    const double a = operand(thread, i), exact = log2(a);
    if (a > 0.5 && a < 2)
        put_absolute(thread, i, exact, 0x1p-22);
    else
        put_relative(thread, i, exact, 0x1p-22);
}

void ptx_tanh(ptx_thread *thread, const ptx_instruction *i)
{
    put_relative(thread, i, tanh(operand(thread, i)), 0x1p-11);
}
