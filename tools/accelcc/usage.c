/* SPDX-License-Identifier: Apache-2.0 */
#include "usage.h"

#include <stdio.h>

void usage_print(void)
{
    fputs(
        "Usage: accelcc -o DIR/NAME [OPTION]... SOURCE...\n"
        "\n"
        "Compiles kernels (accel/kernel.h) for several targets and writes one object for each:\n"
        "DIR/NAME.x86-64.so, DIR/NAME.compute_80.ptx, DIR/NAME.sm_90.cubin, DIR/NAME.gfx90a.hsaco, ...\n"
        "libaccel loads the best that a device runs.\n"
        "\n"
        "  -o DIR/NAME          the library's directory and name (default: the first source's name)\n"
        "  --targets=T,...      CPUs: x86-64, x86-64-v2, x86-64-v3, x86-64-v4, aarch64;\n"
        "                       NVIDIA: compute_NN (PTX, for that GPU and all newer ones), sm_NN (machine code);\n"
        "                       AMD: gfxNNN, gfxNNN:xnack+, gfxNN-generic, ...;\n"
        "                       or words: default (on x86-64: x86-64,x86-64-v3,x86-64-v4; on aarch64: aarch64);\n"
        "                       native-levels: every level of the compiler's machine; cuda: compute_75;\n"
        "                       hip: those of gfx90a,gfx942,gfx1030,gfx1100 that a compiler here makes;\n"
        "                       all: native-levels, cuda, hip and other CPUs, as far as there are compilers\n"
        "  --embed              write one object file, DIR/NAME.o, to link into the program; it defines\n"
        "                       const accel_bundle accel_bundle_NAME (for accel_module_load_bundle)\n"
        "  --cc=COMMAND         the C compiler (default: $CC, else gcc, cc or clang)\n"
        "  --cc-for=FOR=COMMAND the compiler for x86-64 or aarch64, where --cc makes no such code; for cuda (nvcc or\n"
        "                       clang) and for hip (clang)\n"
        "  --resource-usage     print what each kernel uses of a GPU: registers, shared memory, stack, spills\n"
        "  --no-lint            do not check that regions are left by \"continue\" only (--lint: do)\n"
        "\n"
        "  -I -D -U -O -g -std= -W -w -f -m -include -isystem -iquote -idirafter -L -l -Wl, -pthread ...\n"
        "                       go to the compiler, after the flags of accelcc (shown by --verbose); of them -I -D\n"
        "                       -U -include -isystem -O -g -W -w -ffp-contract= -ffast-math to those for GPUs\n"
        "\n"
        "  -MD                  write a dependency file for Make or Ninja (default: DIR/NAME.d)\n"
        "  -MF FILE             its name\n"
        "  -MT TARGET           what it says is to be rebuilt (default: the files written; repeatable)\n"
        "  -MP                  an empty rule for each header, so that one may be deleted\n"
        "\n"
        "  --print-targets      list the targets and the compilers found for them\n"
        "  --verbose            show every command\n"
        "  --keep               keep the intermediate files\n"
        "  --version, --help\n"
        "\n"
        "Exit status: 0 all files are written; 1 something failed, and nothing is changed; 2 wrong usage.\n",
        stdout);
}
