/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the simulated devices' memory lies. Each library has a stretch of addresses: SIM_SPAN bytes of memory that host
 * and devices share (pinned, managed), and as many for each device. The program's process only reserves the devices'
 * part, without any access; a device process maps its own device's, and those it has peer access to. Both map the shared
 * part, at the same addresses.
 *
 * 0x5500... to 0x5540... is an application's in the layouts of AddressSanitizer and ThreadSanitizer for x86-64, below
 * where the kernel puts programs (0x5555...), and far from where it puts mappings.
 */
#ifndef GPUSIM_ADDRESS_H
#define GPUSIM_ADDRESS_H

#include <stddef.h>
#include <stdint.h>

#define SIM_CUDA_BASE ((uintptr_t)0x550000000000)
#define SIM_HIP_BASE ((uintptr_t)0x552000000000)
#define SIM_SPAN ((size_t)1 << 34) /* 16 GiB; eight of them lie between the two bases */

/* A device's file of memory continues behind its span: the pages of modules' globals. */
#define SIM_GLOBALS_SPAN ((size_t)1 << 31)

#endif
