/* SPDX-License-Identifier: Apache-2.0 */
/* The C compilers of this machine: its own, and cross compilers. */
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
} accelcc_compiler;

/* The compiler for programs: --cc, $CC, or the first of gcc, cc, clang on PATH. false after a message. */
bool compiler_find(const accelcc_options *, accelcc_compiler *);
/* The compiler for an architecture: `own` if it makes such code, else --cc-for or the cross compiler. With `quiet` no
 * message. */
bool compiler_find_for(const accelcc_options *, const accelcc_architecture *, const accelcc_compiler *own, bool quiet,
                       accelcc_compiler *);

#endif
