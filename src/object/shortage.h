/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C6: a process that has no file descriptor or no memory left cannot tell whether a file is there, and what is in it. Whoever
 * looks for a file then neither goes on without it nor takes another one: the call fails, with a text that names the file,
 * the system's words and the remedy. It is repeated when there is more.
 */
#ifndef ACCEL_OBJECT_SHORTAGE_H
#define ACCEL_OBJECT_SHORTAGE_H

#include <accel/accel.h>

/* ACCEL_IO for errno EMFILE and ENFILE, ACCEL_OUT_OF_MEMORY for ENOMEM; ACCEL_OK for all that says something of the file
 * itself. */
accel_status shortage_status(int number);
/* What to do about it: "close files, ...". */
const char *shortage_remedy(int number);
/* The errno that dlerror's words end with, if it is one of those; else 0. NULL is allowed. */
int shortage_in(const char *words);

/* Others' code goes on without the files that it cannot open. Are there as many descriptors as it needs at once, at most 64?
 * 0, or the errno. */
int shortage_of_descriptors(unsigned needed);

#endif
