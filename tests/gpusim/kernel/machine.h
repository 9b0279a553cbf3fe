/* SPDX-License-Identifier: Apache-2.0 */
/* ELF headers of host objects, of cubins and of AMD's code objects, made of one another. */
#ifndef GPUSIM_MACHINE_H
#define GPUSIM_MACHINE_H

#include "grid.h"

#include <elf.h>

/* The header for a target: "sm_80" is a cubin's, "gfx90a:xnack+" is HSACO. False if the target is unknown. */
bool gpusim_machine_stamp(Elf64_Ehdr *header, const char *target);
/* The form and the target that a header names; false if it is none of the two. */
bool gpusim_machine_read(const Elf64_Ehdr *header, gpusim_form *form, char target[64]);
/* Makes it a host object's again. */
void gpusim_machine_restore(Elf64_Ehdr *header);

#endif
