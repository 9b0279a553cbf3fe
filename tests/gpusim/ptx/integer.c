/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on integers: operands are extended to 64 bits, and results cut to their type. */
#include "operation.h"
#include "thread.h"

__extension__ typedef unsigned __int128 wide;
__extension__ typedef __int128 signed_wide;

static bool is_signed(const ptx_instruction *i)
{
    return i->type.kind == PTX_SIGNED;
}

/* The low bits of two sums agree, so carries are those of the unsigned type. */
static uint64_t unsigned_bits(const ptx_thread *thread, const ptx_instruction *i, unsigned operand)
{
    return ptx_extend((ptx_type){PTX_UNSIGNED, i->type.bytes}, ptx_bits(thread, i, operand));
}

/* A sum, or a difference that is below zero, of unsigned operands. */
static void put_carrying(ptx_thread *thread, const ptx_instruction *i, wide sum)
{
    if (ptx_has(i, PTX_CC))
        thread->carry = (sum >> (8 * i->type.bytes) & 1) != 0;
    ptx_put(thread, i, (uint64_t)sum);
}

/* add.sat.s32 is the only sum that saturates. */
static uint64_t saturated(const ptx_instruction *i, uint64_t sum)
{
    if (!ptx_has(i, PTX_SAT))
        return sum;
    const int64_t value = (int64_t)sum;
    return (uint64_t)(value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value);
}

void ptx_add(ptx_thread *thread, const ptx_instruction *i)
{
    if (ptx_has(i, PTX_CC))
        put_carrying(thread, i, (wide)unsigned_bits(thread, i, 1) + unsigned_bits(thread, i, 2));
    else
        ptx_put(thread, i, saturated(i, ptx_integer(thread, i, 1) + ptx_integer(thread, i, 2)));
}

void ptx_addc(ptx_thread *thread, const ptx_instruction *i)
{
    put_carrying(thread, i, (wide)unsigned_bits(thread, i, 1) + unsigned_bits(thread, i, 2) + thread->carry);
}

void ptx_sub(ptx_thread *thread, const ptx_instruction *i)
{
    if (ptx_has(i, PTX_CC))
        put_carrying(thread, i, (wide)unsigned_bits(thread, i, 1) - unsigned_bits(thread, i, 2));
    else
        ptx_put(thread, i, saturated(i, ptx_integer(thread, i, 1) - ptx_integer(thread, i, 2)));
}

void ptx_subc(ptx_thread *thread, const ptx_instruction *i)
{
    put_carrying(thread, i, (wide)unsigned_bits(thread, i, 1) - unsigned_bits(thread, i, 2) - thread->carry);
}

/* All bits of the product; of signed operands its two's complement. */
static wide product(const ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t a = ptx_integer(thread, i, 1), b = ptx_integer(thread, i, 2);
    return is_signed(i) ? (wide)((signed_wide)(int64_t)a * (int64_t)b) : (wide)a * b;
}

/* The type of the result: .wide has twice the bytes. */
static ptx_type result_type(const ptx_instruction *i)
{
    return (ptx_type){i->type.kind, (uint8_t)(i->type.bytes << (ptx_has(i, PTX_WIDE) ? 1 : 0))};
}

static wide chosen_half(const ptx_instruction *i, wide whole)
{
    return ptx_has(i, PTX_HI) ? whole >> (8 * i->type.bytes) : whole;
}

void ptx_mul(ptx_thread *thread, const ptx_instruction *i)
{
    ptx_put_as(thread, i, 0, result_type(i), (uint64_t)chosen_half(i, product(thread, i)));
}

static void multiply_add(ptx_thread *thread, const ptx_instruction *i, bool carry)
{
    const ptx_type type = result_type(i);
    const uint64_t half =
        ptx_extend((ptx_type){PTX_UNSIGNED, type.bytes}, (uint64_t)chosen_half(i, product(thread, i)));
    const uint64_t c = ptx_extend((ptx_type){PTX_UNSIGNED, type.bytes}, ptx_bits(thread, i, 3));
    const wide sum = (wide)half + c + carry;
    if (ptx_has(i, PTX_CC))
        thread->carry = (sum >> (8 * type.bytes) & 1) != 0;
    ptx_put_as(thread, i, 0, type, (uint64_t)sum);
}

