/* SPDX-License-Identifier: Apache-2.0 */
/* What decides which instruction is the next, and when a thread waits. */
#include "operation.h"
#include "thread.h"

#include <string.h>

void ptx_bra(ptx_thread *thread, const ptx_instruction *i)
{
    thread->next = &thread->function->code[i->target];
}

void ptx_call(ptx_thread *thread, const ptx_instruction *i)
{
    const ptx_function *callee = i->callee;
    const unsigned char *variables = ptx_variables(thread);
    ptx_return *back = (ptx_return *)((unsigned char *)thread->registers + thread->function->frame_bytes);
    uint64_t *registers = (uint64_t *)(back + 1);
    if ((size_t)(thread->stack_end - (unsigned char *)registers) < callee->frame_bytes)
        ptx_fault(thread, i, "the thread's stack overflows");
    *back = (ptx_return){.function = thread->function, .call = i, .registers = thread->registers};
    thread->registers = registers;
    thread->function = callee;
    thread->next = callee->code;
    ++thread->depth;
    for (uint32_t k = callee->result_count; k < callee->parameter_count; ++k)
        memcpy(ptx_variables(thread) + callee->parameters[k].offset, variables + i->operands[k].value,
               callee->parameters[k].bytes);
}

void ptx_exit(ptx_thread *thread, const ptx_instruction *i)
{
    (void)i;
    thread->state = PTX_ENDED;
    thread->slice = 0;
    --thread->block->live;
}

void ptx_ret(ptx_thread *thread, const ptx_instruction *i)
{
    if (thread->depth == 0) {
        ptx_exit(thread, i);
        return;
    }
    const ptx_function *callee = thread->function;
    const unsigned char *variables = ptx_variables(thread);
    const ptx_return *back = (const ptx_return *)thread->registers - 1;
    thread->registers = back->registers;
    thread->function = back->function;
    thread->next = back->call + 1;
    --thread->depth;
    for (uint32_t k = 0; k < callee->result_count; ++k)
        memcpy(ptx_variables(thread) + back->call->operands[k].value, variables + callee->parameters[k].offset,
               callee->parameters[k].bytes);
}

void ptx_trap(ptx_thread *thread, const ptx_instruction *i)
{
    ptx_fault(thread, i, "the kernel ended itself");
}

/* Fences order nothing here, where one thread runs at a time. They are good places to let others run. */
void ptx_pause(ptx_thread *thread, const ptx_instruction *i)
{
    (void)i;
    thread->slice = 0;
}

static void wait(ptx_thread *thread, const ptx_instruction *i, ptx_state state)
{
    thread->at = i;
    thread->state = state;
    thread->slice = 0;
}

static void meet(ptx_thread *thread, const ptx_instruction *i, unsigned mask_operand)
{
    thread->mask = (uint32_t)ptx_bits(thread, i, mask_operand);
    if ((thread->mask >> thread->special[PTX_LANEID] & 1) == 0)
        ptx_fault(thread, i, "the mask does not name the lane itself");
    wait(thread, i, PTX_MEETING);
}

/* "bar.sync 0", "bar.red.popc.u32 %r1, 0, %p1", "bar.warp.sync %r1" */
void ptx_bar(ptx_thread *thread, const ptx_instruction *i)
{
    const bool reduces = ptx_has(i, PTX_RED);
    if (ptx_has(i, PTX_WARP)) {
        meet(thread, i, 0);
        return;
    }
    if (i->count != (reduces ? 3 : 1) || ptx_bits(thread, i, reduces ? 1 : 0) != 0)
        ptx_fault(thread, i, "only barrier 0 of all threads is executed here");
    thread->value = reduces && ptx_predicate(thread, i, 2);
    wait(thread, i, PTX_BARRIER);
}

void ptx_activemask(ptx_thread *thread, const ptx_instruction *i)
{
    thread->patience = 0;
    wait(thread, i, PTX_ACTIVE);
}

void ptx_vote(ptx_thread *thread, const ptx_instruction *i)
{
    thread->value = ptx_predicate(thread, i, 1);
    meet(thread, i, 2);
}

/* "shfl.sync.idx.b32 %r1|%p1, value, source, limits, mask" */
void ptx_shfl(ptx_thread *thread, const ptx_instruction *i)
{
    const unsigned first = i->pair ? 2 : 1;
    thread->value = (uint32_t)ptx_bits(thread, i, first);
    thread->source = (uint32_t)ptx_bits(thread, i, first + 1);
    thread->limits = (uint32_t)ptx_bits(thread, i, first + 2);
    meet(thread, i, first + 3);
}
