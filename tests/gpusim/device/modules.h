/* SPDX-License-Identifier: Apache-2.0 */
/* Loaded kernel objects, by number. From the control thread alone. */
#ifndef GPUSIM_DEVICE_MODULES_H
#define GPUSIM_DEVICE_MODULES_H

#include "../engine/wire.h"

void device_module_load(int file, uint64_t size, uint64_t aside, wire_answer *answer);
void device_module_unload(uint64_t number);
void device_module_kernel(uint64_t number, const char *name, wire_answer *answer);
void device_module_global(uint64_t number, const char *name, wire_answer *answer);

#endif
