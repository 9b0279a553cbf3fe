/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program of its own, so that it can be built for another machine, or with another way to switch: many fibers that
 * take turns, with values in registers that must survive. Exit status 0 and one line if all is well.
 */
#include "plugins/cpu/fiber/fiber.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIBERS = 64, TURNS = 1000, STACK = 65536, VALUE = 4711 };

typedef struct fiber {
    cpu_fiber_context context;
    int number;
    unsigned long turns;
    double sum;
} fiber;

static cpu_fiber_context main_context;
static fiber fibers[FIBERS];
static _Alignas(16) unsigned char stacks[FIBERS][STACK];
static const char *failure;

static void fail(const char *text)
{
    if (failure == NULL)
        failure = text;
}

#if !defined(CPU_FIBER_UCONTEXT)
/* As a barrier: with predicate 0 the fiber itself goes on, else the next one. */
cpu_fiber_next cpu_fiber_arrive(void *user, uint32_t mode, uint32_t predicate, void *stack)
{
    fiber *own = user;

    own->context.stack = stack;
    if (mode != 7)
        fail("an argument changed on the way to cpu_fiber_arrive");
    if (predicate == 0)
        return (cpu_fiber_next){stack, VALUE + 1};
    return (cpu_fiber_next){own[1].context.stack, VALUE};
}
#endif

/* In turns through cpu_fiber_swap and through cpu_fiber_sync, from two places, so that it returns and jumps. */
static void leave(fiber *own, fiber *next)
{
    cpu_fiber_context *to = next != NULL ? &next->context : &main_context;

#if !defined(CPU_FIBER_UCONTEXT)
    if (cpu_fiber_sync(own, 7, 0) != VALUE + 1)
        fail("a barrier that nobody waits at gives another value");
    if (next != NULL && (own->turns + (unsigned long)own->number / 3) % 3 == 1) {
        if (cpu_fiber_sync(own, 7, 1) != VALUE)
            fail("a fiber resumed by one that called from elsewhere gets another value");
        return;
    }
    if (next != NULL && own->turns % 3 == 2) {
        if (cpu_fiber_sync(own, 7, 1) != VALUE)
            fail("a resumed fiber gets another value");
        return;
    }
#endif
    cpu_fiber_swap(&own->context, to, VALUE);
}

/* Enough live integers and doubles that some lie in callee-saved registers. */
static __attribute__((noinline)) double mix(fiber *own, fiber *next, double a, double b, double c, double d, long i,
                                            long j, long k)
{
    double w = a * 1.5, x = b * 2.5, y = c * 3.5, z = d * 4.5;
    long p = i * 3, q = j * 5, r = k * 7;

    own->turns++;
    leave(own, next);
    if (p != i * 3 || q != j * 5 || r != k * 7)
        fail("an integer changed across a switch");
    return w + x + y + z + a + b + c + d;
}

static void run(void *user)
{
    fiber *own = user;
    _Alignas(16) volatile unsigned char local[32];
    volatile unsigned char *end = stacks[own->number] + STACK;

    if ((uintptr_t)local % 16 != 0)
        fail("the stack is not aligned");
    if ((uintptr_t)local < (uintptr_t)stacks[own->number] || (uintptr_t)local >= (uintptr_t)end)
        fail("a fiber runs on a stack that is not its own");
    char text[64];
    snprintf(text, sizeof(text), "%.1f", own->number + 0.5); /* vector registers and alignment, in the C library */
    if (strtod(text, NULL) != own->number + 0.5)
        fail("the C library does not work on a fiber");
    for (;;) {
        double n = own->number, t = (double)own->turns;
        double got =
            mix(own, own->number + 1 < FIBERS ? own + 1 : NULL, n, t, n + 1, t + 1, own->number, (long)own->turns, 42);
        double expected = n * 2.5 + t * 3.5 + (n + 1) * 4.5 + (t + 1) * 5.5;
        if (got != expected)
            fail("a floating-point value changed across a switch");
        own->sum += got;
    }
}

int main(void)
{
    for (int i = 0; i < FIBERS; ++i) {
        fibers[i].number = i;
        cpu_fiber_prepare(&fibers[i].context, stacks[i], STACK, run, &fibers[i]);
    }
    for (int turn = 0; turn < TURNS; ++turn)
        cpu_fiber_swap(&main_context, &fibers[0].context, VALUE);
    for (int i = 0; i < FIBERS; ++i)
        if (fibers[i].turns != TURNS)
            fail("a fiber missed a turn");
    puts(failure != NULL ? failure : "fibers: all turns taken");
    return failure != NULL;
}
