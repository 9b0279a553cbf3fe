/* SPDX-License-Identifier: Apache-2.0 */
#include "operation.h"
#include "thread.h"

/* Lanes of a warp must come to the same barrier: the manual leaves open what happens else. */
static void check_warps(const ptx_block *block)
{
    for (uint32_t i = 0; i < block->count; ++i) {
        const ptx_thread *thread = &block->threads[i];
        for (uint32_t k = i / PTX_LANES * PTX_LANES; k < i; ++k)
            if (thread->state == PTX_BARRIER && block->threads[k].state == PTX_BARRIER &&
                block->threads[k].at != thread->at)
                ptx_fault(thread, thread->at, "the lanes of its warp wait at different barriers");
    }
}

static void finish(ptx_thread *thread, uint32_t waiting, uint32_t votes)
{
    const ptx_instruction *i = thread->at;
    if (ptx_has(i, PTX_POPC))
        ptx_put(thread, i, votes);
    else if (ptx_has(i, PTX_RED))
        ptx_put_predicate(thread, i, 0, ptx_has(i, PTX_AND) ? votes == waiting : votes != 0);
    thread->state = PTX_RUNNING;
}

bool ptx_barrier_release(ptx_block *block)
{
    uint32_t waiting = 0, votes = 0;
    for (uint32_t i = 0; i < block->count; ++i)
        if (block->threads[i].state == PTX_BARRIER) {
            ++waiting;
            votes += block->threads[i].value;
        }
    if (waiting == 0 || waiting != block->live)
        return false;
    check_warps(block);
    for (uint32_t i = 0; i < block->count; ++i)
        if (block->threads[i].state == PTX_BARRIER)
            finish(&block->threads[i], waiting, votes);
    return true;
}
