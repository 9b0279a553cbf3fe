/* SPDX-License-Identifier: Apache-2.0 */
/* Errors of kernels, copies and fills: kept while one runs, told when it is over. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_FINDING_H
#define ACCEL_CPU_CHECK_FINDING_H

#include "plugins/cpu/check/clock/clock.h"
#include "plugins/cpu/check/queues/operation.h"

enum {
    /* In the order in which they are told. */
    CHECK_FINDING_BARRIER,     /* threads wait at different ones */
    CHECK_FINDING_REGION,      /* or a loop over elements or a collective, within one of these */
    CHECK_FINDING_WARP,        /* an operation of a warp whose lanes are not all there */
    CHECK_FINDING_UNIFORM,     /* a write outside regions */
    CHECK_FINDING_VARIABLE,    /* a region writes a variable of the block */
    CHECK_FINDING_THREADS,     /* a race between threads of a block */
    CHECK_FINDING_BLOCKS,      /* between blocks */
    CHECK_FINDING_MIXED,       /* an atomic access and a plain one */
    CHECK_FINDING_QUEUES,      /* a race with an operation of another queue */
    CHECK_FINDING_OUTSIDE,     /* of every object */
    CHECK_FINDING_VIEW,        /* of the part of a buffer that the launch was given */
    CHECK_FINDING_HOST_MEMORY, /* memory of the program, that no buffer has */
    CHECK_FINDING_MISALIGNED,
    CHECK_FINDING_CONSTANT, /* is written */
    CHECK_FINDING_RELEASED,
    CHECK_FINDING_UNWRITTEN,
    CHECK_FINDING_DIVISION,
    CHECK_FINDING_OVERFLOW,
    CHECK_FINDING_NAN, /* a new one that no division makes */
    CHECK_FINDING_CONVERSION,
    CHECK_FINDING_ASSERTION, /* failed */
    CHECK_FINDING_STACK,     /* of a fiber, overflowed */
    CHECK_FINDING_ENDLESS,   /* a block ran for longer than the user allows */
    CHECK_FINDING_LIMITS,    /* of the GPU that the user named */
    CHECK_FINDING_WARP_FORM, /* a warp that cannot be emulated */
    CHECK_FINDING_LEAK,      /* a buffer that was never released: of no launch, as the next */
    CHECK_FINDING_MISSED,    /* a copy to the host that nobody waited for: of no launch, either */
    CHECK_FINDING_OBJECT,    /* a queue, event or module that was never released */
    CHECK_FINDING_MISUSE,    /* of an object that was released: of no launch, either */
    CHECK_FINDING_EARLY,     /* the host has used a result that may not be there: of no launch, either */
    CHECK_FINDING_CHANGED,   /* or changed memory that pending work uses */
    CHECK_FINDING_KINDS
};

/* What a side is that is no access, beside ACCEL_CHECK_*. */
enum { CHECK_HOW_BARRIER = 1 << 8, CHECK_HOW_LOOP = 1 << 9, CHECK_HOW_COLLECTIVE = 1 << 10 };

typedef struct check_side {
    const void *place; /* behind the call in the kernel's code; NULL: unknown */
    uint32_t how;      /* ACCEL_CHECK_*, CHECK_HOW_* */
    check_actor actor;
    const check_operation *operation; /* NULL: the one at hand */
} check_side;

typedef struct check_finding {
    uint32_t kind;
    const char *at; /* the access, also if only a part of it is wrong */
    size_t size;
    check_side mine, other;
    bool has_other;
    bool light;       /* of the kernel's light version */
    const char *text; /* instead of the access; NULL: none. Of an assertion: its condition */
    const char *file; /* of an assertion, which knows its line; its place is that of the kernel. Else NULL */
    uint32_t line;
    const char *entry; /* of a misuse: "accel_launch", or "another release" */
    size_t order;      /* in the launch */
    size_t count;      /* of accesses with the same places */
    uint64_t access;   /* its number: several findings of one access count once. 0: each counts */
} check_finding;

/* The text of an access where the CPU refuses the address itself. */
#define CHECK_IMPOSSIBLE "at an address that no memory can have"

enum { CHECK_FINDINGS = 64 }; /* of a launch that are told one by one */

typedef struct check_findings {
    check_finding items[CHECK_FINDINGS];
    size_t count;
} check_findings;
extern check_findings check_found;

/* Arithmetic, and no access. */
static inline bool check_finding_is_trap(uint32_t kind)
{
    return kind >= CHECK_FINDING_DIVISION && kind <= CHECK_FINDING_CONVERSION;
}

/* "barrier": what the side is if it is no access. NULL: an access, or the finding is no kernel's code. */
const char *check_finding_noun(const check_finding *, const check_side *);

/* Of the program, found when something ends. */
static inline bool check_finding_is_of_program(uint32_t kind)
{
    return kind == CHECK_FINDING_LEAK || kind == CHECK_FINDING_MISSED || kind == CHECK_FINDING_OBJECT;
}

/* What the host does by an address. */
static inline bool check_finding_is_of_host(uint32_t kind)
{
    return kind == CHECK_FINDING_EARLY || kind == CHECK_FINDING_CHANGED;
}

void check_findings_begin(void);
/* Counts it, and keeps it if its places are new in this launch. */
void check_finding_add(const check_finding *);
/* The most telling kinds first. A missing barrier may also look like memory that was never written. */
void check_findings_sort(void);
/* Leaves the kernel for good: it would crash. */
void check_finding_abandon(void) __attribute__((noreturn));
extern bool check_abandoned; /* this launch */
extern void *check_exit[5];  /* of __builtin_setjmp: sanitizers do not follow it across fibers */

#endif
