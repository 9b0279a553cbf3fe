/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/object.h - the kernel-object ABI.
 *
 * A kernel library is shipped as one object per target: NAME.x86-64-v3.so, NAME.compute_80.ptx,
 * NAME.sm_90.cubin, NAME.gfx90a.hsaco. Every object carries one read-only descriptor per kernel. The loader
 * finds it by its symbol and checks it before it uses the kernel. accel/kernel.h writes descriptors for C and
 * C++ sources; a kernel in any other language needs nothing but this file.
 *
 * Conventions
 *  - Descriptors begin with magic, abi and struct_size. Members are appended, never moved.
 *  - Index 0 of every three-element array is x, the fastest dimension (the last extent of the host API).
 *  - Objects never call into libaccel. The launch context hands them what they need at run time.
 *
 * This file stands alone: it includes only <stddef.h> and <stdint.h>, and compiles as C11, C++17, CUDA and HIP.
 */
#ifndef ACCEL_OBJECT_H
#define ACCEL_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ACCEL_OBJECT_ABI 1u
#define ACCEL_OBJECT_MAGIC 0x4b434341u /* "ACCK", little-endian */
#define ACCEL_BUNDLE_MAGIC 0x42434341u /* "ACCB", little-endian */

/* Symbols of an object, for a kernel called NAME. The prefixes keep kernel names apart from the C library's:
 * a kernel may be called `copy` or `free`. */
#define ACCEL_DESCRIPTOR_PREFIX "accel_descriptor_" /* every target: the accel_descriptor, data */
#define ACCEL_ENTRY_PREFIX "accel_kernel_"          /* GPU targets: the function */

/* Limits that hold on every target. */
#define ACCEL_MAX_ARGS_SIZE 4096u     /* bytes of one argument struct */
#define ACCEL_MAX_BLOCK_THREADS 1024u /* threads of one block */
/* Bytes of stack that a thread of a thread kernel has on CPUs, unless ACCEL_CPU_STACK_SIZE says otherwise. */
#define ACCEL_THREAD_STACK_SIZE 16384

/* ---------------------------------------------------------------------------------------------- grid -- */

/* A value that a kernel prints, and what it is. Fewer than 64 bits are extended by their sign, if the type has one. */
#define ACCEL_PRINT_INT32 1u
#define ACCEL_PRINT_UINT32 2u
#define ACCEL_PRINT_INT64 3u
#define ACCEL_PRINT_UINT64 4u
#define ACCEL_PRINT_DOUBLE 5u  /* its bits */
#define ACCEL_PRINT_POINTER 6u /* an address */
#define ACCEL_PRINT_TEXT 7u    /* the address of characters, the last of which is 0 */
typedef struct accel_print_value {
    uint32_t kind;  /* ACCEL_PRINT_* */
    uint32_t bytes; /* GPUs: of a text, without its 0; else 0 */
    uint64_t word;
} accel_print_value;

#define ACCEL_PRINT_VALUES 12u /* of one line at most */
#define ACCEL_PRINT_LINE 1024u /* bytes of one line, and of a text in it, with the 0 at the end */

/* What the threads of a GPU print, in device memory: a ring of words. Numbers of words grow for ever and wrap; number n is at
 * n & mask. A thread takes words by raising `used`, or adds 1 to `dropped` if `limit` does not allow it. It writes a record
 * into them, the first word last:
 *     words of the record; 0 before
 *     bytes of the format, without its 0; number of values in the upper 16 bits
 *     for each value its kind, and a text's bytes in the upper 16 bits; then the lower and the upper half, or the text
 *     the format
 * Texts end with at least one 0. */
typedef struct accel_print_buffer {
    uint32_t used;
    uint32_t limit; /* `used` may rise to it; the host raises it behind what it has read and made 0 */
    uint32_t dropped;
    uint32_t mask; /* number of words minus one; the number is a power of two */
    uint32_t *words;
} accel_print_buffer;

