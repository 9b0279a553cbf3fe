/* SPDX-License-Identifier: Apache-2.0 */
/* A line that a kernel prints (semantics K19). */
#ifndef ACCEL_PLUGIN_LINE_H
#define ACCEL_PLUGIN_LINE_H

#include <accel/object.h>

/* Formats the values, whose texts are addresses of the host, and writes the line to stdout by one call. A conversion that does
 * not fit its value prints the value as what it is. */
void plugin_line_print(const char *format, const accel_print_value *values, uint32_t count);

#endif
