/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "../words.h"
#include "base/arena.h"
#include "base/message.h"
#include "core/base/nearest.h"
#include "object/format.h"

#include <stdlib.h>
#include <string.h>

/* Flags that are passed to the compiler unchanged. `value`: the value may be the next word. */
static const struct pass_through {
    const char *flag;
    bool prefix, value, compile, link;
} pass_through[] = {
    /* flag, prefix, value, compile, link; the first row that fits counts */
    {"-I", true, true, true, false},
    {"-D", true, true, true, false},
    {"-U", true, true, true, false},
    {"-isystem", true, true, true, false},
    {"-iquote", true, true, true, false},
    {"-idirafter", true, true, true, false},
    {"-include", false, true, true, false},
    {"-imacros", false, true, true, false},
    {"-Wl,", true, false, false, true},
    {"-L", true, true, false, true},
    {"-l", true, true, false, true},
    {"-Wa,", true, false, true, false},
    {"-Wp,", true, false, true, false},
    {"-W", true, false, true, false},
    {"-w", false, false, true, false},
    {"-pedantic", true, false, true, false},
    /* Linked with one of these, an object would switch denormal numbers off for the thread that loads it. */
    {"-ffast-math", false, false, true, false},
    {"-funsafe-math-optimizations", false, false, true, false},
    {"-Ofast", false, false, true, false},
    {"-mdaz-ftz", false, false, true, false},
    {"-f", true, false, true, true},
    {"-m", true, false, true, true},
    {"-O", true, false, true, true},
    {"-g", true, false, true, true},
    {"-pthread", false, false, true, true},
    {"-pipe", false, false, true, true},
    {"--sysroot=", true, false, true, true},
    {"--sysroot", false, true, true, true},
};

static const char *const long_options[] = {
    "--targets",        "--embed",   "--lint",        "--no-lint",       "--cc",          "--cc-for",
    "--resource-usage", "--verbose", "--keep",        "--print-targets", "--print-files", "--version",
    "--help",           "--sysroot", "--vector-math", "--no-light",
};

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), end_length = strlen(end);
    return length > end_length && strcmp(text + length - end_length, end) == 0;
}

bool options_is_cxx(const char *source)
{
    static const char *const suffixes[] = {".cpp", ".cc", ".cxx", ".C"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; ++i) {
        if (ends_with(source, suffixes[i]))
            return true;
    }
    return false;
}

/* words_value; *wrong after a message that the value is missing. */
static const char *value_of(const char *option, words *line, bool *wrong)
{
    bool missing = false;
    const char *value = words_value(line, option, &missing);
    if (missing)
        message_error("%s needs a value", option);
    *wrong = *wrong || missing;
    return value;
}

static bool parse_pass_through(words *line, accelcc_options *self, bool *wrong)
{
    const char *word = line->items[line->next];
    for (size_t i = 0; i < sizeof pass_through / sizeof pass_through[0]; ++i) {
        const struct pass_through *row = &pass_through[i];
        size_t length = strlen(row->flag);
        if (row->prefix ? strncmp(word, row->flag, length) != 0 : strcmp(word, row->flag) != 0)
            continue;
        const char *value = NULL;
        if (row->value && word[length] == '\0') {
            if (line->next + 1 == line->count) {
                message_error("%s needs a value", word);
                *wrong = true;
                return false;
            }
            value = line->items[++line->next];
        }
        list *const lists[2] = {row->compile ? &self->compile : NULL, row->link ? &self->link : NULL};
        for (size_t k = 0; k < 2; ++k) {
            if (lists[k] == NULL)
                continue;
            list_add(lists[k], word);
            if (value != NULL)
                list_add(lists[k], value);
        }
        return true;
    }
    return false;
}

/* Options without a value. */
static bool parse_switch(const char *word, accelcc_options *self)
{
    const struct {
        const char *name;
        bool *where, value;
    } switches[] = {
        {"--embed", &self->embed, true},
        {"--lint", &self->lint, true},
        {"--no-lint", &self->lint, false},
        {"--no-light", &self->light, false},
        {"--resource-usage", &self->resources, true},
        {"--verbose", &self->verbose, true},
        {"--keep", &self->keep, true},
        {"--vector-math", &self->vector_math, true},
        {"-MD", &self->dependencies, true},
        {"-MP", &self->phony_targets, true},
    };
    static const struct {
        const char *name;
        accelcc_action action;
    } actions[] = {
        {"--help", ACTION_HELP},
        {"-h", ACTION_HELP},
        {"--version", ACTION_VERSION},
        {"--print-targets", ACTION_PRINT_TARGETS},
        {"--print-files", ACTION_PRINT_FILES},
    };
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; ++i) {
        if (strcmp(word, switches[i].name) == 0) {
            *switches[i].where = switches[i].value;
            return true;
        }
    }
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; ++i) {
        if (strcmp(word, actions[i].name) == 0) {
            self->action = actions[i].action;
            return true;
        }
    }
    return false;
}

