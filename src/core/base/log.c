/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/log.h"

#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/base/nearest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const level_names[] = {"error", "warning", "info", "debug"};
#define LEVEL_COUNT (sizeof(level_names) / sizeof(level_names[0]))

/* Each is read and written by itself; a line that is written while they change goes to the old target or the new. */
static _Atomic uint32_t log_level; /* 0: silent */
static _Atomic int log_file = STDERR_FILENO;

/* Files that were opened: never closed, since a thread may be writing, and found again by path. Only ever grows; pushed with
 * release, read with acquire. */
typedef struct log_target {
    struct log_target *next;
    int file;
    char path[];
} log_target;
static _Atomic(log_target *) targets;

static accel_status open_target(const char *path, int *file)
{
    for (log_target *target = atomic_load_explicit(&targets, memory_order_acquire); target != NULL;
         target = target->next) {
        if (strcmp(target->path, path) == 0) {
            *file = target->file;
            return ACCEL_OK;
        }
    }

    size_t size = strlen(path) + 1;
    log_target *target = accel_allocate(sizeof(*target) + size);

    if (target == NULL)
        return ACCEL_OUT_OF_MEMORY;
    memcpy(target->path, path, size);
    /* A pipe holds nobody up: without a reader it is refused, and lines that do not fit are lost. */
    target->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (target->file < 0) {
        accel_deallocate(target);
        return accel_error_set(ACCEL_IO, "ACCEL_LOG: \"%s\" cannot be opened for writing: %s", path,
                               errno == ENXIO ? "nobody reads the pipe; start its reader first" : strerror(errno));
    }
    target->next = atomic_load_explicit(&targets, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&targets, &target->next, target, memory_order_release,
                                                  memory_order_relaxed))
        continue;
    *file = target->file;
    return ACCEL_OK;
}

accel_status accel_log_configure(const char *value)
{
    size_t length = strcspn(value, ":");
    int file = STDERR_FILENO;
    uint32_t level = 0;

    if (value[0] == '\0') {
        atomic_store_explicit(&log_level, 0, memory_order_relaxed);
        return ACCEL_OK;
    }
    for (uint32_t i = 0; i < LEVEL_COUNT; ++i) {
        if (strlen(level_names[i]) == length && strncmp(value, level_names[i], length) == 0)
            level = i + 1;
    }
    if (level == 0) {
        char word[64];
        snprintf(word, sizeof(word), "%.*s", length < sizeof(word) ? (int)length : (int)sizeof(word) - 1, value);
        const char *nearest = accel_nearest(word, level_names, LEVEL_COUNT);
        return accel_error_set(
            ACCEL_INVALID,
            "ACCEL_LOG is \"%s\"; \"%s\" is no level%s%s%s: error, warning, info, debug, then perhaps :FILE", value,
            word, nearest != NULL ? ", maybe \"" : "", nearest != NULL ? nearest : "", nearest != NULL ? "\"" : "");
    }
    if (value[length] == ':') {
        if (value[length + 1] == '\0')
            return accel_error_set(
                ACCEL_INVALID, "ACCEL_LOG is \"%s\", which names no file after the ':'; leave the ':' out for stderr",
                value);
        accel_status status = open_target(value + length + 1, &file);
        if (status != ACCEL_OK)
            return status;
    }
    atomic_store_explicit(&log_file, file, memory_order_relaxed);
    atomic_store_explicit(&log_level, level, memory_order_relaxed);
    return ACCEL_OK;
}

void accel_log(uint32_t level, const char *format, ...)
{
    char line[4096];
    int saved = errno;
    va_list list;

    if (level == 0 || level > atomic_load_explicit(&log_level, memory_order_relaxed))
        return;

    int begin =
        snprintf(line, sizeof(line), "libaccel[%ld] %s: ", (long)getpid(), level_names[(level - 1) % LEVEL_COUNT]);
    va_start(list, format);
    int more = vsnprintf(line + begin, sizeof(line) - (size_t)begin, format, list);
    va_end(list);

    size_t length = (size_t)begin + (more > 0 ? (size_t)more : 0);
    if (length > sizeof(line) - 1)
        length = sizeof(line) - 1;
    for (size_t i = 0; i < length; ++i) {
        if (line[i] == '\n')
            line[i] = ' ';
    }
    line[length] = '\n';
    while (write(atomic_load_explicit(&log_file, memory_order_relaxed), line, length + 1) < 0 && errno == EINTR)
        continue;
    errno = saved;
}