/* What the threads of a GPU say of assertions that failed, in device memory. Threads add 1 to `count`, and the one that finds 0
 * there writes the rest but for `lines`. All 0 before. Texts that are too long lose their beginning (the file) or end. */
#define ACCEL_REPORT_FILE 128u
#define ACCEL_REPORT_CONDITION 216u
typedef struct accel_report {
    uint32_t count;
    uint32_t line;
    uint64_t launch; /* accel_grid.launch */
    uint32_t block[3];
    uint32_t thread[3]; /* in its block */
    char file[ACCEL_REPORT_FILE];
    char condition[ACCEL_REPORT_CONDITION];
    accel_print_buffer *lines; /* for kernels whose descriptor has ACCEL_KERNEL_PRINTS */
} accel_report;

/* What the hardware does not know about a launch. On GPUs it is the kernel's second by-value parameter,
 * after the argument struct; on CPUs the launch context points to it. Arrays are indexed from the fastest
 * dimension: [0] is x, [1] is y, [2] and above fold into z. Dimensions that a launch does not have are 1. */
typedef struct accel_grid {
    uint32_t struct_size;
    uint32_t dims;        /* dimensions of the work division, 1 to 6 */
    uint32_t blocks[6];   /* blocks of the grid per dimension */
    uint32_t threads[6];  /* threads of a block per dimension */
    uint64_t elems[6];    /* elements of a thread per dimension */
    uint32_t *locks;      /* lock table for atomics on structs: one per process (CPU) or device (GPU) */
    uint64_t lock_mask;   /* number of locks minus one; the number is a power of two */
    accel_report *report; /* GPUs: for kernels that have ACCEL_KERNEL_ASSERTS or _PRINTS, else null. CPUs: null */
    uint64_t launch;      /* GPUs: what the report is to say of the launch */
} accel_grid;

/* ------------------------------------------------------------------------------------- host entries -- */

typedef struct accel_launch_context accel_launch_context;
typedef struct accel_thread_context accel_thread_context;

/* What a barrier returns to each of its threads: the number of predicates that are not 0, or whether all or any are. */
#define ACCEL_SYNC_PLAIN 0u
#define ACCEL_SYNC_COUNT 1u
#define ACCEL_SYNC_AND 2u
#define ACCEL_SYNC_OR 3u

/* A condition that a kernel asserts and that does not hold. The texts live as long as the object. */
#define ACCEL_NO_THREAD SIZE_MAX
typedef struct accel_assertion {
    uint32_t struct_size;
    uint32_t line;
    const char *file;
    const char *condition;
    size_t block[3];
    size_t
        thread[3]; /* in its block; all ACCEL_NO_THREAD: a block kernel outside regions, or in a loop over elements */
} accel_assertion;

/* One launch, as the CPU engine describes it to a host object. Read-only for the kernel; valid for the call.
 * Later engines may append members; struct_size says how many bytes there are. */
struct accel_launch_context {
    uint32_t struct_size;
    uint32_t flags; /* 0 */
    const accel_grid *grid;
    size_t grid_extent[3];  /* blocks in x, y, z after folding */
    size_t block_extent[3]; /* threads of a block in x, y, z after folding */
    size_t elem_extent[3];  /* elements of a thread in x, y, z after folding */
    void *shared;           /* shared memory of this block, 64-byte aligned; not to be used if there is none */
    size_t shared_bytes;    /* its size */
    /* Block barrier of thread kernels. mode is ACCEL_SYNC_*; returns the count, or 0/1, or 0 for plain.
     * Called only from inside run_thread, with the context that run_thread was given. */
    uint32_t (*sync)(const accel_thread_context *thread, uint32_t mode, uint32_t predicate);
    /* For kernels whose descriptor has ACCEL_KERNEL_ASSERTS, else null. Ends the launch with ACCEL_KERNEL_FAULT and does not
     * return. `thread` is what run_thread was given; null in run_blocks. `failed` is copied. */
    void (*fail)(const accel_launch_context *launch, const accel_thread_context *thread, const accel_assertion *failed);
    /* For kernels whose descriptor has ACCEL_KERNEL_PRINTS, else null. Formats the values, of which there are at most
     * ACCEL_PRINT_VALUES, and writes the line. Any thread may call it at any time. */
    void (*print)(const accel_launch_context *launch, const char *format, const accel_print_value *values,
                  uint32_t count);
    /* Lets other threads have the CPU for a while, for loops that wait for them. */
    void (*yield)(void);
};

