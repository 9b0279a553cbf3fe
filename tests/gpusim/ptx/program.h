/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A PTX module, decoded for execution. program.c reads the text, body.c the functions' bodies, instruction.c their
 * instructions. A word that none of them knows is an error that names its line: nothing is passed over in silence.
 */
#ifndef PTX_PROGRAM_H
#define PTX_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ptx_thread ptx_thread;
typedef struct ptx_instruction ptx_instruction;
typedef struct ptx_function ptx_function;

typedef enum ptx_kind { PTX_PREDICATE, PTX_BITS, PTX_UNSIGNED, PTX_SIGNED, PTX_FLOAT } ptx_kind;

typedef struct ptx_type {
    uint8_t kind;  /* ptx_kind */
    uint8_t bytes; /* 1 for predicates */
} ptx_type;

typedef enum ptx_special {
    PTX_TID_X, /* y and z follow, as in the next three */
    PTX_NTID_X = 3,
    PTX_CTAID_X = 6,
    PTX_NCTAID_X = 9,
    PTX_LANEID = 12,
    PTX_WARPID,
    PTX_SPECIALS
} ptx_special;

typedef enum ptx_operand_kind {
    PTX_NOTHING,   /* "_": what is written there is dropped */
    PTX_REGISTER,  /* value: number in the frame */
    PTX_NUMBER,    /* value: the bits; also the address of a global, the offset of a shared variable */
    PTX_SPECIAL,   /* value: ptx_special */
    PTX_FRAME,     /* the address of a variable of the frame; value: its offset there */
    PTX_PARAMETER, /* the address of a kernel's parameter; value: its offset in the parameter block */
    PTX_CLOCK,     /* %clock64 */
    PTX_DYNAMIC    /* the offset of the dynamic shared memory */
} ptx_operand_kind;

typedef struct ptx_operand {
    uint8_t kind;
    bool inverted; /* "!%p1" */
    uint64_t value;
} ptx_operand;

/* Words of an instruction, as bits of ptx_instruction.words. instruction.c has their spelling in the same order. */
typedef enum ptx_word {
    PTX_LO,
    PTX_HI,
    PTX_WIDE,
    PTX_SAT,
    PTX_FTZ,
    PTX_APPROX,
    PTX_FULL,
    PTX_CC,
    PTX_VOLATILE,
    PTX_V2,
    PTX_V4,
    PTX_GLOBAL,
    PTX_SHARED,
    PTX_LOCAL,
    PTX_CONST,
    PTX_PARAM,
    PTX_AND,
    PTX_OR,
    PTX_XOR,
    PTX_MIN,
    PTX_MAX,
    PTX_ADD,
    PTX_INC,
    PTX_DEC,
    PTX_EXCH,
    PTX_CAS,
    PTX_POPC,
    PTX_TO,
    PTX_SYNC,
    PTX_RED,
    PTX_WARP,
    PTX_IDX,
    PTX_UP,
    PTX_DOWN,
    PTX_BFLY,
    PTX_BALLOT,
    PTX_ANY,
    PTX_ALL,
    PTX_LEFT,
    PTX_RIGHT,
    PTX_WRAP,
    PTX_CLAMP,
    PTX_SHIFTAMT,
    PTX_IGNORED /* scopes, orders and hints: one thread runs at a time, and every atomic operation is ordered */
} ptx_word;

/* setp and testp. The second half of the comparisons of floats is true for NaNs. */
typedef enum ptx_comparison {
    PTX_EQ,
    PTX_NE,
    PTX_LT,
    PTX_LE,
    PTX_GT,
    PTX_GE,
    PTX_EQU,
    PTX_NEU,
    PTX_LTU,
    PTX_LEU,
    PTX_GTU,
    PTX_GEU,
    PTX_NUM,
    PTX_NAN,
    PTX_COMPARISONS
} ptx_comparison;

typedef enum ptx_rounding { PTX_NEAREST, PTX_DOWNWARD, PTX_UPWARD, PTX_TOWARD_ZERO } ptx_rounding;

enum { PTX_MOST_OPERANDS = 8 };

struct ptx_instruction { /* what most of them need comes first */
    _Alignas(64) void (*run)(ptx_thread *, const ptx_instruction *);
    uint64_t words;        /* 1 << ptx_word */
    ptx_type type, source; /* the same but for cvt */
    int16_t guard;         /* register, or -1 */
    bool guard_inverted;
    uint8_t rounding; /* ptx_rounding */
    bool to_integer;  /* rounds to an integral value: cvt.rni */
    uint8_t comparison;
    uint8_t count;     /* operands */
    uint8_t vector;    /* elements of "{...}", or 0 */
    uint8_t vector_at; /* its first operand */
    bool pair;         /* the first two operands are written "a|b" */
    uint32_t target;   /* of bra: index of an instruction */
    int64_t offset;    /* of the address */
    ptx_operand operands[PTX_MOST_OPERANDS];
    ptx_function *callee; /* of call; its operands are the variables of results and parameters */
    const char *name;     /* "add" */
    uint32_t line;
};

static inline bool ptx_has(const ptx_instruction *i, ptx_word word)
{
    return (i->words >> word & 1) != 0;
}

typedef struct ptx_variable {
    uint32_t offset, bytes;
} ptx_variable;

struct ptx_function {
    char *name;
    bool is_kernel, is_defined;
    ptx_variable *parameters; /* of a function, in its frame, the results first; of a kernel, in the parameter block */
    uint32_t parameter_count, result_count, parameter_bytes;
    uint32_t registers;
    uint32_t frame_bytes;  /* registers and variables */
    uint32_t local_bytes;  /* of them, variables */
    uint32_t shared_bytes; /* static */
    uint32_t max_threads;
    ptx_instruction *code; /* ends with ret */
    uint32_t count;
};

typedef struct ptx_global {
    char *name;
    unsigned char *address;
    size_t bytes;
} ptx_global;

typedef struct ptx_program {
    ptx_function **functions;
    size_t function_count;
    ptx_global *globals;
    size_t global_count;
    unsigned char *memory; /* of the globals, in whole pages, with an inaccessible one before and behind */
    size_t memory_bytes;   /* with these two */
    uint32_t called_bytes; /* of a thread's stack: enough for every function once that is no kernel */
} ptx_program;

/* Dynamic shared memory follows what the kernel declares. */
static inline uint32_t ptx_dynamic_offset(const ptx_function *kernel)
{
    return (kernel->shared_bytes + 15) / 16 * 16;
}

/* NULL, with a reason. The text needs no zero at its end. */
ptx_program *ptx_program_load(const char *text, size_t size, char *reason, size_t reason_size);
/* NULL is allowed. */
void ptx_program_unload(ptx_program *);
ptx_function *ptx_program_function(const ptx_program *, const char *name);
const ptx_global *ptx_program_global(const ptx_program *, const char *name);

#endif
