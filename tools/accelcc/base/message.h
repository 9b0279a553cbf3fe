/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of accelcc itself, on stderr, one line each, beginning with "accelcc: ". */
#ifndef ACCELCC_MESSAGE_H
#define ACCELCC_MESSAGE_H

void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
