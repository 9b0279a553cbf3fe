/* SPDX-License-Identifier: Apache-2.0 */
#include "opened.h"

#include "core/plugins/services.h"

#include <check.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *fake_path(const char *variant)
{
    static _Thread_local char path[512];

    snprintf(path, sizeof(path), FAKE_DIRECTORY "/fake-lib%s.so", variant);
    return path;
}

fake_controls *fake_load(const char *variant)
{
    void *library = dlopen(fake_path(variant), RTLD_NOW | RTLD_LOCAL);

    ck_assert_msg(library != NULL, "%s", dlerror());
    return dlsym(library, "fake_control");
}

volatile uint32_t opened_generation;

static const char *chosen;

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

opened open_fake_in(const gpu_family *family, const char *variant, const char *root)
{
    return open_chosen(family, fake_path(variant), root);
}

opened open_fake(const gpu_family *family, const char *variant)
{
    return open_fake_in(family, variant, "/there/is/no/such/directory");
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
