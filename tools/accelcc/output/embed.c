/* SPDX-License-Identifier: Apache-2.0 */
#include "output/embed.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/process.h"
#include "base/workspace.h"
#include "output/object.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static char *identifier(const char *text)
{
    char *name = arena_copy(text, strlen(text));
    for (char *c = name; *c != '\0'; ++c) {
        if (!isalnum((unsigned char)*c))
            *c = '_';
    }
    return name;
}

const char *embed_symbol(const char *library)
{
    return arena_format("accel_bundle_%s", identifier(library));
}

/* The name as a C string: it may hold anything that a file name can. */
static const char *quoted(const char *text)
{
    char *result = arena_alloc(4 * strlen(text) + 3), *end = result;
    *end++ = '"';
    for (; *text != '\0'; ++text) {
        if (isalnum((unsigned char)*text) || strchr("-_.:+ ", *text) != NULL)
            *end++ = *text;
        else
            end += sprintf(end, "\\%03o", (unsigned)(unsigned char)*text);
    }
    *end = '"';
    return result;
}

/*
 * The assembler includes the objects by .incbin: their size has no limit, and nothing parses them. It runs in the
 * workspace, where their names need no quoting. Labels are local to this file, so bundles do not clash.
 */
static bool write_source(const accelcc_options *options, const embed_entry *entries, size_t count, const char *path)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        message_error("\"%s\" cannot be written: %s", path, strerror(errno));
        return false;
    }
    fprintf(file, "#include <accel/object.h>\n");
    for (size_t i = 0; i < count; ++i) {
        fprintf(file,
                "__asm__(\".section .rodata\\n\\t.balign 64\\naccel_embedded_%zu:\\n\\t.incbin \\\"%s\\\"\\n\\t.byte "
                "0\\n\\t.previous\");\n"
                "extern const unsigned char accel_embedded_%zu[] __attribute__((visibility(\"hidden\")));\n",
                i, entries[i].file, i);
    }
    fprintf(file, "static const accel_bundle_entry entries[] = {\n");
    bool good = true;
    for (size_t i = 0; i < count; ++i) {
        size_t size = 0;
        good = good && object_read(workspace_path(entries[i].file), &size) != NULL;
        fprintf(file, "    {\"%s\", \"%s\", accel_embedded_%zu, %zu},\n", entries[i].target, entries[i].format, i,
                size);
    }
    const char *symbol = embed_symbol(options->name);
    fprintf(file,
            "};\n"
            "extern const accel_bundle %s __attribute__((visibility(\"default\")));\n"
            "const accel_bundle %s = {ACCEL_BUNDLE_MAGIC, ACCEL_OBJECT_ABI, sizeof(accel_bundle), "
            "sizeof(accel_bundle_entry),\n"
            "    %s, %zu, entries};\n",
            symbol, symbol, quoted(options->name), count);
    bool failed = ferror(file) != 0;
    if (fclose(file) != 0 || failed) {
        message_error("\"%s\" cannot be written: %s", path, strerror(errno));
        return false;
    }
    return good;
}

bool embed_build(const accelcc_options *options, const accelcc_compiler *compiler, const char *include_directory,
                 const embed_entry *entries, size_t count, const char *output)
{
    list command = {0};
    process_result result;
    if (!write_source(options, entries, count, workspace_path("bundle.c")))
        return false;
    list_extend(&command, &compiler->command);
    const char *const flags[] = {"-std=gnu11", "-fPIC", "-isystem", include_directory, "-c", "bundle.c", "-o", output};
    list_add_words(&command, flags, sizeof flags / sizeof flags[0]);
    if (!process_run(&command, workspace_directory(), options->verbose, &result))
        return false;
    fputs(result.output, stderr);
    if (result.status != 0)
        message_error("%s cannot embed library \"%s\" (status %d)", command.items[0], options->name, result.status);
    return result.status == 0;
}
