/* SPDX-License-Identifier: Apache-2.0 */
#include "target.h"

#include "base/arena.h"
#include "base/message.h"
#include "compile/host.h"
#include "core/base/nearest.h"
#include "gpu/amd.h"
#include "gpu/nvidia.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

/*
 * Measured with a 16x16-tile DGEMM of fixed extents and DAXPY on one Sapphire Rapids core.
 * -mprefer-vector-width=512: 40 instead of 30 GFLOP/s with clang 14, which halves its vectors without; nothing with
 * gcc 12, which does not.
 * -fschedule-insns, off by default in gcc for x86-64: 34 instead of 28 GFLOP/s at v4; DAXPY in cache 5 to 40% faster at
 * every level.
 * -fsched-pressure, where there are 16 vector registers: else that scheduling loads numbers before registers are free for
 * them. At v3 a fourth fewer vector instructions of accel-algorithms use the stack, products have 0.97 instead of 0.88 of
 * OpenBLAS, and transposes of floats are a tenth faster (Emerald Rapids). At v4, with 32 registers, minimum, maximum and dot
 * product of 10^5 doubles lost up to a third of their rate, and nothing gained.
 * -falign-loops=64: a loop of few instructions that lies across two lines of 64 bytes takes two cycles per turn instead
 * of one: DAXPY in cache 89 instead of 49 ns. gcc aligns to 16, which leaves a loop's place to chance.
 * -mtls-dialect=gnu2: ACCEL_SHARED is thread-local, and without it gcc calls __tls_get_addr in the loops over tiles
 * (2% and more). clang hoists that call, and clang 14 does not know the option. accel/kernel/cpu/cpu.h says how kernels
 * cope with versions of glibc whose descriptors clobber vector registers.
 * -mmemcpy-strategy, -mmemset-strategy: gcc copies and fills structs of 256 bytes to 8 kB with `rep movs` and `rep stos`, which
 * take longer to start than such a copy takes, and wait for stores to what is copied. Loops of vectors do it up to 2 kB: minimum
 * and sum of 1000 doubles take 10 % less time by AVX2 instructions on Emerald Rapids.
 */
/* clang-format off */
#define GCC_BY_VECTORS "vector_loop:2048:noalign,libcall:-1:noalign"
#define GCC_X86_64                                                                                                     \
    "-fschedule-insns", "-falign-loops=64", "-mtls-dialect=gnu2", "-mmemcpy-strategy=" GCC_BY_VECTORS,                 \
        "-mmemset-strategy=" GCC_BY_VECTORS

static const accelcc_target targets[] = {
    {"x86-64",    &host_driver, &architecture_x86_64,  {"-march=x86-64"},    {GCC_X86_64, "-fsched-pressure"}},
    {"x86-64-v2", &host_driver, &architecture_x86_64,  {"-march=x86-64-v2"}, {GCC_X86_64, "-fsched-pressure"}},
    {"x86-64-v3", &host_driver, &architecture_x86_64,  {"-march=x86-64-v3"}, {GCC_X86_64, "-fsched-pressure"}},
    {"x86-64-v4", &host_driver, &architecture_x86_64,  {"-march=x86-64-v4", "-mprefer-vector-width=512"}, {GCC_X86_64}},
    {"aarch64",   &host_driver, &architecture_aarch64, {"-march=armv8-a"},   {NULL}},
    {"check",     &check_driver, &architecture_x86_64, {"-march=x86-64"},   {NULL}},
    {"compute_[0-9]*", &ptx_driver,   NULL, {NULL}, {NULL}},
    {"sm_[0-9]*",      &cubin_driver, NULL, {NULL}, {NULL}},
    {"gfx[0-9]*",      &amd_driver,   NULL, {NULL}, {NULL}},
};
/* clang-format on */
enum { TARGET_COUNT = sizeof targets / sizeof targets[0] };

/* Without --targets. v2 is left out: it gains little over x86-64, and nearly all machines in use run v3. */
static const char *const default_targets[] = {"x86-64", "x86-64-v3", "x86-64-v4", "aarch64"};
/* "cuda": PTX for the oldest GPUs that today's nvcc knows runs on all newer ones. "hip": what is found in clusters and
 * workstations. */
static const char *const cuda_targets[] = {"compute_75", NULL};
static const char *const hip_targets[] = {"gfx90a", "gfx942", "gfx1030", "gfx1100", NULL};

static const accelcc_target *find(const char *name)
{
    for (size_t i = 0; i < TARGET_COUNT; ++i) {
        if (fnmatch(targets[i].pattern, name, 0) == 0)
            return &targets[i];
    }
    return NULL;
}

