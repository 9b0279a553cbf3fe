/* SPDX-License-Identifier: Apache-2.0 */
/* accelcc - compiles kernel libraries: one source, one object per target. */
#include "base/arena.h"
#include "base/message.h"
#include "base/process.h"
#include "base/workspace.h"
#include "compile/dependencies.h"
#include "compile/lint.h"
#include "installation.h"
#include "output/destination.h"
#include "output/embed.h"
#include "output/stale.h"
#include "target.h"
#include "usage.h"

#include <accel/accel.h>
#include <accel/object.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The results of one run: objects in the workspace, and their destinations. */
typedef struct products {
    embed_entry *entries;
    size_t count;
    list files, destinations; /* the same length */
    list dependencies;        /* the compiler's dependency files */
} products;

/* Checks the sources once, as the first host target compiles them; without one, as the compiler for programs does. */
static bool lint(const accelcc_options *options, const accelcc_compiler *own, const accelcc_selection *selected,
                 size_t count, const char *include_directory, list *shown)
{
    const accelcc_target *target = targets_plainest(own->architecture);
    accelcc_job job = {.options = options,
                       .target = target,
                       .name = target != NULL ? target->pattern : NULL,
                       .compiler = own,
                       .include_directory = include_directory,
                       .shown = shown};
    bool rules_only = true;
    for (size_t i = 0; i < count && rules_only; ++i) {
        if (selected[i].target->architecture == NULL || selected[i].target->driver->checked)
            continue;
        job.target = selected[i].target;
        job.name = selected[i].name;
        job.compiler = &selected[i].compiler;
        rules_only = false;
    }
    for (size_t i = 0; job.target != NULL && i < options->sources.count; ++i) {
        if (!lint_source(&job, options->sources.items[i], rules_only))
            return false;
    }
    return true;
}

static bool build_targets(const accelcc_options *options, const accelcc_compiler *own,
                          const accelcc_selection *selected, size_t count, const char *include_directory,
                          products *made)
{
    list shown = {0};
    if (options->lint && !lint(options, own, selected, count, include_directory, &shown))
        return false;
    made->entries = arena_alloc(count * sizeof *made->entries);
    for (size_t i = 0; i < count; ++i) {
        const accelcc_driver *driver = selected[i].target->driver;
        const accelcc_job job = {.options = options,
                                 .target = selected[i].target,
                                 .name = selected[i].name,
                                 .compiler = &selected[i].compiler,
                                 .include_directory = include_directory,
                                 .shown = &shown};
        const char *file = arena_format("%s.%s", selected[i].name, driver->format);
        if (!driver->build(&job, file, &made->dependencies))
            return false;
        made->entries[made->count++] = (embed_entry){selected[i].name, driver->format, file};
    }
    return true;
}

/* Moves everything into place. Whatever can go wrong is checked before the first file changes. */
static bool publish(const accelcc_options *options, const products *made)
{
    const list none = {0};
    list places = {0};
    for (size_t i = 0; i < made->files.count; ++i) {
        destination place;
        if (!destination_find(options, made->destinations.items[i], true, &none, &place))
            return false;
        list_add(&places, place.path);
    }
    process_check();
    if (options->dependencies && !dependencies_write(options, &made->dependencies, &made->destinations))
        return false;
    for (size_t i = 0; i < made->files.count; ++i) {
        if (!workspace_publish(made->files.items[i], places.items[i]))
            return false;
    }
    return true;
}

/* A failed write to stdout is an error. */
static int flushed(void)
{
    if (fflush(stdout) == 0 && ferror(stdout) == 0)
        return 0;
    if (errno != EPIPE) /* the reader has seen enough */
        message_error("standard output: %s", strerror(errno));
    return 1;
}

/* Where the object for a target goes, unless it is embedded. */
static const char *object_name(const accelcc_options *options, const accelcc_selection *selected)
{
    return arena_format("%s.%s.%s", options->output, selected->name, selected->target->driver->format);
}

static int print_files(const accelcc_options *options, const accelcc_compiler *own)
{
    accelcc_selection *selected = NULL;
    size_t count = 0;
    int status = targets_select(options, own, &selected, &count);
    if (status != 0)
        return status;
    if (options->embed)
        puts(options->output);
    for (size_t i = 0; !options->embed && i < count; ++i)
        puts(object_name(options, &selected[i]));
    return flushed();
}

/* libaccel gives an object to each CPU that its name fits. */
static void note_processor(const accelcc_options *options, const accelcc_selection *selected, size_t count)
{
    for (size_t i = 0; i < options->compile.count; ++i) {
        const char *word = options->compile.items[i];
        if (strncmp(word, "-march=", strlen("-march=")) != 0 && strncmp(word, "-mcpu=", strlen("-mcpu=")) != 0)
            continue;
        for (size_t k = 0; k < count; ++k) {
            const accelcc_target *target = selected[k].target;
            if (target->architecture == NULL || strcmp(word, target->flags[0]) == 0)
                continue;
            message_note(
                "%s: the object for %s may have instructions that not every such CPU has, and libaccel gives it to "
                "each of them; name levels by --targets instead (native-levels: those of this machine), or "
                "use -mtune=",
                word, selected[k].name);
            return;
        }
    }
}

static int build(const accelcc_options *options, const accelcc_compiler *own)
{
    accelcc_selection *selected = NULL;
    size_t count = 0;
    products made = {0};
    int status = targets_select(options, own, &selected, &count);
    if (status != 0)
        return status;
    const char *include_directory = installation_include();
    if (include_directory == NULL || !workspace_create(options->directory, options->keep) ||
        !build_targets(options, own, selected, count, include_directory, &made))
        return 1;
    if (options->embed) {
        if (!embed_build(options, own, include_directory, made.entries, made.count, "bundle.o"))
            return 1;
        list_add(&made.files, "bundle.o");
        list_add(&made.destinations, options->output);
    }
    for (size_t i = 0; !options->embed && i < made.count; ++i) {
        list_add(&made.files, made.entries[i].file);
        list_add(&made.destinations, object_name(options, &selected[i]));
    }
    if (!publish(options, &made))
        return 1;
    note_processor(options, selected, count);
    if (!options->embed)
        stale_note(options, &made.destinations);
    return flushed();
}

int main(int count, char *arguments[])
{
    accelcc_options options;
    accelcc_compiler own = {0};
    atexit(arena_release);
    atexit(workspace_remove);
    process_catch_signals();
    if (!options_parse(count, arguments, &options))
        return 2;
    switch (options.action) {
    case ACTION_HELP:
        usage_print();
        return flushed();
    case ACTION_VERSION:
        printf("accelcc (libaccel) %d.%d.%d, kernel-object ABI %u\n", ACCEL_VERSION_MAJOR, ACCEL_VERSION_MINOR,
               ACCEL_VERSION_PATCH, ACCEL_OBJECT_ABI);
        return flushed();
    case ACTION_PRINT_TARGETS:
        if (!compiler_find(&options, &own))
            return 1;
        targets_print(&options, &own);
        return flushed();
    case ACTION_PRINT_FILES:
        return compiler_find(&options, &own) ? print_files(&options, &own) : 1;
    case ACTION_BUILD:
        return compiler_find(&options, &own) ? build(&options, &own) : 1;
    }
    return 1;
}
