/* SPDX-License-Identifier: Apache-2.0 */
#include "compile/compile.h"

#include "base/message.h"
#include "base/workspace.h"
#include "compile/diagnostics.h"
#include "compile/includes.h"

bool compile_run(const accelcc_job *job, list *command, const char *source, const char *output,
                 const char *dependencies, process_result *result)
{
    if (job->options->dependencies && dependencies != NULL) {
        /* dependencies.c puts the real target there. */
        const char *const words[] = {"-MD", "-MF", workspace_path(dependencies), "-MT", "output"};
        list_add_words(command, words, sizeof words / sizeof words[0]);
    }
    list_add(command, source);
    list_add(command, "-o");
    list_add(command, workspace_path(output));
    if (!process_run(command, NULL, job->options->verbose, result))
        return false;
    diagnostics_show(result->output, job->shown);
    return true;
}

bool compile_succeeded(const accelcc_job *job, const list *command, const char *source, const process_result *result)
{
    if (result->status == 0)
        return true;
    includes_show_missing(source, result->output, job->shown);
    message_error("\"%s\" does not compile for %s (%s: status %d)", source, job->name, command->items[0],
                  result->status);
    return false;
}