const accelcc_target *targets_plainest(const accelcc_architecture *architecture)
{
    for (size_t i = 0; architecture != NULL && i < TARGET_COUNT; ++i) {
        if (targets[i].architecture == architecture)
            return &targets[i];
    }
    return NULL;
}

/* "compute_NN" for "compute_[0-9]*". */
static const char *shown_name(const accelcc_target *row)
{
    size_t length = strcspn(row->pattern, "[");
    return row->driver->names == NULL ? row->pattern : arena_format("%.*sNN", (int)length, row->pattern);
}

static const char *known_names(bool hosts_only)
{
    list names = {0};
    for (size_t i = 0; i < TARGET_COUNT; ++i) {
        if (!hosts_only || targets[i].architecture != NULL)
            list_add(&names, shown_name(&targets[i]));
    }
    return list_join(&names, ", ");
}

/* ---------------------------------------------------------------------------------------- names as they are given -- */

/* "gfx90a:xnack+:sramecc-" with its features in the order of the alphabet, as clang and drivers spell it. */
static const char *canonical_gfx(const char *name)
{
    list words = {0};
    const char *features[2] = {NULL, NULL}, *const kinds[2] = {"sramecc", "xnack"};
    list_split(&words, name, ":");
    for (size_t i = 1; i < words.count; ++i) {
        size_t length = strlen(words.items[i]), kind = 0;
        while (kind < 2 && !(strncmp(words.items[i], kinds[kind], length - 1) == 0 && kinds[kind][length - 1] == '\0' &&
                             strchr("+-", words.items[i][length - 1]) != NULL))
            ++kind;
        if (kind == 2 || features[kind] != NULL) {
            message_error(
                "target \"%s\": after the processor may follow sramecc+ or sramecc-, and xnack+ or xnack-, each "
                "once: gfx90a:sramecc+:xnack-",
                name);
            return NULL;
        }
        features[kind] = words.items[i];
    }
    const char *result = words.items[0];
    for (size_t kind = 0; kind < 2; ++kind)
        result = features[kind] != NULL ? arena_format("%s:%s", result, features[kind]) : result;
    return result;
}

/* sm_90, sm_90a, sm_100f */
static const char *canonical_number(const char *name)
{
    const char *number = strchr(name, '_') + 1;
    size_t digits = strspn(number, "0123456789");
    bool suffix = strchr("af", number[digits]) != NULL && number[digits] != '\0';
    if (digits >= 2 && number[digits + suffix] == '\0')
        return name;
    message_error("target \"%s\": expected %.*s and a number such as 80, 90a or 100f", name, (int)(number - name),
                  name);
    return NULL;
}

static const char *canonical(const char *name, const accelcc_target *row)
{
    if (row->driver->names == NULL)
        return name;
    for (const char *c = name; *c != '\0'; ++c) { /* it becomes a file's name, and a word of commands */
        if (strchr("abcdefghijklmnopqrstuvwxyz0123456789_-+:", *c) == NULL) {
            message_error("target \"%s\": there is no such processor", name);
            return NULL;
        }
    }
    return row->driver == &amd_driver ? canonical_gfx(name) : canonical_number(name);
}

static int refuse(const char *name)
{
    static const char *const words[] = {"default", "native-levels", "cuda", "hip", "all"};
    list known = {0};
    for (size_t i = 0; i < TARGET_COUNT; ++i)
        list_add(&known, shown_name(&targets[i]));
    list_add_words(&known, words, sizeof words / sizeof words[0]);
    const char *near = accel_nearest(name, known.items, known.count);
    message_error("unknown target \"%s\"%s%s%s; known are %s, default, native-levels, cuda, hip and all", name,
                  near != NULL ? ", did you mean \"" : "", near != NULL ? near : "", near != NULL ? "\"?" : "",
                  known_names(false));
    return 2;
}

/* ------------------------------------------------------------------------------------- words for several targets -- */

static void add_defaults(const accelcc_compiler *own, list *names)
{
    for (size_t i = 0; i < sizeof default_targets / sizeof default_targets[0]; ++i) {
        if (find(default_targets[i])->architecture == own->architecture)
            list_add(names, default_targets[i]);
    }
}

static void add_hosts(const accelcc_options *options, const accelcc_compiler *own, bool all, list *names)
{
    for (size_t k = 0; k < TARGET_COUNT; ++k) {
        accelcc_compiler unused;
        if (targets[k].architecture != NULL && !targets[k].driver->checked &&
            (own->architecture == targets[k].architecture ||
             (all && compiler_find_for(options, targets[k].architecture, own, true, &unused))))
            list_add(names, targets[k].pattern);
    }
}