/* One thread of a block, for thread kernels. The engine keeps private state behind it. */
struct accel_thread_context {
    const accel_launch_context *launch;
    size_t block_index[3];
    size_t thread_index[3];
};

/* Runs `count` blocks from linear block index `first` (x fastest), one after the other, on the calling
 * thread. For block kernels, and for thread kernels that never synchronise. `args` points to the argument
 * struct, aligned as the descriptor asks; it does not change during the launch.
 *
 * A thread kernel may have one, too: engines call it with a count of 0 on a stack of the system's, before that thread's
 * fibers run the kernel. It makes the calling thread's first access to the object's thread-local memory, for which the C
 * library may want more stack than a fiber has. */
typedef void (*accel_blocks_function)(const accel_launch_context *launch, const void *args, size_t first, size_t count);

/* Runs one thread of one block. For thread kernels: the engine gives every thread a fiber. */
typedef void (*accel_thread_function)(const accel_thread_context *thread, const void *args);

/* --------------------------------------------------------------------------------------- descriptor -- */

#define ACCEL_FORM_BLOCK 1u         /* body once per block on CPUs; run_blocks */
#define ACCEL_FORM_THREAD 2u        /* body once per thread, may synchronise; run_thread, maybe run_blocks */
#define ACCEL_FORM_THREAD_NOSYNC 3u /* body once per thread, never synchronises; run_blocks */

#define ACCEL_KERNEL_NO_ARGS 1u /* descriptor flag: declared with accel_no_args, launched with NULL, 0 */
#define ACCEL_KERNEL_PATTERN 2u /* descriptor flag: the descriptor is an accel_pattern_descriptor */
#define ACCEL_KERNEL_ASSERTS 4u /* descriptor flag: the kernel may end its launch because an assertion failed */
#define ACCEL_KERNEL_PRINTS 8u  /* descriptor flag: the kernel may print */
#define ACCEL_KERNEL_ROUNDS 16u /* descriptor flag: CPUs round to nearest and keep denormal numbers, as in patterns */

/* One kernel. Exported as data under "accel_descriptor_NAME". On GPU targets name, run_blocks and run_thread
 * are null and the function is the symbol "accel_kernel_NAME". */
typedef struct accel_descriptor {
    uint32_t magic;        /* ACCEL_OBJECT_MAGIC */
    uint32_t abi;          /* ACCEL_OBJECT_ABI */
    uint32_t struct_size;  /* sizeof(accel_descriptor) */
    uint32_t form;         /* ACCEL_FORM_* */
    uint32_t flags;        /* ACCEL_KERNEL_* */
    uint32_t args_size;    /* bytes of the argument struct, 1 to ACCEL_MAX_ARGS_SIZE */
    uint32_t args_align;   /* its alignment, a power of two */
    uint32_t block[3];     /* block extents fixed at compile time in x, y, z; all 0: any */
    uint32_t shared_bytes; /* static shared memory that the engine provides at the start of `shared`, before the dynamic
                              part; 0 for kernel.h, whose static shared memory is the object's own */
    uint32_t grid_size;    /* sizeof(accel_grid) when the object was compiled */
    const char *name;      /* NAME */
    accel_blocks_function run_blocks;
    accel_thread_function run_thread;
} accel_descriptor;

/* ----------------------------------------------------------------------------------------- patterns -- */

#define ACCEL_KIND_REDUCE 1u
#define ACCEL_KIND_SCATTER 2u
#define ACCEL_KIND_SCAN 3u
#define ACCEL_KIND_SCAN_FINAL 4u /* a scan with a body that is given the prefix; the result may be NULL */

