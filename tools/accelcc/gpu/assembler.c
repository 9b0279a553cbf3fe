/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/assembler.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/process.h"
#include "base/workspace.h"
#include "compile/diagnostics.h"
#include "gpu/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *assembler_find(const list *compiler)
{
    const char *program = compiler->items[0];
    const char *beside = arena_format("%.*sptxas", (int)(strrchr(program, '/') - program + 1), program);
    const char *path = compiler_program(beside);
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    if (path == NULL)
        path = compiler_program("ptxas");
    for (size_t i = 0; path == NULL && i < sizeof variables / sizeof variables[0]; ++i) {
        const char *root = getenv(variables[i]);
        path = root != NULL && *root == '/' ? compiler_program(arena_format("%s/bin/ptxas", root)) : NULL;
    }
    return path != NULL ? path : compiler_program("/usr/local/cuda/bin/ptxas");
}

/* Without optimisation: the only question is whether the text is legal. */
static bool takes(const accelcc_job *job, const char *processor, const char *text, process_result *result)
{
    list command = {0};
    const char *const words[] = {
        job->compiler->assembler,       arena_format("-arch=%s", processor), "-O0", workspace_path("version.ptx"), "-o",
        workspace_path("version.cubin")};
    list_add_words(&command, words, sizeof words / sizeof words[0]);
    return workspace_write("version.ptx", text) && process_run(&command, NULL, job->options->verbose, result);
}

/* The text, and a module with the same header and nothing in it. An assembler that refuses both does not know the
 * version or the processor; one that refuses the text alone has found an error in it. */
typedef struct verdict {
    bool accepted, knows_header;
    const char *says; /* about the text */
} verdict;

static bool judge(const accelcc_job *job, const char *processor, const char *text, verdict *found)
{
    process_result whole, header = {0};
    if (!takes(job, processor, text, &whole))
        return false;
    if (whole.status != 0 && !takes(job, processor, ptx_header(text), &header))
        return false;
    *found = (verdict){whole.status == 0, header.status == 0, whole.output};
    return true;
}

/* The versions that the assembler knows, in its order: the oldest first. */
static bool known_versions(const accelcc_job *job, list *versions)
{
    list command = {0};
    process_result result;
    list_add(&command, job->compiler->assembler);
    list_add(&command, "--list-version");
    if (!process_run(&command, NULL, job->options->verbose, &result))
        return false;
    if (result.status == 0)
        list_split(versions, result.output, " \t\r\n");
    return true;
}

static ptx_version parsed(const char *text)
{
    ptx_version version = {0, 0};
    sscanf(text, "%d.%d", &version.major, &version.minor);
    return version;
}

static bool is_older(ptx_version a, ptx_version b)
{
    return a.major != b.major ? a.major < b.major : a.minor < b.minor;
}

const char *assembler_lower(const accelcc_job *job, const char *processor, const char *text)
{
    ptx_version written = ptx_version_of(text);
    list versions = {0};
    verdict found;
    process_result result;
    if (job->compiler->assembler == NULL) {
        message_note("%s: there is no ptxas, so the PTX keeps version %d.%d; drivers older than the compiler will "
                     "refuse it",
                     job->name, written.major, written.minor);
        return text;
    }
    if (!judge(job, processor, text, &found) || !known_versions(job, &versions))
        return NULL;
    if (!found.accepted && !found.knows_header) {
        /* today's ptxas makes no code for the oldest GPUs, but of their PTX for newer ones */
        processor = "sm_75";
        if (!judge(job, processor, text, &found))
            return NULL;
    }
    if (!found.accepted && found.knows_header) {
        diagnostics_show(found.says, job->shown);
        message_error("library \"%s\" does not assemble for %s (%s refuses its PTX)", job->options->name, job->name,
                      job->compiler->assembler);
        return NULL;
    }
    if (!found.accepted || versions.count == 0) {
        message_note("%s: %s %s, so the PTX is not checked and keeps version %d.%d", job->name,
                     job->compiler->assembler,
                     found.accepted ? "lists no versions" : "does not know the target or the version of its PTX",
                     written.major, written.minor);
        return text;
    }
    const ptx_version volta = {6, 1}; /* the first that has every GPU kernel.h has; the fallback above does not check */
    size_t low = 0, high = 0;         /* the answer is in [low, high]; high is accepted */
    while (low < versions.count && is_older(parsed(versions.items[low]), volta))
        ++low;
    while (high < versions.count && is_older(parsed(versions.items[high]), written))
        ++high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (!takes(job, processor, ptx_with_version(text, parsed(versions.items[middle])), &result))
            return NULL;
        if (result.status == 0)
            high = middle;
        else
            low = middle + 1;
    }
    return high < versions.count ? ptx_with_version(text, parsed(versions.items[high])) : text;
}

bool assembler_run(const accelcc_job *job, const gpu_flags *flags, const char *processor, const char *ptx,
                   const char *cubin, const char **report)
{
    list command = {0};
    process_result result;
    list_add(&command, job->compiler->assembler);
    list_add(&command, arena_format("-arch=%s", processor));
    list_add(&command, flags->level);
    list_add(&command, strcmp(flags->contract, "off") == 0 ? "-fmad=false" : "-fmad=true");
    if (flags->line_info)
        list_add(&command, "-lineinfo");
    if (report != NULL)
        list_add(&command, "-v");
    list_add(&command, workspace_path(ptx));
    list_add(&command, "-o");
    list_add(&command, workspace_path(cubin));
    if (!process_run(&command, NULL, job->options->verbose, &result))
        return false;
    if (report != NULL)
        *report = result.output;
    if (report == NULL || result.status != 0)
        diagnostics_show(result.output, job->shown);
    if (result.status == 0)
        return true;
    message_error("library \"%s\" does not assemble for %s (%s: status %d)", job->options->name, job->name,
                  job->compiler->assembler, result.status);
    return false;
}
