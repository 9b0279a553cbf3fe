/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/fault/fault.h"
#include "plugins/cpu/engine/host.h"
#include "plugins/cpu/fault/buffers.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

const char *cpu_fault_name(int number)
{
    switch (number) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGBUS:
        return "SIGBUS";
    case SIGFPE:
        return "SIGFPE";
    default:
        return "SIGILL";
    }
}

/* Is the address just below the calling thread's stack, or in the guard page? */
static bool is_below_stack(uintptr_t address)
{
    enum { AROUND = 1 << 16 };
    pthread_attr_t attributes;
    void *begin = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0)
        return false;
    pthread_attr_getstack(&attributes, &begin, &size);
    pthread_attr_destroy(&attributes);
    return address - ((uintptr_t)begin - AROUND) < 2 * AROUND;
}

/* What follows the signal's name. */
static void describe(const cpu_fault *fault, char *text, size_t size)
{
    const int code = fault->code;
    const char *what;
    bool has_address = true;
    char buffer[96];
    switch (fault->number) {
    case SIGSEGV:
        has_address = code != SI_KERNEL;
        what = code == SI_KERNEL                ? "an address that no memory can have"
               : is_below_stack(fault->address) ? "just below the thread's stack: the kernel keeps too much in local "
                                                  "variables, or calls itself too often"
               : code == SEGV_MAPERR            ? "there is no memory"
                                                : "memory that may not be used so";
        break;
    case SIGBUS:
        what = code == BUS_ADRALN ? "an address of the wrong alignment"
                                  : "nothing is behind that memory, as beyond the end of a file";
        break;
    case SIGFPE:
        has_address = false;
        what = code == FPE_INTDIV ? "a division of integers by zero, or one whose result does not fit"
                                  : "a floating-point exception that the program has unmasked";
        break;
    default:
        has_address = false;
        what = "an instruction that this CPU does not have, or a trap of the compiler";
    }
    if (has_address && cpu_buffers_describe(fault->address, buffer, sizeof(buffer)))
        snprintf(text, size, "%s at 0x%zx (%s; %s)", cpu_fault_name(fault->number), (size_t)fault->address, what,
                 buffer);
    else if (has_address)
        snprintf(text, size, "%s at 0x%zx (%s)", cpu_fault_name(fault->number), (size_t)fault->address, what);
    else
        snprintf(text, size, "%s (%s)", cpu_fault_name(fault->number), what);
}

/* The file's own address of an instruction, which addr2line takes. Embedded objects have no file. */
static void describe_place(uintptr_t instruction, char *text, size_t size)
{
    Dl_info info;
    if (dladdr((void *)instruction, &info) == 0 || info.dli_fname == NULL || strncmp(info.dli_fname, "/proc/", 6) == 0)
        snprintf(text, size, ", instruction 0x%zx", (size_t)instruction);
    else
        snprintf(text, size, ", instruction 0x%zx of %s", (size_t)(instruction - (uintptr_t)info.dli_fbase),
                 info.dli_fname);
}

accel_status cpu_fault_report(const cpu_fault *fault, const accel_descriptor *kernel, const plugin_history *history)
{
    const size_t *block = fault->block, *thread = fault->thread;
    char what[256], where[128] = "", place[512], launches[512] = "";
    describe(fault, what, sizeof(what));
    if (fault->has_thread)
        snprintf(where, sizeof(where), "thread (%zu, %zu, %zu) of ", thread[0], thread[1], thread[2]);
    describe_place(fault->instruction, place, sizeof(place));
    plugin_history_list(history, ". Last launches, latest first:", launches, sizeof(launches));
    return cpu_host()->error(ACCEL_KERNEL_FAULT, "kernel \"%s\": %s, in %sblock (%zu, %zu, %zu)%s%s", kernel->name,
                             what, where, block[0], block[1], block[2], place, launches);
}
