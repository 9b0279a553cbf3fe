/* SPDX-License-Identifier: Apache-2.0 */
/* A code object that tells the width of its warps, in a note as AMD's compilers write it. */
#include <accel/kernel.h>

__asm__(".pushsection .note.AMDGPU, \"a\", @note\n"
        ".balign 4\n"
        ".long 7, 2f - 1f, 32\n"
        ".asciz \"AMDGPU\"\n"
        ".balign 4\n"
        "1: .byte 0x81, 0xae\n"
        ".ascii \"amdhsa.kernels\"\n"
        ".byte 0x91, 0x81, 0xaf\n"
        ".ascii \".wavefront_size\"\n"
        ".byte 32\n"
        "2: .balign 4\n"
        ".popsection");

ACCEL_KERNEL_BLOCK(of_32_lanes, accel_no_args, args, 64)
{
    (void)args;
}
