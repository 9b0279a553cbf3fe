/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A thread of a kernel: a program counter, and a stack of frames. A frame is its function's registers, 64 bits each, and
 * behind them its variables. A register holds a value extended as its type says; readers take the bits they need.
 */
#ifndef PTX_THREAD_H
#define PTX_THREAD_H

#include "program.h"
#include "random.h"

enum { PTX_LANES = 32 };

typedef enum ptx_state {
    PTX_RUNNING,
    PTX_ACTIVE,  /* waits at activemask */
    PTX_MEETING, /* waits for the lanes of its mask, at vote, shfl or bar.warp */
    PTX_BARRIER, /* waits for the block */
    PTX_ENDED
} ptx_state;

typedef struct ptx_block {
    const ptx_program *program;
    const ptx_function *kernel;
    unsigned char *shared; /* shared_size bytes */
    uint32_t shared_size;
    /* Of all blocks that are resident: an address in there belongs to one of them. */
    const unsigned char *every_shared;
    size_t every_shared_size;
    const unsigned char *parameters;
    ptx_thread *threads;
    uint32_t count, live;
    ptx_random *random; /* the grid's */
} ptx_block;

/* Of a call: where to go on. It lies below the callee's frame. */
typedef struct ptx_return {
    _Alignas(16) const ptx_function *function;
    const ptx_instruction *call;
    uint64_t *registers;
} ptx_return;

struct ptx_thread {
    uint64_t *registers; /* the frame */
    const ptx_instruction *next;
    ptx_block *block;
    const ptx_function *function;
    unsigned char *stack, *stack_end; /* aligned to 16 bytes */
    uint32_t depth;                   /* of calls */
    uint32_t special[PTX_SPECIALS];
    uint32_t slice; /* instructions that are left before another thread has its turn; 0 when it waits */
    bool carry;
    ptx_state state;
    /* What it waits with; `at` is the instruction. */
    const ptx_instruction *at;
    uint32_t mask, value, source, limits;
    uint32_t patience; /* at activemask: turns that it has waited */
};

/* fault.c: end the grid. The text goes on behind the place in the code. */
__attribute__((noreturn, cold)) void ptx_fault(const ptx_thread *, const ptx_instruction *, const char *text);
__attribute__((noreturn, cold)) void ptx_fault_at(const ptx_thread *, const ptx_instruction *, uint64_t address,
                                                  const char *text);

uint64_t ptx_special_bits(const ptx_thread *, const ptx_operand *);

/* The operand's bits; those above its type are undefined. */
static inline uint64_t ptx_bits(const ptx_thread *thread, const ptx_instruction *i, unsigned operand)
{
    const ptx_operand *o = &i->operands[operand];
    if (o->kind == PTX_REGISTER && !o->inverted)
        return thread->registers[o->value];
    return o->kind == PTX_NUMBER ? o->value : ptx_special_bits(thread, o);
}

/* As the type says: extended with its sign or with zeros. */
static inline uint64_t ptx_extend(ptx_type type, uint64_t bits)
{
    const unsigned unused = 64 - 8u * type.bytes;
    if (type.kind == PTX_PREDICATE)
        return bits & 1;
    return type.kind == PTX_SIGNED ? (uint64_t)((int64_t)(bits << unused) >> unused) : bits << unused >> unused;
}

static inline uint64_t ptx_integer(const ptx_thread *thread, const ptx_instruction *i, unsigned operand)
{
    return ptx_extend(i->type, ptx_bits(thread, i, operand));
}

static inline bool ptx_predicate(const ptx_thread *thread, const ptx_instruction *i, unsigned operand)
{
    return (ptx_bits(thread, i, operand) & 1) != 0;
}

/* Into a register. */
static inline void ptx_put_as(ptx_thread *thread, const ptx_instruction *i, unsigned operand, ptx_type type,
                              uint64_t bits)
{
    if (i->operands[operand].kind == PTX_REGISTER)
        thread->registers[i->operands[operand].value] = ptx_extend(type, bits);
}

static inline void ptx_put(ptx_thread *thread, const ptx_instruction *i, uint64_t bits)
{
    ptx_put_as(thread, i, 0, i->type, bits);
}

static inline void ptx_put_predicate(ptx_thread *thread, const ptx_instruction *i, unsigned operand, bool value)
{
    ptx_put_as(thread, i, operand, (ptx_type){PTX_PREDICATE, 1}, value);
}

/* integer.c: a comparison's result, combined with the predicate that setp may name, and its opposite. */
void ptx_put_comparison(ptx_thread *, const ptx_instruction *, bool holds);

/* The variables of the thread's frame. */
static inline unsigned char *ptx_variables(const ptx_thread *thread)
{
    return (unsigned char *)thread->registers + thread->function->frame_bytes - thread->function->local_bytes;
}

/* The index within the block; the block's extents and place are in `special` already. */
void ptx_thread_begin(ptx_thread *, ptx_block *, uint32_t index);
/* Until its slice is over, or it waits or ends. */
void ptx_thread_run(ptx_thread *, uint32_t slice);
/* warp.c: those of the warp's lanes that can go on do so; false if there are none. */
bool ptx_warp_release(ptx_thread *lanes, uint32_t count);
/* barrier.c: it opens if all threads of the block that have not ended wait at it. */
bool ptx_barrier_release(ptx_block *);

#endif