void ptx_mad(ptx_thread *thread, const ptx_instruction *i)
{
    multiply_add(thread, i, false);
}

void ptx_madc(ptx_thread *thread, const ptx_instruction *i)
{
    multiply_add(thread, i, thread->carry);
}

/* A division by zero gives all ones here; the manual leaves it open. */
void ptx_div(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t a = ptx_integer(thread, i, 1), b = ptx_integer(thread, i, 2);
    if (b == 0)
        ptx_put(thread, i, UINT64_MAX);
    else if (is_signed(i)) /* -a, where a / -1 would overflow */
        ptx_put(thread, i, (int64_t)b == -1 ? 0 - a : (uint64_t)((int64_t)a / (int64_t)b));
    else
        ptx_put(thread, i, a / b);
}

void ptx_rem(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t a = ptx_integer(thread, i, 1), b = ptx_integer(thread, i, 2);
    if (b == 0)
        ptx_put(thread, i, UINT64_MAX);
    else if (is_signed(i))
        ptx_put(thread, i, (int64_t)b == -1 ? 0 : (uint64_t)((int64_t)a % (int64_t)b));
    else
        ptx_put(thread, i, a % b);
}

static bool less(const ptx_instruction *i, uint64_t a, uint64_t b)
{
    return is_signed(i) ? (int64_t)a < (int64_t)b : a < b;
}

void ptx_min(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t a = ptx_integer(thread, i, 1), b = ptx_integer(thread, i, 2);
    ptx_put(thread, i, less(i, a, b) ? a : b);
}

void ptx_max(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t a = ptx_integer(thread, i, 1), b = ptx_integer(thread, i, 2);
    ptx_put(thread, i, less(i, a, b) ? b : a);
}

void ptx_abs(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t a = ptx_integer(thread, i, 1);
    ptx_put(thread, i, less(i, a, 0) ? 0 - a : a);
}

void ptx_neg(ptx_thread *thread, const ptx_instruction *i)
{
    ptx_put(thread, i, 0 - ptx_integer(thread, i, 1));
}

static bool compare(const ptx_instruction *i, uint64_t a, uint64_t b)
{
    switch ((ptx_comparison)i->comparison) {
    case PTX_EQ:
        return a == b;
    case PTX_NE:
        return a != b;
    case PTX_LT:
        return less(i, a, b);
    case PTX_LE:
        return !less(i, b, a);
    case PTX_GT:
        return less(i, b, a);
    default:
        return !less(i, a, b);
    }
}

void ptx_setp(ptx_thread *thread, const ptx_instruction *i)
{
    const unsigned first = i->pair ? 2 : 1;
    ptx_put_comparison(thread, i, compare(i, ptx_integer(thread, i, first), ptx_integer(thread, i, first + 1)));
}

void ptx_put_comparison(ptx_thread *thread, const ptx_instruction *i, bool holds)
{
    const unsigned third = i->pair ? 4 : 3;
    bool opposite = !holds;
    if (i->count > third) {
        const bool other = ptx_predicate(thread, i, third);
        holds = ptx_has(i, PTX_AND) ? holds && other : ptx_has(i, PTX_OR) ? holds || other : holds != other;
        opposite = ptx_has(i, PTX_AND) ? opposite && other : ptx_has(i, PTX_OR) ? opposite || other : opposite != other;
    }
    ptx_put_predicate(thread, i, 0, holds);
    if (i->pair)
        ptx_put_predicate(thread, i, 1, opposite);
}

void ptx_selp(ptx_thread *thread, const ptx_instruction *i)
{
    ptx_put(thread, i, ptx_bits(thread, i, ptx_predicate(thread, i, 3) ? 1 : 2));
}
