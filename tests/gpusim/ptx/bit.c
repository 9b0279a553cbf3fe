/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on bits. */
#include "operation.h"
#include "thread.h"

static unsigned width(const ptx_instruction *i)
{
    return 8u * i->type.bytes;
}

void ptx_and(ptx_thread *thread, const ptx_instruction *i)
{
    ptx_put(thread, i, ptx_bits(thread, i, 1) & ptx_bits(thread, i, 2));
}

void ptx_or(ptx_thread *thread, const ptx_instruction *i)
{
    ptx_put(thread, i, ptx_bits(thread, i, 1) | ptx_bits(thread, i, 2));
}

void ptx_xor(ptx_thread *thread, const ptx_instruction *i)
{
    ptx_put(thread, i, ptx_bits(thread, i, 1) ^ ptx_bits(thread, i, 2));
}

void ptx_not(ptx_thread *thread, const ptx_instruction *i)
{
    ptx_put(thread, i, ~ptx_bits(thread, i, 1));
}

/* Bit k of the table is the result where the operands' bits, the first one's on top, are k. */
void ptx_lop3(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t a = ptx_bits(thread, i, 1), b = ptx_bits(thread, i, 2), c = ptx_bits(thread, i, 3);
    const uint64_t table = ptx_bits(thread, i, 4);
    uint64_t result = 0;
    for (unsigned k = 0; k < 8; ++k)
        if ((table >> k & 1) != 0)
            result |= ((k & 4) != 0 ? a : ~a) & ((k & 2) != 0 ? b : ~b) & ((k & 1) != 0 ? c : ~c);
    ptx_put(thread, i, result);
}

/* Shifts by more than the width are shifts by the width. */
void ptx_shl(ptx_thread *thread, const ptx_instruction *i)
{
    const uint32_t by = (uint32_t)ptx_bits(thread, i, 2);
    ptx_put(thread, i, by >= width(i) ? 0 : ptx_bits(thread, i, 1) << by);
}

void ptx_shr(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t a = ptx_integer(thread, i, 1);
    const uint32_t wanted = (uint32_t)ptx_bits(thread, i, 2), by = wanted < width(i) ? wanted : width(i);
    const bool negative = i->type.kind == PTX_SIGNED && (int64_t)a < 0;
    const uint64_t shifted = by == 64 ? 0 : a >> by;
    ptx_put(thread, i, negative ? ~(by == 64 ? 0 : ~a >> by) : shifted);
}

/* The high or low word of two, shifted as one. */
void ptx_shf(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t low = (uint32_t)ptx_bits(thread, i, 1), high = (uint32_t)ptx_bits(thread, i, 2);
    const uint64_t both = high << 32 | low;
    uint32_t by = (uint32_t)ptx_bits(thread, i, 3);
    by = ptx_has(i, PTX_WRAP) ? by & 31 : by < 32 ? by : 32;
    ptx_put(thread, i, ptx_has(i, PTX_LEFT) ? both << by >> 32 : both >> by);
}

static uint64_t low_bits(unsigned count)
{
    return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

/* A field of `length` bits from `from` on; above the operand there are copies of its sign, or zeros. */
void ptx_bfe(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t a = ptx_integer(thread, i, 1);
    const unsigned from = ptx_bits(thread, i, 2) & 255, length = ptx_bits(thread, i, 3) & 255;
    const bool negative = i->type.kind == PTX_SIGNED && (int64_t)a < 0;
    const uint64_t shifted = from >= 64 ? (negative ? UINT64_MAX : 0) : negative ? ~(~a >> from) : a >> from;
    uint64_t field = shifted & low_bits(length);
    if (i->type.kind == PTX_SIGNED && length > 0 && length < 64 && (field >> (length - 1) & 1) != 0)
        field |= ~low_bits(length);
    ptx_put(thread, i, field);
}

void ptx_bfi(ptx_thread *thread, const ptx_instruction *i)
{
    const unsigned at = ptx_bits(thread, i, 3) & 255, length = ptx_bits(thread, i, 4) & 255;
    const uint64_t place = at >= width(i) ? 0 : low_bits(length) << at;
    const uint64_t value = at >= 64 ? 0 : ptx_bits(thread, i, 1) << at;
    ptx_put(thread, i, (ptx_bits(thread, i, 2) & ~place) | (value & place));
}

static unsigned leading_zeros(const ptx_instruction *i, uint64_t value)
{
    return value == 0 ? width(i) : (unsigned)__builtin_clzll(value) - (64 - width(i));
}

static void put_word(ptx_thread *thread, const ptx_instruction *i, uint64_t value)
{
    ptx_put_as(thread, i, 0, (ptx_type){PTX_UNSIGNED, 4}, value);
}

/* The highest bit that is not a copy of the sign. */
void ptx_bfind(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t a = ptx_integer(thread, i, 1);
    const bool negative = i->type.kind == PTX_SIGNED && (int64_t)a < 0;
    const uint64_t bits = ptx_extend((ptx_type){PTX_UNSIGNED, i->type.bytes}, negative ? ~a : a);
    const unsigned zeros = leading_zeros(i, bits);
    put_word(thread, i, bits == 0 ? UINT32_MAX : ptx_has(i, PTX_SHIFTAMT) ? zeros : width(i) - 1 - zeros);
}

void ptx_brev(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t a = ptx_integer(thread, i, 1);
    uint64_t reversed = 0;
    for (unsigned bit = 0; bit < width(i); ++bit)
        reversed |= (a >> bit & 1) << (width(i) - 1 - bit);
    ptx_put(thread, i, reversed);
}

void ptx_clz(ptx_thread *thread, const ptx_instruction *i)
{
    put_word(thread, i, leading_zeros(i, ptx_integer(thread, i, 1)));
}

void ptx_popc(ptx_thread *thread, const ptx_instruction *i)
{
    put_word(thread, i, (uint64_t)__builtin_popcountll(ptx_integer(thread, i, 1)));
}

/* Four bytes of eight, each chosen by four bits, of which the highest asks for copies of the byte's sign. */
void ptx_prmt(ptx_thread *thread, const ptx_instruction *i)
{
    const uint64_t low = (uint32_t)ptx_bits(thread, i, 1), high = (uint32_t)ptx_bits(thread, i, 2);
    const uint64_t bytes = high << 32 | low, choice = ptx_bits(thread, i, 3);
    uint64_t result = 0;
    for (unsigned k = 0; k < 4; ++k) {
        const unsigned wanted = choice >> (4 * k) & 15;
        uint64_t byte = bytes >> (8 * (wanted & 7)) & 255;
        if ((wanted & 8) != 0)
            byte = (byte & 128) != 0 ? 255 : 0;
        result |= byte << (8 * k);
    }
    ptx_put(thread, i, result);
}
