/* SPDX-License-Identifier: Apache-2.0 */
#include "fault.h"

#include <stdio.h>
#include <string.h>

static __thread ptx_fault_exit *way_out;

void ptx_fault_begin(ptx_fault_exit *out)
{
    way_out = out;
    gpusim_trap_enter(&out->escape);
}

void ptx_fault_end(void)
{
    gpusim_trap_enter(NULL);
    way_out = NULL;
}

/* "kernel, line 12: ld.global: " */
static void describe(const ptx_thread *thread, const ptx_instruction *i, const char *text)
{
    gpusim_fault *fault = way_out->fault;
    for (int k = 0; k < 3; ++k) {
        fault->thread[k] = thread->special[PTX_TID_X + k];
        fault->block[k] = thread->special[PTX_CTAID_X + k];
    }
    snprintf(fault->text, sizeof(fault->text), "%s, line %u of the PTX, %s: %s", thread->function->name, i->line,
             i->name, text);
}

void ptx_fault(const ptx_thread *thread, const ptx_instruction *i, const char *text)
{
    describe(thread, i, text);
    way_out->fault->status = GPUSIM_GRID_TRAP;
    siglongjmp(way_out->escape.place, 1);
}

void ptx_fault_at(const ptx_thread *thread, const ptx_instruction *i, uint64_t address, const char *text)
{
    char whole[96];
    snprintf(whole, sizeof(whole), "%#llx is %s", (unsigned long long)address, text);
    describe(thread, i, whole);
    way_out->fault->status = GPUSIM_GRID_ILLEGAL_ADDRESS;
    way_out->fault->address = (const void *)(uintptr_t)address; /* NOLINT(performance-no-int-to-ptr) */
    siglongjmp(way_out->escape.place, 1);
}

void ptx_fault_signalled(const ptx_thread *thread)
{
    char text[64];
    void *address = way_out->escape.address;
    const bool memory = way_out->escape.signal == SIGSEGV || way_out->escape.signal == SIGBUS;
    snprintf(text, sizeof(text), memory ? "there is no memory at %p" : "signal", address);
    describe(thread, thread->next - 1, text);
    way_out->fault->status = memory ? GPUSIM_GRID_ILLEGAL_ADDRESS : GPUSIM_GRID_TRAP;
    way_out->fault->address = address;
}