/* The order of a pattern (docs/semantics.md, P2): a tile is ACCEL_TILE_PIECES contiguous pieces of ACCEL_PIECE_ELEMS
 * elements, each ACCEL_TILE_LANES lanes wide. */
#define ACCEL_TILE_LANES 32u
#define ACCEL_TILE_PIECES 4u
#define ACCEL_PIECE_ELEMS 4096u
#define ACCEL_TILE_ELEMS (ACCEL_TILE_PIECES * ACCEL_PIECE_ELEMS)
#define ACCEL_MAX_PATTERN_ELEMENT 256u /* bytes of an element */

#define ACCEL_PLACES_UNORDERED 1u /* elements may be joined in any order (docs/semantics.md, P11) */

/* What libaccel hands to a pattern's kernel. It follows the argument struct, at the next multiple of 8 bytes. A launch has
 * one dimension and blocks of ACCEL_TILE_LANES * ACCEL_TILE_PIECES threads; block b makes the tiles b * elems to
 * (b + 1) * elems - 1. A launch without elements makes one tile.
 *
 * On CPUs a launch of a reduction may have blocks of ACCEL_TILE_LANES threads instead: block b makes piece b. Then there is room
 * behind the results for what a kernel keeps of tiles whose pieces are not all in one call: a byte for each tile, and, at the next
 * multiple of 64 bytes, for each piece of each tile ACCEL_TILE_LANES elements, rounded up to 64 bytes. The launch that joins the
 * results is told how many pieces there were. */
typedef struct accel_pattern_places {
    uint64_t n;         /* elements of this launch */
    uint64_t extent[3]; /* of the pattern; [2] is the fastest. Those that it does not have are 1 */
    const void *in;     /* NULL: elements are computed from indices. Else they are these, results of a launch before */
    void *out;          /* reduce: a result for each tile */
    uint64_t flags;  /* ACCEL_PLACES_*, where in is NULL; a kernel may ignore them. Results of tiles that were joined to
                           another one are what the reducer starts with */
    uint64_t pieces; /* of a launch before by pieces, whose results are `in`; else 0 */
} accel_pattern_places;

/* Of tiles whose results have `element_size` bytes: where the lanes begin behind the results, and bytes of the lanes of one piece. */
#define ACCEL_LANES_AT(tiles, element_size) (((tiles) * ((element_size) + 1) + 63) / 64 * 64)
#define ACCEL_PIECE_LANES_BYTES(element_size) ((ACCEL_TILE_LANES * (element_size) + 63) / 64 * 64)

/* The order of a scan (docs/semantics.md, P7): a tile is ACCEL_SCAN_RUNS contiguous runs, a group as many tiles. */
#define ACCEL_RUN_ELEMS 16u
#define ACCEL_SCAN_RUNS (ACCEL_TILE_PIECES * ACCEL_TILE_LANES)
#define ACCEL_SCAN_TILE_ELEMS (ACCEL_SCAN_RUNS * ACCEL_RUN_ELEMS)
#define ACCEL_SCAN_HEAD_BYTES 16u /* a value between the steps has at most so many bytes more than an element */

#define ACCEL_SCAN_STEP_TILES 0u
#define ACCEL_SCAN_STEP_GROUPS 1u
#define ACCEL_SCAN_STEP_CARRIES 2u
#define ACCEL_SCAN_STEP_BEGIN 3u
#define ACCEL_SCAN_STEP_CHUNKS 4u
#define ACCEL_SCAN_STEP_KNOWN 5u
#define ACCEL_SCAN_STEP_REST 6u

#define ACCEL_SCAN_PLACES_INCLUSIVE 1u
#define ACCEL_SCAN_PLACES_STREAM 2u /* the result is larger than the caches: it may bypass them */

/* How far the threads of a scan in chunks are. Each keeps the runs of some chunks. Behind the struct:
 * uint64_t left[threads][ACCEL_SCAN_KEPT_CHUNKS], 1 and a chunk that is yet to be scanned, or 0; and
 * uint8_t states[chunks], atomic: 0 free, 1 taken, 2 with totals. */
