/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/compiler.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/process.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const accelcc_architecture architecture_x86_64 = {"x86-64", "__x86_64__", "x86_64-linux-gnu-gcc", EM_X86_64};
const accelcc_architecture architecture_aarch64 = {"aarch64", "__aarch64__", "aarch64-linux-gnu-gcc", EM_AARCH64};

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* Does not follow the last link: compilers look at the name by which they are called. */
const char *compiler_program(const char *name)
{
    if (strchr(name, '/') != NULL) {
        if (!is_program(name))
            return NULL;
        char *here = *name == '/' ? NULL : getcwd(NULL, 0);
        const char *path = here != NULL ? arena_format("%s/%s", here, name) : name;
        free(here);
        return path;
    }
    const char *search = getenv("PATH");
    list directories = {0};
    list_split(&directories, search != NULL ? search : "/usr/local/bin:/usr/bin:/bin", ":");
    for (size_t i = 0; i < directories.count; ++i) {
        const char *path = arena_format("%s/%s", directories.items[i], name);
        if (*path == '/' && is_program(path))
            return path;
    }
    return NULL;
}

/* Is there a line "#define MACRO ..."? */
static bool defines(const char *macros, const char *macro)
{
    const char *line = strstr(macros, arena_format("#define %s ", macro));
    return line != NULL && (line == macros || line[-1] == '\n');
}

/* What the compiler is, from the macros that it defines. */
static bool ask(const accelcc_options *options, accelcc_compiler *self)
{
    list command = {0};
    process_result result;
    static const char *const flags[] = {"-dM", "-E", "-x", "c", "/dev/null"};
    list_extend(&command, &self->command);
    list_add_words(&command, flags, sizeof flags / sizeof flags[0]);
    if (!process_run(&command, NULL, options->verbose, &result))
        return false;
    if (result.status != 0 || !defines(result.output, "__STDC__")) {
        message_error("%s is not a compiler that accelcc can use (-dM -E: status %d); name gcc or clang with --cc",
                      self->command.items[0], result.status);
        return false;
    }
    self->is_clang = defines(result.output, "__clang__");
    self->architecture = defines(result.output, architecture_x86_64.macro)    ? &architecture_x86_64
                         : defines(result.output, architecture_aarch64.macro) ? &architecture_aarch64
                                                                              : NULL;
    return true;
}

/* The first word is the program, the others are flags that it is always given. */
bool compiler_command(const char *text, list *command)
{
    list words = {0};
    list_split(&words, text, " \t");
    const char *path = words.count != 0 ? compiler_program(words.items[0]) : NULL;
    if (path == NULL)
        return false;
    list_add(command, path);
    for (size_t i = 1; i < words.count; ++i)
        list_add(command, words.items[i]);
    return true;
}

const char *compiler_given(const accelcc_options *options, const char *name)
{
    const char *text = NULL;
    size_t length = strlen(name);
    for (size_t i = 0; i < options->cross_compilers.count; ++i) {
        const char *given = options->cross_compilers.items[i];
        if (strncmp(given, name, length) == 0 && given[length] == '=')
            text = given + length + 1;
    }
    return text;
}

static bool use(const accelcc_options *options, const char *text, accelcc_compiler *self)
{
    *self = (accelcc_compiler){0};
    return compiler_command(text, &self->command) && ask(options, self);
}

static bool is_findable(const char *text)
{
    list command = {0};
    return compiler_command(text, &command);
}

bool compiler_find(const accelcc_options *options, accelcc_compiler *self)
{
    if (options->compiler != NULL) {
        if (!is_findable(options->compiler)) {
            message_error("compiler \"%s\" (from %s) was not found; install it, or name another with --cc",
                          options->compiler, options->compiler_origin);
            return false;
        }
        return use(options, options->compiler, self);
    }
    static const char *const candidates[] = {"gcc", "cc", "clang"};
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; ++i) {
        if (is_findable(candidates[i]))
            return use(options, candidates[i], self);
    }
    message_error("no C compiler on PATH (gcc, cc, clang); install gcc, or name one with --cc");
    return false;
}

static const char *architecture_name(const accelcc_compiler *self)
{
    return self->architecture != NULL ? self->architecture->name : "another machine";
}

bool compiler_find_for(const accelcc_options *options, const accelcc_architecture *architecture,
                       const accelcc_compiler *own, bool quiet, accelcc_compiler *self)
{
    const char *text = compiler_given(options, architecture->name);
    if (text == NULL && own->architecture == architecture) {
        *self = *own;
        return true;
    }
    const char *command = text != NULL ? text : architecture->cross_compiler;
    if (!is_findable(command)) {
        if (!quiet)
            message_error("no compiler for %s: %s makes code for %s, and \"%s\" was not found; install it (Debian: "
                          "gcc-%s), or name one "
                          "with --cc-for=%s=COMMAND",
                          architecture->name, own->command.items[0], architecture_name(own), command,
                          architecture == &architecture_x86_64 ? "x86-64-linux-gnu" : "aarch64-linux-gnu",
                          architecture->name);
        return false;
    }
    if (!use(options, command, self))
        return false;
    if (self->architecture == architecture)
        return true;
    if (!quiet)
        message_error("\"%s\" makes code for %s, not for %s", command, architecture_name(self), architecture->name);
    return false;
}