/* Those that a complete compiler makes. If there is none and they are `needed`, the first: its error says why. */
static void add_gpus(const accelcc_options *options, const accelcc_compiler *own, const char *const *gpus, bool needed,
                     list *names)
{
    bool any = false;
    for (const char *const *name = gpus; *name != NULL; ++name) {
        accelcc_compiler found;
        const accelcc_target *row = find(*name);
        if (!row->driver->find(options, row, *name, own, true, &found) || found.lacks_mathematics)
            continue;
        list_add(names, *name);
        any = true;
    }
    if (!any && needed)
        list_add(names, gpus[0]);
}

static void expand(const accelcc_options *options, const accelcc_compiler *own, list *names)
{
    list words = {0};
    if (options->targets != NULL)
        list_split(&words, options->targets, ", ");
    else
        list_add(&words, "default");
    for (size_t i = 0; i < words.count; ++i) {
        const char *word = words.items[i];
        bool all = strcmp(word, "all") == 0, cuda = strcmp(word, "cuda") == 0, hip = strcmp(word, "hip") == 0;
        if (strcmp(word, "default") == 0)
            add_defaults(own, names);
        else if (strcmp(word, "native-levels") == 0 || all)
            add_hosts(options, own, all, names);
        else if (!cuda && !hip)
            list_add(names, word);
        if (cuda || all)
            add_gpus(options, own, cuda_targets, cuda, names);
        if (hip || all)
            add_gpus(options, own, hip_targets, hip, names);
    }
}

static int check_cross_compilers(const accelcc_options *options)
{
    list known = {0};
    list_split(&known, "x86-64 aarch64 cuda hip", " ");
    for (size_t i = 0; i < options->cross_compilers.count; ++i) {
        const char *given = options->cross_compilers.items[i];
        if (strchr(given, '=') == NULL || !list_contains(&known, arena_copy(given, strcspn(given, "=")))) {
            message_error("--cc-for=%s: expected --cc-for=FOR=COMMAND with one of %s", given, list_join(&known, ", "));
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
        if (row == NULL)
            return refuse(names.items[i]);
        const char *name = canonical(names.items[i], row);
        if (name == NULL)
            return 2;
        if (!list_contains(&distinct, name))
            list_add(&distinct, name);
    }
    if (distinct.count == 0) {
        message_error("no targets: %s", options->targets != NULL
                                            ? "--targets is empty"
                                            : arena_format("%s makes code for a machine other than %s",
                                                           own->command.items[0], known_names(true)));
        return 2;
    }
    accelcc_selection *selected = arena_alloc(distinct.count * sizeof *selected);
    for (size_t i = 0; i < distinct.count; ++i) {
        const accelcc_target *row = find(distinct.items[i]);
        selected[i].target = row;
        selected[i].name = distinct.items[i];
        if (!row->driver->find(options, row, selected[i].name, own, false, &selected[i].compiler))
            return 1;
    }
    *result = selected;
    *count = distinct.count;
    return 0;
}

static void print_target(const accelcc_options *options, const accelcc_compiler *own, const accelcc_target *row,
                         const char *name)
{
    accelcc_compiler found;
    if (row->driver->find(options, row, name, own, true, &found))
        printf("%-15s %s%s\n", name, list_join(&found.command, " "),
               found.lacks_mathematics ? " (no device libraries: no mathematics)" : "");
    else
        printf("%-15s no compiler: %s was not found\n", name,
               row->architecture != NULL ? row->architecture->cross_compiler : "ptxas");
}

void targets_print(const accelcc_options *options, const accelcc_compiler *own)
{
    for (size_t i = 0; i < TARGET_COUNT; ++i) {
        list family = {0};
        if (targets[i].driver->names == NULL) {
            print_target(options, own, &targets[i], targets[i].pattern);
            continue;
        }
        targets[i].driver->names(options, &family);
        for (size_t k = 0; k < family.count; ++k)
            print_target(options, own, &targets[i], family.items[k]);
        if (family.count == 0)
            printf("%-15s no compiler: %s\n", shown_name(&targets[i]),
                   targets[i].driver == &amd_driver ? "no clang for AMD GPUs was found (--cc-for=hip=COMMAND)"
                                                    : "neither nvcc nor clang was found (--cc-for=cuda=COMMAND)");
    }
}