#define ACCEL_SCAN_KEPT_CHUNKS 17u
typedef struct accel_scan_progress {
    uint64_t known; /* chunks, from the first, of which it is known what precedes their tiles; atomic, as `held` */
    uint32_t held;  /* 1: a thread makes more known */
    uint32_t reserved;
    uint64_t apart[6];
} accel_scan_progress;

/* What libaccel hands to a scan's kernel, as accel_pattern_places. The i-th index of a launch is, by step:
 * TILES: makes the total of tile total_begin + i, if that is before total_end, and scans tile begin + i, if before end;
 * GROUPS: makes of the totals of tiles before total_end what precedes each from total_begin on in group begin + i, and the
 * group's total;
 * CARRIES: one index for the groups from begin to end: makes what precedes each but the first, whose carry is there.
 *
 * Or, on CPUs, all of it by `end` indices, which run side by side or one after the other and never wait long:
 * BEGIN: one index: clears the progress;
 * CHUNKS: takes chunks of tiles, makes their totals, and scans them later. If what precedes them does not become known soon, it
 * leaves them, and ends;
 * KNOWN: one index: makes what precedes the tiles of all chunks;
 * REST: scans the chunks that index i has left. */
typedef struct accel_scan_places {
    uint64_t n; /* elements */
    uint64_t begin, end;
    uint64_t total_begin, total_end;
    uint64_t chunk; /* tiles of one */
    uint32_t step;  /* ACCEL_SCAN_STEP_* */
    uint32_t flags; /* ACCEL_SCAN_PLACES_* */
    /* ACCEL_SCAN_RUNS values for each tile: what precedes each run in it. NULL: made again. CHUNKS: for each index those of
     * ACCEL_SCAN_KEPT_CHUNKS chunks */
    void *runs;
    void *totals;                  /* a value for each tile: its total */
    void *tiles;                   /* a value for each tile: what precedes it in its group. NULL: it is the only one */
    void *groups;                  /* a value for each group: its total */
    void *carries;                 /* a value for each group: what precedes it; that of the first is not read */
    void *out;                     /* an element for each index; NULL: none is written */
    accel_scan_progress *progress; /* of CHUNKS; else NULL */
} accel_scan_places;

/* The descriptor of a pattern's kernel. Its flags say so, its struct_size is this struct's, and its args_size counts both
 * the author's argument struct and the places, which are a scan's if the kind is. */
typedef struct accel_pattern_descriptor {
    accel_descriptor kernel;
    uint32_t kind;         /* ACCEL_KIND_* */
    uint32_t dims;         /* 1 to 3; of a scan 1 */
    uint32_t args_size;    /* bytes of the author's argument struct */
    uint32_t element_size; /* bytes of an element, 1 to ACCEL_MAX_PATTERN_ELEMENT */
} accel_pattern_descriptor;

/* ------------------------------------------------------------------------------------------- bundle -- */

/* Objects of several targets linked into the program, made by `accelcc --embed` as `accel_bundle_NAME`. */
typedef struct accel_bundle_entry {
    const char *target; /* "x86-64-v3", "compute_80", "gfx90a:xnack+" */
    const char *format; /* "so", "ptx", "cubin", "hsaco" */
    const void *data;
    size_t size; /* bytes */
} accel_bundle_entry;

typedef struct accel_bundle {
    uint32_t magic;       /* ACCEL_BUNDLE_MAGIC */
    uint32_t abi;         /* ACCEL_OBJECT_ABI */
    uint32_t struct_size; /* sizeof(accel_bundle) */
    uint32_t entry_size;  /* sizeof(accel_bundle_entry): the distance between entries */
    const char *name;     /* the library's, as for accel_module_load */
    size_t count;
    const accel_bundle_entry *entries;
} accel_bundle;

/* The argument struct of a kernel without arguments. */
#ifndef ACCEL_NO_ARGS_DEFINED
#define ACCEL_NO_ARGS_DEFINED
typedef struct accel_no_args {
    uint8_t none;
} accel_no_args;
#endif

#ifdef __cplusplus
}
#endif

#endif
