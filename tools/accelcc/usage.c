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
        "libaccel loads the best one that a device can run.\n"
        "\n"
        "  -o DIR/NAME          the library's directory and name (default: the first source's name)\n"
        "  --targets=T,...      CPUs: x86-64, x86-64-v2, x86-64-v3, x86-64-v4, aarch64;\n"
        "                       NVIDIA: compute_NN (PTX, for that GPU and all newer ones), sm_NN (machine code);\n"
        "                       AMD: gfxNNN, gfxNNN:xnack+, gfxNN-generic, ...;\n"
        "                       check: instrumented, for the backend cpu-check, which finds errors of kernels (x86-64);\n"
        "                       or words: default (on x86-64: x86-64,x86-64-v3,x86-64-v4; on aarch64: aarch64);\n"
        "                       native-levels: every level of the compiler's machine; cuda: compute_75;\n"
        "                       hip: those of gfx90a,gfx942,gfx1030,gfx1100 that an installed compiler makes;\n"
        "                       all: native-levels, cuda, hip and other CPUs for which there are compilers\n"
        "  --embed              write one object file, DIR/NAME.o, to link into the program; it defines\n"
        "                       const accel_bundle accel_bundle_NAME (for accel_module_load_bundle)\n"
        "  --cc=COMMAND         the C compiler (default: $CC, else gcc, cc or clang)\n"
        "  --cc-for=FOR=COMMAND the compiler for x86-64 or aarch64, if --cc cannot make such code; for cuda (nvcc or\n"
        "                       clang) and for hip (clang)\n"
        "  --vector-math        on CPUs, loops call the C library's vector functions (libmvec): exp, sin, pow and others,\n"
        "                       at most 4 units in the last place off; kernels for GPUs do not change\n"
        "  --resource-usage     print each kernel's registers, shared memory, stack and spills on GPUs\n"
        "  --no-lint            do not check the rules of block kernels (--lint: check)\n"
        "  --no-light           target check: leave out the light version of the kernels, which accel-check --share=N runs\n"
        "                       for most blocks; compiling takes about half the time\n"
        "\n"
        "  -I -D -U -O -g -std= -W -w -f -m -include -isystem -iquote -idirafter -L -l -Wl, -pthread ...\n"
        "                       passed to the compiler, after accelcc's own flags (shown by --verbose); GPU compilers get\n"
        "                       only -I -D -U -include -isystem -O -g -W -w -ffp-contract= -ffast-math\n"
        "\n"
        "  -MD                  write a dependency file for Make or Ninja (default: DIR/NAME.d)\n"
        "  -MF FILE             its name\n"
        "  -MT TARGET           the target of its rule (default: the files written; repeatable)\n"
        "  -MP                  add an empty rule for each header, so that headers may be deleted\n"
        "\n"
        "  --print-targets      list the targets and the compilers found for them\n"
        "  --print-files        list the objects that the same command line writes without it, and write nothing\n"
        "  --verbose            show every command\n"
        "  --keep               keep the intermediate files\n"
        "  --version, --help\n"
        "\n"
        "Exit status: 0 all files were written; 1 something failed and no file was changed; 2 wrong usage.\n",
        stdout);
}