static bool parse_value(words *line, accelcc_options *self, bool *wrong)
{
    const char *value;
    if ((value = value_of("--targets", line, wrong)) != NULL) {
        self->targets = self->targets == NULL ? value : arena_format("%s,%s", self->targets, value);
    } else if ((value = value_of("--cc-for", line, wrong)) != NULL) {
        list_add(&self->cross_compilers, value);
    } else if ((value = value_of("--cc", line, wrong)) != NULL) {
        self->compiler = value;
        self->compiler_origin = "--cc";
    } else if ((value = value_of("-MF", line, wrong)) != NULL) {
        self->dependency_file = value;
    } else if ((value = value_of("-MT", line, wrong)) != NULL) {
        list_add(&self->dependency_targets, value);
    } else if ((value = value_of("-o", line, wrong)) != NULL) {
        self->output = value;
    } else if (strncmp(line->items[line->next], "-std=", 5) == 0) {
        const char *standard = line->items[line->next];
        *(strstr(standard, "++") != NULL ? &self->cxx_standard : &self->c_standard) = standard;
    } else {
        return false;
    }
    return true;
}

static void add_source(const char *word, accelcc_options *self)
{
    list_add(&self->sources, *word == '-' ? arena_format("./%s", word) : word);
}

static bool parse_words(words *line, accelcc_options *self)
{
    bool only_sources = false;
    for (; line->next < line->count; ++line->next) {
        const char *word = line->items[line->next];
        bool wrong = false;
        if (only_sources || *word != '-') {
            add_source(word, self);
        } else if (strcmp(word, "--") == 0) {
            only_sources = true;
        } else if (!parse_switch(word, self) && !parse_value(line, self, &wrong) && !wrong &&
                   !parse_pass_through(line, self, &wrong) && !wrong) {
            list known = {0};
            list_add_words(&known, long_options, sizeof long_options / sizeof long_options[0]);
            const char *near = accel_nearest(arena_copy(word, strcspn(word, "=")), known.items, known.count);
            message_error("unknown option \"%s\"%s%s%s; accelcc --help lists the options", word,
                          near != NULL ? ", did you mean \"" : "", near != NULL ? near : "", near != NULL ? "\"?" : "");
            return false;
        }
        if (wrong)
            return false;
    }
    return true;
}

static bool check_sources(const accelcc_options *self)
{
    if (self->sources.count == 0) {
        message_error("no source file; accelcc -o DIR/NAME NAME.k.c");
        return false;
    }
    for (size_t i = 0; i < self->sources.count; ++i) {
        const char *source = self->sources.items[i];
        if (!ends_with(source, ".c") && !options_is_cxx(source)) {
            message_error("\"%s\" is not a C or C++ source (.c, .cpp, .cc, .cxx, .C)", source);
            return false;
        }
        for (size_t k = 0; k < i; ++k) {
            if (strcmp(source, self->sources.items[k]) == 0) {
                message_error("source \"%s\" is given twice", source);
                return false;
            }
        }
    }
    return true;
}

/* Splits the output into directory and library name. */
static bool check_output(accelcc_options *self)
{
    if (self->output == NULL) { /* as compilers do: the first source's name, in the working directory */
        const char *slash = strrchr(self->sources.items[0], '/'),
                   *source = slash != NULL ? slash + 1 : self->sources.items[0];
        self->output = arena_format("%s%s", arena_copy(source, strcspn(source, ".")), self->embed ? ".o" : "");
    }
    const char *slash = strrchr(self->output, '/');
    const char *base = slash != NULL ? slash + 1 : self->output;
    self->directory = slash == NULL           ? "."
                      : slash == self->output ? "/"
                                              : arena_copy(self->output, (size_t)(slash - self->output));
    self->name = base;
    if (*base == '\0' || *base == '.' || *base == '-') {
        message_error("-o \"%s\" does not end in the name of a library; -o DIR/NAME writes DIR/NAME.TARGET.so",
                      self->output);
        return false;
    }
    bool is_object = ends_with(base, ".o");
    if (is_object && !self->embed) {
        message_error("-o \"%s\" is an object file; only --embed writes one", self->output);
        return false;
    }
    if (is_object)
        self->name = arena_copy(base, strlen(base) - 2);
    else if (self->embed)
        self->output = arena_format("%s.o", self->output);
    const char *dot = strrchr(base, '.');
    if (dot != NULL && accel_object_format_known(dot + 1)) {
        message_error("-o \"%s\": give the name without \"%s\"; accelcc adds \".TARGET%s\" itself", self->output, dot,
                      dot);
        return false;
    }
    return true;
}

bool options_parse(int count, char *arguments[], accelcc_options *self)
{
    words line = {arguments, count, 1};
    *self = (accelcc_options){.lint = true, .light = true, .c_standard = "-std=gnu11", .cxx_standard = "-std=gnu++17"};
    if (!parse_words(&line, self))
        return false;
    const char *environment = getenv("CC");
    if (self->compiler == NULL && environment != NULL && environment[strspn(environment, " \t")] != '\0') {
        self->compiler = environment;
        self->compiler_origin = "CC";
    }
    if (self->action != ACTION_BUILD && self->action != ACTION_PRINT_FILES)
        return true;
    if (!check_sources(self) || !check_output(self))
        return false;
    if (!self->dependencies &&
        (self->dependency_file != NULL || self->dependency_targets.count != 0 || self->phony_targets)) {
        message_error("-MF, -MT and -MP need -MD, which asks for a dependency file");
        return false;
    }
    return true;
}
