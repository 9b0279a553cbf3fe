/* SPDX-License-Identifier: Apache-2.0 */
#include "target.h"

#include "arena.h"
#include "host.h"
#include "message.h"
#include "nearest.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/*
 * Measured with a 16x16-tile DGEMM of fixed extents and DAXPY on one Sapphire Rapids core.
 * -mprefer-vector-width=512: 40 instead of 30 GFLOP/s with clang 14, which halves its vectors without; nothing with
 * gcc 12, which does not.
 * -fschedule-insns, off by default in gcc for x86-64: 34 instead of 28 GFLOP/s at v4; DAXPY in cache 5 to 40% faster at
 * every level.
 * -mtls-dialect=gnu2: ACCEL_SHARED is thread-local, and without it gcc calls __tls_get_addr in the loops over tiles
 * (2% and more). clang hoists that call, and clang 14 does not know the option. accel/kernel/cpu.h tells how kernels
 * live with the versions of glibc whose descriptors clobber vector registers.
 */
/* clang-format off */
#define GCC_X86_64 {"-fschedule-insns", "-mtls-dialect=gnu2"}

static const accelcc_target targets[] = {
    {"x86-64",    &host_driver, &architecture_x86_64,  {"-march=x86-64"},    GCC_X86_64},
    {"x86-64-v2", &host_driver, &architecture_x86_64,  {"-march=x86-64-v2"}, GCC_X86_64},
    {"x86-64-v3", &host_driver, &architecture_x86_64,  {"-march=x86-64-v3"}, GCC_X86_64},
    {"x86-64-v4", &host_driver, &architecture_x86_64,  {"-march=x86-64-v4", "-mprefer-vector-width=512"}, GCC_X86_64},
    {"aarch64",   &host_driver, &architecture_aarch64, {"-march=armv8-a"},   {NULL}},
    {"compute_*", NULL, NULL, {NULL}, {NULL}},
    {"sm_*", NULL, NULL, {NULL}, {NULL}},
    {"gfx*", NULL, NULL, {NULL}, {NULL}},
};
/* clang-format on */
enum { TARGET_COUNT = sizeof targets / sizeof targets[0] };

/* Without --targets. v2 is left out: it gains little over x86-64, and nearly all machines in use run v3. */
static const char *const default_targets[] = {"x86-64", "x86-64-v3", "x86-64-v4", "aarch64"};

static const accelcc_target *find(const char *name)
{
    for (size_t i = 0; i < TARGET_COUNT; ++i) {
        if (fnmatch(targets[i].pattern, name, 0) == 0)
            return &targets[i];
    }
    return NULL;
}

static const char *host_names(void)
{
    list names = {0};
    for (size_t i = 0; i < TARGET_COUNT; ++i) {
        if (targets[i].driver != NULL)
            list_add(&names, targets[i].pattern);
    }
    return list_join(&names, ", ");
}

static int refuse(const char *name, const accelcc_target *row)
{
    if (row != NULL) {
        message_error("target \"%s\": this accelcc does not compile for GPUs yet; it makes %s", name, host_names());
        return 2;
    }
    list known = {0};
    for (size_t i = 0; i < TARGET_COUNT; ++i)
        list_add(&known, targets[i].pattern);
    list_add(&known, "native-levels");
    list_add(&known, "all");
    const char *near = nearest_word(name, &known);
    message_error("unknown target \"%s\"%s%s%s; known are %s, native-levels and all", name,
                  near != NULL ? ", did you mean \"" : "", near != NULL ? near : "", near != NULL ? "\"?" : "",
                  host_names());
    return 2;
}

/* Replaces the words that stand for several targets. */
static void expand(const accelcc_options *options, const accelcc_compiler *own, list *names)
{
    list words = {0};
    if (options->targets != NULL) {
        list_split(&words, options->targets, ", ");
    } else {
        for (size_t i = 0; i < sizeof default_targets / sizeof default_targets[0]; ++i) {
            if (find(default_targets[i])->architecture == own->architecture)
                list_add(&words, default_targets[i]);
        }
    }
    for (size_t i = 0; i < words.count; ++i) {
        bool levels = strcmp(words.items[i], "native-levels") == 0, all = strcmp(words.items[i], "all") == 0;
        if (!levels && !all) {
            list_add(names, words.items[i]);
            continue;
        }
        for (size_t k = 0; k < TARGET_COUNT; ++k) {
            accelcc_compiler unused;
            if (targets[k].driver != NULL &&
                (own->architecture == targets[k].architecture ||
                 (all && compiler_find_for(options, targets[k].architecture, own, true, &unused))))
                list_add(names, targets[k].pattern);
        }
    }
}

static int check_cross_compilers(const accelcc_options *options)
{
    for (size_t i = 0; i < options->cross_compilers.count; ++i) {
        const char *given = options->cross_compilers.items[i];
        const char *name = arena_copy(given, strcspn(given, "="));
        if (strchr(given, '=') == NULL ||
            (strcmp(name, architecture_x86_64.name) != 0 && strcmp(name, architecture_aarch64.name) != 0)) {
            message_error("--cc-for=%s: expected --cc-for=ARCHITECTURE=COMMAND with one of %s, %s", given,
                          architecture_x86_64.name, architecture_aarch64.name);
            return 2;
        }
    }
    return 0;
}

int targets_select(const accelcc_options *options, const accelcc_compiler *own, accelcc_selection **result,
                   size_t *count)
{
    list names = {0}, distinct = {0};
    int status = check_cross_compilers(options);
    if (status != 0)
        return status;
    expand(options, own, &names);
    for (size_t i = 0; i < names.count; ++i) {
        const accelcc_target *row = find(names.items[i]);
        if (row == NULL || row->driver == NULL)
            return refuse(names.items[i], row);
        if (!list_contains(&distinct, names.items[i]))
            list_add(&distinct, names.items[i]);
    }
    if (distinct.count == 0) {
        message_error("no targets: %s", options->targets != NULL
                                            ? "--targets is empty"
                                            : arena_format("%s makes code for a machine other than %s",
                                                           own->command.items[0], host_names()));
        return 2;
    }
    accelcc_selection *selected = arena_alloc(distinct.count * sizeof *selected);
    for (size_t i = 0; i < distinct.count; ++i) {
        selected[i].target = find(distinct.items[i]);
        selected[i].name = distinct.items[i];
        if (!compiler_find_for(options, selected[i].target->architecture, own, false, &selected[i].compiler))
            return 1;
    }
    *result = selected;
    *count = distinct.count;
    return 0;
}

void targets_print(const accelcc_options *options, const accelcc_compiler *own)
{
    for (size_t i = 0; i < TARGET_COUNT; ++i) {
        accelcc_compiler found;
        if (targets[i].driver == NULL)
            printf("%-12s not made by this version\n", targets[i].pattern);
        else if (compiler_find_for(options, targets[i].architecture, own, true, &found))
            printf("%-12s %s\n", targets[i].pattern, list_join(&found.command, " "));
        else
            printf("%-12s no compiler: %s is not found\n", targets[i].pattern, targets[i].architecture->cross_compiler);
    }
}
