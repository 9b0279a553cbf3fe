/* SPDX-License-Identifier: Apache-2.0 */
/* Output for people: headings, and values in columns that wrap at 100. */
#ifndef ACCEL_INFO_TEXT_H
#define ACCEL_INFO_TEXT_H

#include <stdint.h>

void text_heading(const char *title);
/* `label` at column `indent`, then the value from column `column` on, continued there on further lines: at line ends,
 * and at spaces where a line would be too long. */
void text_field(unsigned indent, unsigned column, const char *label, const char *value);
/* As text_field, of a formatted value. */
void text_format(unsigned indent, unsigned column, const char *label, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* "24.0 GiB"; "unknown" for 0. */
const char *text_bytes(uint64_t bytes, char buffer[32]);

#endif
