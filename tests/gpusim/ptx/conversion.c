/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions, and moves, which convert nothing. */
#include "operation.h"
#include "real.h"

static uint64_t clamp(ptx_type from, ptx_type to, uint64_t value)
{
    const bool negative = from.kind == PTX_SIGNED && (int64_t)value < 0;
    const unsigned bits = 8u * to.bytes - (to.kind == PTX_SIGNED);
    const uint64_t most = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    if (!negative)
        return value < most ? value : most;
    if (to.kind != PTX_SIGNED)
        return 0;
    const int64_t least = -(int64_t)most - 1;
    return (uint64_t)((int64_t)value > least ? (int64_t)value : least);
}

void ptx_cvt(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t value = ptx_extend(i->source, ptx_bits(thread, i, 1));
    ptx_put(thread, i, ptx_has(i, PTX_SAT) ? clamp(i->source, i->type, value) : value);
}

static double to_integral(const ptx_instruction *i, double value)
{
    switch ((ptx_rounding)i->rounding) {
    case PTX_DOWNWARD:
        return floor(value);
    case PTX_UPWARD:
        return ceil(value);
    case PTX_TOWARD_ZERO:
        return trunc(value);
    default:
        return nearbyint(value);
    }
}

/* Beyond the type's range its ends; 0 for NaN. */
static uint64_t to_integer(ptx_type type, double value)
{
    const double end = ldexp(1, 8 * type.bytes - (type.kind == PTX_SIGNED));
    if (isnan(value))
        return 0;
    if (type.kind != PTX_SIGNED)
        return value >= end ? UINT64_MAX : value > 0 ? (uint64_t)value : 0;
    const uint64_t most = UINT64_MAX >> (65 - 8 * type.bytes);
    return value >= end ? most : value < -end ? ~most : (uint64_t)(int64_t)value;
}

static void put_rounded(ptx_thread *thread, const ptx_instruction *i, double value)
{
    volatile double exact = value;
    if (i->type.bytes == 8) {
        ptx_put_double(thread, i, exact);
        return;
    }
    ptx_rounding_begin(i);
    volatile float rounded = (float)exact;
    ptx_rounding_end(i);
    ptx_put_float(thread, i, rounded);
}

/* Rounded once, which a way by double would not be. */
static void put_integer(ptx_thread *thread, const ptx_instruction *i, uint64_t bits)
{
    volatile uint64_t value = bits;
    volatile float as_float;
    volatile double as_double;
    ptx_rounding_begin(i);
    if (i->source.kind == PTX_SIGNED) {
        as_float = (float)(int64_t)value;
        as_double = (double)(int64_t)value;
    } else {
        as_float = (float)value;
        as_double = (double)value;
    }
    ptx_rounding_end(i);
    if (i->type.bytes == 4)
        ptx_put_float(thread, i, as_float);
    else
        ptx_put_double(thread, i, as_double);
}

void ptx_cvt_float(ptx_thread *thread, const ptx_instruction *i)
{
    if (i->source.kind != PTX_FLOAT) {
        put_integer(thread, i, ptx_extend(i->source, ptx_bits(thread, i, 1)));
        return;
    }
    const double value = ptx_real(thread, i, i->source, 1);
    const double integral = i->to_integer ? to_integral(i, value) : value;
    if (i->type.kind != PTX_FLOAT)
        ptx_put(thread, i, to_integer(i->type, integral));
    else
        put_rounded(thread, i, integral);
}

/* "mov.b64 {%r1, %r2}, %rd1" takes apart, "mov.b64 %rd1, {%r1, %r2}" puts together; the first part is the lowest. */
void ptx_mov(ptx_thread *thread, const ptx_instruction *i)
{
    if (i->vector == 0) {
        ptx_put(thread, i, ptx_bits(thread, i, 1));
        return;
    }
    const ptx_type part = {PTX_BITS, (uint8_t)(i->type.bytes / i->vector)};
    if (i->vector_at == 0) {
        const uint64_t whole = ptx_bits(thread, i, i->vector);
        for (unsigned k = 0; k < i->vector; ++k)
            ptx_put_as(thread, i, k, part, whole >> (8u * part.bytes * k));
    } else {
        uint64_t whole = 0;
        for (unsigned k = 0; k < i->vector; ++k)
            whole |= ptx_extend(part, ptx_bits(thread, i, 1 + k)) << (8u * part.bytes * k);
        ptx_put(thread, i, whole);
    }
}

/* Between the addresses of shared memory, which are offsets there, and generic ones. Those of other spaces are generic. */
void ptx_cvta(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t address = ptx_bits(thread, i, 1), shared = (uintptr_t)thread->block->shared;
    if (!ptx_has(i, PTX_SHARED))
        ptx_put(thread, i, address);
    else
        ptx_put(thread, i, ptx_has(i, PTX_TO) ? address - shared : (uint32_t)address + shared);
}
