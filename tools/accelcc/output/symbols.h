/* SPDX-License-Identifier: Apache-2.0 */
/* Names in object files: what target `check` has twice gets another name in the light version (check_table.h). */
#ifndef ACCELCC_SYMBOLS_H
#define ACCELCC_SYMBOLS_H

#include "base/list.h"

/* The workspace files of the light version, all sources of one library. Functions, descriptors and thread-local arrays get
 * ACCEL_LIGHT_PREFIX before their names, also where another source uses them. Other variables become weak: the first version
 * defines them. Returns false after a message. */
bool symbols_make_light(const list *objects);

#endif
