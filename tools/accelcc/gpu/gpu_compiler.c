/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/gpu_compiler.h"

#include "base/arena.h"
#include "base/message.h"
#include "base/process.h"

#include <fnmatch.h>
#include <string.h>

bool gpu_compiler_is_nvcc(const list *command)
{
    const char *slash = strrchr(command->items[0], '/');
    return strncmp(slash != NULL ? slash + 1 : command->items[0], "nvcc", 4) == 0;
}

void gpu_compiler_clangs(list *commands)
{
    for (int version = 24; version >= 14; --version)
        list_add(commands, arena_format("clang-%d", version));
    list_add(commands, "clang");
}

/* The words of `text` that begin with sm_ or gfx; "compute_90" counts as "sm_90". */
static void collect(const char *text, list *processors)
{
    list words = {0};
    list_split(&words, text, " \t\r\n,");
    for (size_t i = 0; i < words.count; ++i) {
        const char *word = words.items[i];
        if (strncmp(word, "compute_", 8) == 0)
            word = arena_format("sm_%s", word + 8);
        if ((strncmp(word, "sm_", 3) == 0 || strncmp(word, "gfx", 3) == 0) && !list_contains(processors, word))
            list_add(processors, word);
    }
}

/* Earlier results: a run asks the same compilers for every target. */
static list asked;
static list *results;

/* Nothing if the program makes no code for this vendor. */
static void ask(const accelcc_options *options, const gpu_vendor *vendor, const list *command, list *processors)
{
    list question = {0};
    process_result result;
    const char *key = arena_format("%s %s", vendor->name, list_join(command, " "));
    for (size_t i = 0; i < asked.count; ++i) {
        if (strcmp(asked.items[i], key) == 0) {
            list_extend(processors, &results[i]);
            return;
        }
    }
    list_extend(&question, command);
    if (gpu_compiler_is_nvcc(command)) {
        list_add(&question, "--list-gpu-arch");
    } else {
        list_add(&question, arena_format("--target=%s", vendor->triple));
        list_add(&question, "-nogpulib");
        list_add(&question, "--print-supported-cpus");
    }
    if (process_run(&question, NULL, options->verbose, &result) && result.status == 0)
        collect(result.output, processors);
    list *grown = arena_alloc((asked.count + 1) * sizeof *grown);
    if (asked.count != 0)
        memcpy(grown, results, asked.count * sizeof *grown);
    results = grown;
    list_extend(&results[asked.count], processors);
    list_add(&asked, key);
}

/* nvcc lists sm_90, and makes sm_90a and sm_100f too. */
static bool makes(const list *command, const list *processors, const char *processor)
{
    if (list_contains(processors, processor))
        return true;
    size_t length = strlen(processor);
    return gpu_compiler_is_nvcc(command) && strchr("af", processor[length - 1]) != NULL &&
           list_contains(processors, arena_copy(processor, length - 1));
}

static const char *origin_of(const gpu_origin *origins, const char *target)
{
    for (; origins->pattern != NULL; ++origins) {
        if (fnmatch(origins->pattern, target, 0) == 0)
            return origins->compilers;
    }
    return NULL;
}

static void refuse(const gpu_vendor *vendor, const char *target, const gpu_origin *origins, const list *seen)
{
    const char *origin = origin_of(origins, target);
    if (seen->count == 0)
        message_error("target \"%s\": there is no %s: %s, or name one with --cc-for=%s=COMMAND", target, vendor->what,
                      vendor->searched, vendor->name);
    else
        message_error("target \"%s\" is not made by %s (accelcc --print-targets lists what is); %s%s%sinstall such a "
                      "one, or name it with --cc-for=%s=COMMAND",
                      target, list_join(seen, ", "), origin != NULL ? "it takes " : "", origin != NULL ? origin : "",
                      origin != NULL ? ": " : "", vendor->name);
}

bool gpu_compiler_find(const accelcc_options *options, const gpu_vendor *vendor, const char *target,
                       const char *processor, const gpu_origin *origins, bool quiet, accelcc_compiler *self)
{
    list candidates = {0}, seen = {0};
    bool found = false;
    const char *given = compiler_given(options, vendor->name);
    if (given != NULL)
        list_add(&candidates, given);
    else
        vendor->candidates(&candidates);
    for (size_t i = 0; i < candidates.count; ++i) {
        list command = {0}, processors = {0};
        if (!compiler_command(candidates.items[i], &command))
            continue;
        ask(options, vendor, &command, &processors);
        if (makes(&command, &processors, processor)) {
            accelcc_compiler one = {.command = command, .is_clang = !gpu_compiler_is_nvcc(&command)};
            bool complete = vendor->is_complete == NULL || vendor->is_complete(&one, processor);
            if (complete || !found)
                *self = one;
            found = true;
            if (complete)
                return true;
        }
        if ((processors.count != 0 || given != NULL) && !list_contains(&seen, command.items[0]))
            list_add(&seen, command.items[0]);
    }
    if (found)
        return true;
    if (!quiet && given != NULL && seen.count == 0)
        message_error("target \"%s\": \"%s\" (from --cc-for=%s) was not found; install it, or name another", target,
                      given, vendor->name);
    else if (!quiet)
        refuse(vendor, target, origins, &seen);
    return false;
}

void gpu_compiler_processors(const accelcc_options *options, const gpu_vendor *vendor, list *processors)
{
    list candidates = {0};
    const char *given = compiler_given(options, vendor->name);
    if (given != NULL)
        list_add(&candidates, given);
    else
        vendor->candidates(&candidates);
    for (size_t i = 0; i < candidates.count; ++i) {
        list command = {0};
        list found = {0};
        if (compiler_command(candidates.items[i], &command))
            ask(options, vendor, &command, &found);
        for (size_t k = 0; k < found.count; ++k) {
            if (!list_contains(processors, found.items[k]))
                list_add(processors, found.items[k]);
        }
    }
}
