/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/light.h"

#include "base/arena.h"
#include "compile/command.h"
#include "compile/compile.h"
#include "inspect/frames.h"
#include "output/symbols.h"

#include <string.h>

static bool compile(const accelcc_job *job, const char *source, const char *object, const list *definitions)
{
    /* The last words are ours. The first version has shown the warnings, and symbols.h reads no intermediate code. */
    static const char *const flags[] = {"-w", "-fno-lto", "-c"};
    list command = {0};
    process_result result;
    command_make(job, source, &command);
    frames_flags(job, &command);
    list_extend(&command, definitions);
    list_add_words(&command, flags, sizeof flags / sizeof flags[0]);
    return compile_run(job, &command, source, object, arena_format("%s.d", object), &result) &&
           compile_succeeded(job, &command, source, &result);
}

bool light_add(const accelcc_job *job, const list *definitions, list *objects)
{
    const list *sources = &job->options->sources;
    accelcc_job light = *job;
    list made = {0};
    if (!job->options->light)
        return true;
    light.light = true;
    for (size_t i = 0; i < sources->count; ++i) {
        const char *slash = strrchr(sources->items[i], '/');
        const char *object =
            arena_format("%s-light-%zu-%s.o", job->name, i, slash != NULL ? slash + 1 : sources->items[i]);
        if (!compile(&light, sources->items[i], object, &definitions[i]))
            return false;
        list_add(&made, object);
    }
    list_extend(objects, &made);
    return symbols_make_light(&made);
}
