/* SPDX-License-Identifier: Apache-2.0 */
#include "thread.h"

#include <time.h>

static uint64_t ticks(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t ptx_special_bits(const ptx_thread *thread, const ptx_operand *operand)
{
    switch ((ptx_operand_kind)operand->kind) {
    case PTX_REGISTER: /* inverted */
        return ~thread->registers[operand->value];
    case PTX_NUMBER:
        return operand->value;
    case PTX_SPECIAL:
        return thread->special[operand->value];
    case PTX_FRAME:
        return (uintptr_t)ptx_variables(thread) + operand->value;
    case PTX_PARAMETER:
        return (uintptr_t)thread->block->parameters + operand->value;
    case PTX_CLOCK:
        return ticks();
    case PTX_DYNAMIC:
        return ptx_dynamic_offset(thread->block->kernel) + operand->value;
    default:
        return 0;
    }
}

void ptx_thread_begin(ptx_thread *thread, ptx_block *block, uint32_t index)
{
    uint32_t *special = thread->special;
    special[PTX_TID_X] = index % special[PTX_NTID_X];
    special[PTX_TID_X + 1] = index / special[PTX_NTID_X] % special[PTX_NTID_X + 1];
    special[PTX_TID_X + 2] = index / special[PTX_NTID_X] / special[PTX_NTID_X + 1];
    special[PTX_LANEID] = index % PTX_LANES;
    special[PTX_WARPID] = index / PTX_LANES;
    thread->block = block;
    thread->function = block->kernel;
    thread->next = block->kernel->code;
    thread->registers = (uint64_t *)thread->stack;
    thread->depth = 0;
    thread->state = PTX_RUNNING;
}

void ptx_thread_run(ptx_thread *thread, uint32_t slice)
{
    thread->slice = slice;
    while (thread->slice > 0) {
        const ptx_instruction *i = thread->next++;
        --thread->slice;
        if (i->guard < 0 || ((thread->registers[i->guard] & 1) != 0) != i->guard_inverted)
            i->run(thread, i);
    }
}
