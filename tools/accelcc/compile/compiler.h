/* SPDX-License-Identifier: Apache-2.0 */
/* The C compilers of this machine: its own, and cross compilers. gpu_compiler.h has those for GPUs. */
#ifndef ACCELCC_COMPILER_H
#define ACCELCC_COMPILER_H

#include "options.h"

#include <stdint.h>

/* A processor family that host objects are made for. */
typedef struct accelcc_architecture {
    const char *name;           /* as in --cc-for: "x86-64" */
    const char *macro;          /* that its compilers define */
    const char *cross_compiler; /* looked for where the compiler makes code for another machine */
    uint16_t elf_machine;       /* EM_* */
} accelcc_architecture;

extern const accelcc_architecture architecture_x86_64, architecture_aarch64;

typedef struct accelcc_compiler {
    list command;                             /* the program's path, and perhaps flags of the user */
    const accelcc_architecture *architecture; /* that it makes code for; NULL: another one */
    bool is_clang;
    const char *assembler;  /* for NVIDIA: ptxas; NULL: there is none */
    const char *libraries;  /* for GPUs and clang: the file or directory of device functions; NULL: there is none */
    bool lacks_mathematics; /* for this target there are no device functions here */
} accelcc_compiler;

/* Returns the absolute path of a program, because some run in another working directory; NULL if there is none. */
const char *compiler_program(const char *name);
/* Splits a command, a program with optional flags. Returns false if the program is not found. */
bool compiler_command(const char *text, list *command);
/* The command of the last --cc-for=NAME=COMMAND; NULL if there is none. */
const char *compiler_given(const accelcc_options *, const char *name);

/* Finds the compiler for programs: --cc, $CC, or the first of gcc, cc, clang on PATH. Returns false after a message. */
bool compiler_find(const accelcc_options *, accelcc_compiler *);
/* The compiler for an architecture: `own` if it makes such code, else --cc-for or the cross compiler. With `quiet` no
 * message. */
bool compiler_find_for(const accelcc_options *, const accelcc_architecture *, const accelcc_compiler *own, bool quiet,
                       accelcc_compiler *);

#endif
