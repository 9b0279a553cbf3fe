/* SPDX-License-Identifier: Apache-2.0 */
/* ELF headers of host objects, of cubins and of AMD's code objects, made of one another. */
#ifndef GPUSIM_MACHINE_H
#define GPUSIM_MACHINE_H

#include "grid.h"

#include <elf.h>

/* Makes a host object's header that of a target: "sm_80" is a cubin's, "gfx90a:xnack+" is HSACO. False if the target is
 * unknown. */
bool gpusim_machine_stamp(Elf64_Ehdr *header, const char *target);
/* Notes in the header what it and the program headers are, and tells whether they are so still: the system's loader, to
 * which they are given in the end, does not survive damaged ones. */
bool gpusim_machine_seal(void *data, size_t size);
bool gpusim_machine_sealed(const void *data, size_t size);
/* The form and the target that a header names; false if it is none of the two. */
bool gpusim_machine_read(const Elf64_Ehdr *header, gpusim_form *form, char target[64]);
/* Makes it a host object's again, without a checksum. */
void gpusim_machine_restore(Elf64_Ehdr *header);

#endif
