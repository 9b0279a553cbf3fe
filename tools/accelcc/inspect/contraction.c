/* SPDX-License-Identifier: Apache-2.0 */
#include "inspect/contraction.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/workspace.h"
#include "compile/command.h"
#include "compile/patterns.h"
#include "inspect/frames.h"
#include "output/object.h"

#include <string.h>

static bool begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

/* Is the source to be as it is written? The last word is the user's. */
static bool forbids(const accelcc_job *job, const char *source)
{
    bool off = patterns_in(source);
    for (size_t i = 0; i < job->options->compile.count; ++i) {
        const char *word = job->options->compile.items[i];
        if (begins(word, "-ffp-contract="))
            off = strcmp(word, "-ffp-contract=off") == 0;
        else if (strcmp(word, "-ffast-math") == 0 || strcmp(word, "-Ofast") == 0)
            off = false;
    }
    return off;
}

static bool is_lto(const accelcc_job *job)
{
    for (size_t i = 0; i < job->options->compile.count; ++i) {
        if (begins(job->options->compile.items[i], "-flto"))
            return true;
    }
    return false;
}

/* Six opcodes of the map 0F38 with the prefix 66 (Intel's manual, volume 2, VFMADDSUB and VFMSUBADD). */
static bool is_opcode(unsigned char byte)
{
    return (byte & 0xfeu) == 0x96u || (byte & 0xfeu) == 0xa6u || (byte & 0xfeu) == 0xb6u;
}

/* May the object have such an instruction? Other bytes may look like one: asking the compiler for assembly takes as long as
 * compiling, so this comes first. */
static bool may_be_fused(const unsigned char *data, size_t size)
{
    for (size_t at = 0; at + 5 < size; ++at) {
        const unsigned char *byte = data + at;
        if (byte[0] == 0xc4 && (byte[1] & 0x1fu) == 2 && (byte[2] & 3u) == 1 && is_opcode(byte[3]))
            return true;
        if (byte[0] == 0x62 && (byte[1] & 7u) == 2 && (byte[2] & 7u) == 5 && is_opcode(byte[4]))
            return true;
    }
    return false;
}

/* Is the object fused? False after a message. */
static bool look(const accelcc_job *job, const char *source, const char *object, const list *own, bool *fused)
{
    const char *text;
    list flags = {0};
    size_t size = 0;
    *fused = false;
    if (!is_lto(job)) {
        const unsigned char *code = object_read(workspace_path(object), &size);
        if (code == NULL)
            return false;
        if (!may_be_fused(code, size))
            return true;
    }
    frames_flags(job, &flags);
    list_extend(&flags, own);
    if (!command_assembly(job, source, &flags, arena_format("%s.fused.s", object), &text))
        return false;
    *fused = text != NULL && (strstr(text, "\tvfmaddsub") != NULL || strstr(text, "\tvfmsubadd") != NULL);
    return true;
}

bool contraction_find(const accelcc_job *job, const char *source, const char *object, list *flags)
{
    bool fused;
    if (job->compiler->is_clang || !forbids(job, source))
        return true;
    if (!look(job, source, object, flags, &fused))
        return false;
    if (!fused)
        return true;
    message_note(
        "\"%s\" for %s: gcc's vectors fuse products with sums, against -ffp-contract=off; it is compiled without "
        "vectors (clang keeps them; a source of its own keeps those of other kernels)",
        source, job->name);
    list_add(flags, "-fno-tree-vectorize");
    return true;
}

bool contraction_is_gone(const accelcc_job *job, const char *source, const char *object, const list *flags)
{
    bool fused;
    if (!look(job, source, object, flags, &fused))
        return false;
    if (fused)
        message_error("\"%s\" for %s: gcc fuses products with sums, against -ffp-contract=off, also without vectors; "
                      "compile it with clang, or give its results up by -ffp-contract=fast",
                      source, job->name);
    return !fused;
}
