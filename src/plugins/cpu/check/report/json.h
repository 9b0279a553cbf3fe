/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as JSON: one object in a line of a file. docs/checking.md lists the members. Under the lock of check.c. */
#ifndef ACCEL_CPU_CHECK_JSON_H
#define ACCEL_CPU_CHECK_JSON_H

#include "plugins/cpu/check/report/description.h"

#include <accel/accel.h>

/* The file to which objects are appended; NULL: none. Kept by reference. */
void check_json_to(const char *file);
bool check_json_is_open(void);
/* Appends the description. Does nothing without a file. false: it could not be written, and errno says why. */
bool check_json_write(const check_description *);

#endif
