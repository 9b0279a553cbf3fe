/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a trace: a JSON array of events, which grows. Threads take turns by `lock` and `unlock` around an event. */
#ifndef TOOL_TRACE_FILE_H
#define TOOL_TRACE_FILE_H

#include <accel/tool.h>

/* Opens the file; "%p" in the name becomes the process's number. ACCEL_IO, and the host knows why. */
accel_status trace_file_open(const accel_tool_host *, const char *name);
void trace_file_lock(void);
void trace_file_unlock(void);
/* An event begins; under the lock, as all that follows. */
void trace_file_begin(void);
void trace_file_add(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A JSON string. */
void trace_file_add_text(const char *text);
/* The array ends; nothing is written afterwards. What could not be written is told on standard error. */
void trace_file_end(void);

#endif
