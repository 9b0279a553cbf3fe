/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"
#include "front.h"
#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic bool found;

/* One write, so that lines of several threads and processes stay whole. */
static void put(int file, const char *line)
{
    size_t length = strlen(line);
    while (length > 0) {
        ssize_t n = write(file, line, length);
        if (n < 0 && errno != EINTR)
            return;
        if (n > 0) {
            line += n;
            length -= (size_t)n;
        }
    }
}

bool sim_violation_allowed(const char *kind)
{
    const char *list = getenv("GPUSIM_ALLOW");
    size_t length = strlen(kind);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, kind, length) == 0 && (at[length] == '\0' || at[length] == ','))
            return true;
    }
    return false;
}

void sim_violation(const char *kind, const char *format, ...)
{
    char line[600];
    if (sim_violation_allowed(kind))
        return;
    int length = snprintf(line, sizeof line, "%s: %s: ", sim_front_here.name, kind);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
    va_end(arguments);
    strcat(line, "\n");
    atomic_store(&found, true);
    put(STDERR_FILENO, line);
    const char *path = getenv("GPUSIM_REPORT");
    int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (file >= 0) {
        put(file, line);
        close(file);
    }
}

bool sim_violations(void)
{
    return atomic_load(&found);
}

void sim_log(const char *format, ...)
{
    char line[600];
    if (!sim_settings_here.log)
        return;
    int length = snprintf(line, sizeof line, "%s: ", sim_front_here.name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + length, sizeof line - (size_t)length - 1, format, arguments);
    va_end(arguments);
    strcat(line, "\n");
    put(STDERR_FILENO, line);
}

void sim_trace(const char *function)
{
    char line[100];
    if (sim_settings_here.trace < 0)
        return;
    snprintf(line, sizeof line, "%s\n", function);
    put(sim_settings_here.trace, line);
}

void sim_trace_work(const char *format, ...)
{
    char line[100] = " ";
    if (sim_settings_here.trace < 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + 1, sizeof line - 2, format, arguments);
    va_end(arguments);
    strcat(line, "\n");
    put(sim_settings_here.trace, line);
}
