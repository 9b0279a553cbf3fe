/* SPDX-License-Identifier: Apache-2.0 */
#include "opened.h"

#include "core/plugins/services.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *simulated_path(const gpu_family *family)
{
    static _Thread_local char path[512];

    snprintf(path, sizeof(path), SIMULATED_DIRECTORY "/%s",
             strcmp(family->name, "cuda") == 0 ? "libcuda.so.1" : "libamdhip64.so.6");
    return path;
}

const char *broken_path(const char *name)
{
    static _Thread_local char path[512];

    snprintf(path, sizeof(path), BROKEN_DIRECTORY "/broken-lib%s.so", name);
    return path;
}

volatile uint32_t opened_generation;

static const char *_Atomic chosen;

static const char *config(const char *name)
{
    (void)name; /* of the only variable that is asked for */
    return chosen;
}

static opened open_recipe(const gpu_family *family, const gpu_recipe *recipe)
{
    const gpu_family changed = {.name = family->name, .open = family->open, .recipe = recipe};
    accel_host_services services = accel_services;
    opened result = {.state = ACCEL_BACKEND_USABLE};

    services.fork_generation = &opened_generation;
    services.config = config;
    result.status = changed.open(&changed, &services, &result.driver, &result.state);
    result.text = result.status != ACCEL_OK ? accel_services.error_message() : "";
    return result;
}

opened open_below(const gpu_family *family, const char *const names[], const char *root)
{
    gpu_recipe recipe = *family->recipe;

    recipe.libraries = names;
    recipe.root = root;
    return open_recipe(family, &recipe);
}

opened open_names(const gpu_family *family, const char *const names[], const char *root)
{
    gpu_recipe recipe = *family->recipe;

    recipe.libraries = names;
    recipe.root = root;
    recipe.kernel_nodes = NULL;
    return open_recipe(family, &recipe);
}

opened open_chosen(const gpu_family *family, const char *library, const char *root)
{
    gpu_recipe recipe = *family->recipe;

    recipe.root = root;
    chosen = library;
    return open_recipe(family, &recipe);
}

opened open_simulated_in(const gpu_family *family, const char *root)
{
    return open_chosen(family, simulated_path(family), root);
}

opened open_simulated(const gpu_family *family)
{
    return open_simulated_in(family, "/there/is/no/such/directory");
}

static char trace[256];

static void remove_trace(void)
{
    unlink(trace);
}

void count_calls(void)
{
    const char *directory = getenv("TMPDIR");

    snprintf(trace, sizeof(trace), "%s/accel-calls-XXXXXX", directory != NULL ? directory : "/tmp");
    int file = mkstemp(trace);
    ck_assert_int_ge(file, 0);
    close(file);
    atexit(remove_trace);
    setenv("GPUSIM_TRACE", trace, 1);
}

unsigned calls_of(const char *function)
{
    char line[256];
    unsigned calls = 0;
    FILE *file = fopen(trace, "r");

    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        calls += strcmp(line, function) == 0;
    }
    fclose(file);
    return calls;
}

void ck_assert_refused(const opened *result, uint32_t state, ...)
{
    va_list words;

    ck_assert_uint_ne(result->status, ACCEL_OK);
    ck_assert_ptr_null(result->driver);
    ck_assert_msg(result->state == state, "state %u instead of %u: %s", result->state, state, result->text);
    va_start(words, state);
    for (const char *word = va_arg(words, const char *); word != NULL; word = va_arg(words, const char *))
        ck_assert_msg(strstr(result->text, word) != NULL, "\"%s\" does not say \"%s\"", result->text, word);
    va_end(words);
}
