/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/gpu_flags.h"

#include "base/arena.h"
#include "compile/diagnostics.h"
#include "compile/patterns.h"

#include <string.h>

static bool begins(const char *word, const char *start)
{
    return strncmp(word, start, strlen(start)) == 0;
}

/* "-I" "dir" or "-Idir": two words. 0 if it is none of these, else the words that were read. */
static size_t take_preprocessor(const list *flags, size_t at, gpu_flags *self)
{
    static const char *const names[] = {"-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-I", "-D", "-U"};
    const char *word = flags->items[at];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        if (!begins(word, names[i]))
            continue;
        const char *value = word + strlen(names[i]);
        size_t read = 1;
        if (*value == '\0' && at + 1 < flags->count) {
            value = flags->items[at + 1];
            read = 2;
        }
        list_add(&self->preprocessor, names[i]);
        list_add(&self->preprocessor, value);
        return read;
    }
    return 0;
}

static void take_level(const char *word, gpu_flags *self)
{
    self->level = strcmp(word, "-O") == 0 ? "-O1" : word;
    if (strcmp(word, "-Ofast") == 0) {
        self->level = "-O3";
        self->fast_math = true;
    } else if (strcmp(word, "-Og") == 0) {
        self->level = "-O1";
    } else if (strcmp(word, "-Os") == 0 || strcmp(word, "-Oz") == 0) {
        self->level = "-O2";
    }
}

static void take(const char *word, gpu_flags *self)
{
    if (begins(word, "-O")) {
        take_level(word, self);
    } else if (begins(word, "-ffp-contract=")) {
        self->contract = strchr(word, '=') + 1;
    } else if (strcmp(word, "-ffast-math") == 0) {
        self->fast_math = true;
    } else if (strcmp(word, "-fno-fast-math") == 0) {
        self->fast_math = false;
    } else if (begins(word, "-g")) {
        self->line_info = strcmp(word, "-g0") != 0;
    } else if (strcmp(word, "-w") == 0) {
        self->no_warnings = true;
    } else if ((begins(word, "-W") && !begins(word, "-Wa,") && !begins(word, "-Wp,")) || begins(word, "-pedantic")) {
        self->warnings_are_errors = self->warnings_are_errors || strcmp(word, "-Werror") == 0;
        list_add(&self->warnings, word);
    }
}

gpu_flags gpu_flags_of(const accelcc_options *options, const char *source)
{
    bool patterns = patterns_in(source);
    gpu_flags self = {.level = "-O3", .contract = patterns ? "off" : "fast", .standard = "c++17"};
    const char *standard = options->cxx_standard + strlen("-std=");
    if (options_is_cxx(source))
        self.standard = begins(standard, "gnu++") ? arena_format("c%s", standard + strlen("gnu")) : standard;
    if (!patterns) {
        list_add(&self.preprocessor, "-D");
        list_add(&self.preprocessor, PATTERNS_NONE);
    }
    for (size_t i = 0; i < options->compile.count;) {
        size_t read = take_preprocessor(&options->compile, i, &self);
        if (read == 0) {
            take(options->compile.items[i], &self);
            read = 1;
        }
        i += read;
    }
    return self;
}

/* nvcc takes a comma for the end of a macro's definition, and the macro behind it for another one. */
static const char *with_commas(const char *value)
{
    char *copy = arena_alloc(2 * strlen(value) + 1), *at = copy;
    for (; *value != '\0'; ++value) {
        if (*value == ',')
            *at++ = '\\';
        *at++ = *value;
    }
    *at = '\0';
    return copy;
}

/* nvcc knows some of the preprocessor's flags itself and passes the others on. */
static void add_for_nvcc(const char *flag, const char *value, list *command)
{
    static const char *const own[] = {"-I", "-D", "-U", "-isystem", "-include"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; ++i) {
        if (strcmp(flag, own[i]) != 0)
            continue;
        list_add(command, flag);
        list_add(command, strcmp(flag, "-D") == 0 ? with_commas(value) : value);
        return;
    }
    list_add(command, "-Xcompiler");
    list_add(command, flag);
    list_add(command, "-Xcompiler");
    list_add(command, value);
}

void gpu_flags_for_nvcc(const gpu_flags *self, list *command)
{
    list_add(command, arena_format("-std=%s", self->standard));
    list_add(command, strcmp(self->contract, "off") == 0 ? "-fmad=false" : "-fmad=true");
    if (strcmp(self->level, "-O0") == 0) { /* nvcc's own -O is the host compiler's; optimised is its default */
        list_add(command, "-Xcicc");
        list_add(command, "-O0");
    }
    if (self->fast_math)
        list_add(command, "-use_fast_math");
    if (self->line_info)
        list_add(command, "-lineinfo");
    if (self->no_warnings)
        list_add(command, "-w");
    if (self->warnings_are_errors) {
        list_add(command, "-Werror");
        list_add(command, "all-warnings");
    }
    for (size_t i = 0; i + 1 < self->preprocessor.count; i += 2)
        add_for_nvcc(self->preprocessor.items[i], self->preprocessor.items[i + 1], command);
}

void gpu_flags_for_clang(const gpu_flags *self, list *command)
{
    list_add(command, arena_format("-std=%s", self->standard));
    list_add(command, self->level);
    if (strcmp(self->contract, "fast") == 0) {
        /* Plain "fast" would also fuse inside the vendor's functions, whose exact two-step arithmetic it destroys. This
         * value marks the source's own operations. The compiler's driver does not know it, only its front end does. */
        list_add(command, "-Xclang");
        list_add(command, "-ffp-contract=fast-honor-pragmas");
    } else {
        list_add(command, arena_format("-ffp-contract=%s", self->contract));
    }
    if (self->fast_math)
        list_add(command, "-ffast-math");
    if (self->line_info)
        list_add(command, "-gline-tables-only");
    if (self->no_warnings)
        list_add(command, "-w");
    if (diagnostics_colour_flag() != NULL)
        list_add(command, diagnostics_colour_flag());
    list_extend(command, &self->warnings);
    list_extend(command, &self->preprocessor);
}
