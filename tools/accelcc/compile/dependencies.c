/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/dependencies.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/workspace.h"
#include "output/destination.h"
#include "output/object.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A file name escaped for Make; names of gfx targets with features contain colons. */
static const char *escaped(const char *name)
{
    char *result = arena_alloc(2 * strlen(name) + 1), *end = result;
    for (; *name != '\0'; ++name) {
        if (*name == ' ' || *name == '#' || *name == ':')
            *end++ = '\\';
        else if (*name == '$')
            *end++ = '$';
        *end++ = *name;
    }
    return result;
}

/* The file's name of one that is escaped so. */
static const char *plain(const char *name)
{
    char *result = arena_alloc(strlen(name) + 1), *end = result;
    for (; *name != '\0'; ++name) {
        if ((*name == '\\' && (name[1] == ' ' || name[1] == '#' || name[1] == ':')) || (*name == '$' && name[1] == '$'))
            ++name;
        *end++ = *name;
    }
    *end = '\0';
    return result;
}

/* Adds what stands behind "output:". The names stay escaped as the compiler wrote them: a space belongs to a name if
 * a backslash is before it, and so does no line end. */
static void collect(const char *text, list *names)
{
    const char *at = strstr(text, "output:");
    at = at == NULL ? text + strlen(text) : at + strlen("output:");
    while (*at != '\0') {
        if (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') {
            ++at;
        } else if (*at == '\\' && (at[1] == '\n' || at[1] == '\r')) {
            at += 2;
        } else {
            const char *begin = at;
            while (*at != '\0' && strchr(" \t\r\n", *at) == NULL) {
                if (*at == '\\' && (at[1] == '\n' || at[1] == '\r'))
                    break;
                at += *at == '\\' && at[1] != '\0' ? 2 : 1;
            }
            const char *name = arena_copy(begin, (size_t)(at - begin));
            if (!list_contains(names, name))
                list_add(names, name);
        }
    }
}

static bool write_rule(const accelcc_options *options, const list *outputs, const list *names, FILE *file)
{
    for (size_t i = 0; i < options->dependency_targets.count; ++i)
        fprintf(file, "%s%s", i != 0 ? " " : "", options->dependency_targets.items[i]);
    if (options->dependency_targets.count == 0) {
        for (size_t i = 0; i < outputs->count; ++i)
            fprintf(file, "%s%s", i != 0 ? " " : "", escaped(outputs->items[i]));
    }
    fputc(':', file);
    for (size_t i = 0; i < names->count; ++i)
        fprintf(file, " \\\n  %s", names->items[i]);
    fputc('\n', file);
    if (options->phony_targets) {
        for (size_t i = 0; i < names->count; ++i) {
            bool is_source = false;
            for (size_t k = 0; k < options->sources.count; ++k)
                is_source = is_source || strcmp(escaped(options->sources.items[k]), names->items[i]) == 0;
            if (!is_source)
                fprintf(file, "%s:\n", names->items[i]);
        }
    }
    return ferror(file) == 0;
}

bool dependencies_write(const accelcc_options *options, const list *files, const list *outputs)
{
    list names = {0};
    for (size_t i = 0; i < files->count; ++i) {
        size_t size = 0;
        const unsigned char *data = object_read(workspace_path(files->items[i]), &size);
        if (data == NULL)
            return false;
        collect(arena_copy((const char *)data, size), &names);
    }
    const char *path = options->dependency_file;
    if (path == NULL)
        path = arena_format("%s.d", options->embed ? arena_copy(options->output, strlen(options->output) - 2)
                                                   : options->output);
    destination place;
    list included = {0};
    for (size_t i = 0; i < names.count; ++i)
        list_add(&included, plain(names.items[i]));
    if (!destination_find(options, path, false, outputs, &place))
        return false;
    if (destination_is_among(&place, &included)) {
        message_error("\"%s\" cannot be written: the kernels include it; choose another name with -MF", path);
        return false;
    }
    const char *written = place.written_in_it ? place.path : arena_format("%s.accelcc-%ld", place.path, (long)getpid());
    FILE *file = fopen(written, place.written_in_it ? "w" : "wx");
    bool good = file != NULL && write_rule(options, outputs, &names, file);
    if (file != NULL && fclose(file) != 0)
        good = false;
    if (good && (place.written_in_it || rename(written, place.path) == 0))
        return true;
    message_error("dependency file \"%s\" cannot be written: %s", path, strerror(errno));
    if (file != NULL && !place.written_in_it)
        unlink(written);
    return false;
}
