/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/check/report/suppression.h"
#include "plugins/cpu/engine/host.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct suppression {
    struct suppression *next;
    size_t number; /* its line in the file */
    uint32_t kind; /* CHECK_FINDING_KINDS: any */
    size_t line;   /* 0: any */
    char pattern[];
} suppression;

static suppression *all;

static void forget(void)
{
    while (all != NULL) {
        suppression *first = all;
        all = first->next;
        free(first);
    }
}

/* CHECK_FINDING_KINDS: there is no kind of this name. */
static uint32_t kind_of(const char *name, size_t length)
{
    uint32_t kind = 0;
    while (kind < CHECK_FINDING_KINDS &&
           (strlen(check_kind_name(kind)) != length || strncmp(check_kind_name(kind), name, length) != 0))
        ++kind;
    return kind;
}

/* Without the line's end, and without spaces around. */
static char *trimmed(char *text)
{
    static const char spaces[] = " \t\r\n";
    size_t length;
    text += strspn(text, spaces);
    for (length = strlen(text); length != 0 && strchr(spaces, text[length - 1]) != NULL; --length)
        text[length - 1] = '\0';
    return text;
}

static accel_status add(char *text, size_t number, const char *file, const char *backend)
{
    const size_t word = strcspn(text, " \t");
    uint32_t kind = CHECK_FINDING_KINDS;
    size_t length;
    if (text[word] != '\0') {
        kind = kind_of(text, word);
        if (kind == CHECK_FINDING_KINDS || strpbrk(trimmed(text + word), " \t") != NULL)
            return cpu_host()->error(ACCEL_INVALID,
                                     "%s: \"%s\":%zu: \"%s\" is no suppression; write [KIND] FILE[:LINE], with ? for a "
                                     "space in FILE. docs/checking.md lists the kinds",
                                     backend, file, number, text);
        text = trimmed(text + word);
    }
    const size_t line = check_line_split(text, &length);
    suppression *made = malloc(sizeof(*made) + length + 1);
    if (made == NULL)
        return cpu_host()->error(ACCEL_OUT_OF_MEMORY, "%s: no memory for the suppressions of \"%s\"", backend, file);
    made->number = number;
    made->kind = kind;
    made->line = line;
    memcpy(made->pattern, text, length);
    made->pattern[length] = '\0';
    made->next = all;
    all = made;
    return ACCEL_OK;
}

/* What is no regular file may have no end, or none yet. NULL with errno, which is 0 then. */
static FILE *open_file(const char *name)
{
    struct stat about;
    const int file = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    const bool known = fstat(file, &about) == 0, regular = known && S_ISREG(about.st_mode);
    FILE *stream = regular ? fdopen(file, "r") : NULL;
    if (stream != NULL)
        return stream;
    const int reason = !known || regular ? errno : S_ISDIR(about.st_mode) ? EISDIR : 0;
    close(file);
    errno = reason;
    return NULL;
}

accel_status check_suppressions_read(const char *file, const char *backend)
{
    accel_status status = ACCEL_OK;
    char *line = NULL;
    size_t capacity = 0;
    forget();
    if (file == NULL)
        return ACCEL_OK;
    FILE *from = open_file(file);
    errno = from != NULL ? 0 : errno;
    for (size_t number = 1; from != NULL && status == ACCEL_OK && getline(&line, &capacity, from) >= 0; ++number) {
        char *text = trimmed(line);
        if (text[0] != '\0' && text[0] != '#')
            status = add(text, number, file, backend);
    }
    if (status == ACCEL_OK && (from == NULL || ferror(from) != 0))
        status = cpu_host()->error(ACCEL_IO, "%s: ACCEL_CHECK_SUPPRESS is \"%s\", which cannot be read: %s", backend,
                                   file, errno != 0 ? strerror(errno) : "It is no regular file");
    free(line);
    if (from != NULL)
        fclose(from);
    if (status != ACCEL_OK)
        forget();
    return status;
}

/* Does the pattern describe the file, or its last components? */
static bool fits(const char *pattern, const char *file)
{
    const char *slash = file;
    bool found = fnmatch(pattern, file, 0) == 0;
    while (!found && (slash = strchr(slash, '/')) != NULL)
        found = fnmatch(pattern, ++slash, 0) == 0;
    return found;
}

static bool is_at(const suppression *self, const char *line)
{
    char file[CHECK_LINE];
    size_t length, number = check_line_split(line, &length);
    snprintf(file, sizeof(file), "%.*s", (int)length, line);
    return (self->line == 0 || self->line == number) && fits(self->pattern, file);
}

size_t check_suppression_of(const check_description *description)
{
    size_t first = 0;
    for (const suppression *self = all; self != NULL; self = self->next) {
        if (self->kind != CHECK_FINDING_KINDS && self->kind != description->finding->kind)
            continue;
        if (is_at(self, description->mine) || (description->finding->has_other && is_at(self, description->other)))
            first = self->number;
    }
    return first;
}
