/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores and atomic operations. Global memory is this process's, at its own addresses. */
#include "operation.h"
#include "real.h"

/* The address of `bytes` that the operand names: aligned, and within the block's shared memory if it is in any. */
static unsigned char *address_of(ptx_thread *thread, const ptx_instruction *i, unsigned operand, uint32_t bytes)
{
    const ptx_block *block = thread->block;
    const uint64_t base = (uintptr_t)block->shared;
    uint64_t address = ptx_bits(thread, i, operand) + (uint64_t)i->offset;
    bool is_shared = address - (uintptr_t)block->every_shared < block->every_shared_size;
    if (ptx_has(i, PTX_SHARED)) {
        address = base + (uint32_t)address;
        is_shared = true;
    }
    if (is_shared && (address - base > block->shared_size || bytes > block->shared_size - (address - base)))
        ptx_fault_at(thread, i, address, "beyond the block's shared memory");
    if (address % bytes != 0)
        ptx_fault_at(thread, i, address, "misaligned");
    return (unsigned char *)(uintptr_t)address; /* NOLINT(performance-no-int-to-ptr) */
}

static uint64_t load(const unsigned char *address, uint32_t bytes)
{
    switch (bytes) {
    case 1:
        return *address;
    case 2:
        return __atomic_load_n((const uint16_t *)address, __ATOMIC_RELAXED);
    case 4:
        return __atomic_load_n((const uint32_t *)address, __ATOMIC_RELAXED);
    default:
        return __atomic_load_n((const uint64_t *)address, __ATOMIC_RELAXED);
    }
}

static void store(unsigned char *address, uint32_t bytes, uint64_t value)
{
    switch (bytes) {
    case 1:
        *address = (unsigned char)value;
        break;
    case 2:
        __atomic_store_n((uint16_t *)address, (uint16_t)value, __ATOMIC_RELAXED);
        break;
    case 4:
        __atomic_store_n((uint32_t *)address, (uint32_t)value, __ATOMIC_RELAXED);
        break;
    default:
        __atomic_store_n((uint64_t *)address, value, __ATOMIC_RELAXED);
    }
}

void ptx_ld(ptx_thread *thread, const ptx_instruction *i)
{
    const unsigned elements = i->vector != 0 ? i->vector : 1;
    const unsigned char *address = address_of(thread, i, elements, elements * i->type.bytes);
    for (unsigned k = 0; k < elements; ++k)
        ptx_put_as(thread, i, k, i->type, load(address + k * i->type.bytes, i->type.bytes));
}

void ptx_st(ptx_thread *thread, const ptx_instruction *i)
{
    const unsigned elements = i->vector != 0 ? i->vector : 1;
    unsigned char *address = address_of(thread, i, 0, elements * i->type.bytes);
    for (unsigned k = 0; k < elements; ++k)
        store(address + k * i->type.bytes, i->type.bytes, ptx_bits(thread, i, 1 + k));
}

/* ------------------------------------------------------------------------------- atomic operations -- */

static uint64_t combine_reals(const ptx_instruction *i, uint64_t old, uint64_t value)
{
    if (i->type.bytes == 8)
        return ptx_double_bits(ptx_bits_double(old) + ptx_bits_double(value));
    return ptx_float_bits(ptx_bits_float(old) + ptx_bits_float(value));
}

/* What replaces `old`. `other` is the third operand, of cas. */
static uint64_t combine(const ptx_instruction *i, uint64_t old, uint64_t value, uint64_t other)
{
    const uint64_t a = ptx_extend(i->type, old), b = ptx_extend(i->type, value);
    const bool less = i->type.kind == PTX_SIGNED ? (int64_t)a < (int64_t)b : a < b;
    if (ptx_has(i, PTX_ADD))
        return i->type.kind == PTX_FLOAT ? combine_reals(i, a, b) : a + b;
    if (ptx_has(i, PTX_EXCH))
        return b;
    if (ptx_has(i, PTX_CAS))
        return a == b ? other : a;
    if (ptx_has(i, PTX_MIN))
        return less ? a : b;
    if (ptx_has(i, PTX_MAX))
        return less ? b : a;
    if (ptx_has(i, PTX_AND))
        return a & b;
    if (ptx_has(i, PTX_OR))
        return a | b;
    if (ptx_has(i, PTX_XOR))
        return a ^ b;
    if (ptx_has(i, PTX_INC))
        return a >= b ? 0 : a + 1;
    return a == 0 || a > b ? b : a - 1; /* dec */
}

/* Grids of other queues, and the host, may use the same memory. */
static uint64_t replace(const ptx_instruction *i, unsigned char *address, uint64_t value, uint64_t other)
{
    if (i->type.bytes == 8) {
        uint64_t old = __atomic_load_n((uint64_t *)address, __ATOMIC_SEQ_CST);
        while (!__atomic_compare_exchange_n((uint64_t *)address, &old, combine(i, old, value, other), false,
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            ;
        return old;
    }
    uint32_t old = __atomic_load_n((uint32_t *)address, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n((uint32_t *)address, &old, (uint32_t)combine(i, old, value, other), false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
    return old;
}

static uint64_t run_atomic(ptx_thread *thread, const ptx_instruction *i, unsigned first)
{
    unsigned char *address = address_of(thread, i, first, i->type.bytes);
    const uint64_t other = i->count > first + 2 ? ptx_bits(thread, i, first + 2) : 0;
    if (i->type.bytes < 4)
        ptx_fault(thread, i, "atomic operations on fewer than 4 bytes are not executed here");
    return replace(i, address, ptx_bits(thread, i, first + 1), other);
}

void ptx_atom(ptx_thread *thread, const ptx_instruction *i)
{
    ptx_put(thread, i, run_atomic(thread, i, 1));
}

void ptx_red(ptx_thread *thread, const ptx_instruction *i)
{
    (void)run_atomic(thread, i, 0);
}
