/* SPDX-License-Identifier: Apache-2.0 */
#include "core/base/config.h"

#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/nearest.h"
#include "core/base/text.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* What a value is, and so how it is checked and whether a set-uid process may take it from the environment. */
enum { TEXT, NUMBER, PATHS /* never in set-uid */, LOG /* in set-uid only without a file */ };

typedef struct config_variable {
    const char *name, *default_value, *meaning;
    uint32_t kind;
    unsigned long least, most; /* of NUMBER */
} config_variable;

static const config_variable table[] = {
    {"ACCEL_BACKEND", "", "backends that may be used, in order, separated by ','; strict; unset: all, GPUs first", TEXT,
     0, 0},
    {"ACCEL_DEVICES", "", "devices of each GPU backend, by the driver's number: \"0,2\", or \"local-rank\"; unset: all",
     TEXT, 0, 0},
    {"ACCEL_PLUGIN_PATH", "", "absolute directories searched first for plugins, separated by ':'", PATHS, 0, 0},
    {"ACCEL_KERNEL_PATH", "", "absolute directories searched first for kernel objects, separated by ':'", PATHS, 0, 0},
    {"ACCEL_LOG", "", "error, warning, info or debug, then perhaps ':' and a file; unset: silent", LOG, 0, 0},
    {"ACCEL_CPU_STACK_SIZE", "16384", "bytes of stack of each thread of a thread kernel on CPUs", NUMBER, 4096,
     8ul << 20},
    {"ACCEL_CPU_SPIN_US", "20", "microseconds that a CPU worker spins for work before it sleeps", NUMBER, 0, 1000000},
    {"ACCEL_CPU_THREADS", "",
     "threads of one launch on cpu-threads; unset: as many as the process has CPUs or quota for", NUMBER, 1, 1024},
    {"ACCEL_CPU_PIN", "",
     "workers of cpu-threads run on all CPUs of the device (0), one CPU each (1), one NUMA node each (2); unset: 2, "
     "but 0 "
     "where several processes of a job share the CPUs",
     NUMBER, 0, 2},
    {"ACCEL_OMP_LIBRARY", "",
     "OpenMP runtime of cpu-omp, e.g. libomp.so.5; unset: the one that the process has, else libgomp, else libomp",
     PATHS, 0, 0},
    {"ACCEL_HWLOC_LIBRARY", "", "hwloc 2, from which CPU backends take the topology; unset: libhwloc.so.15", PATHS, 0, 0},
    {"ACCEL_CUDA_LIBRARY", "", "library of the CUDA driver; unset: libcuda.so.1", PATHS, 0, 0},
    {"ACCEL_HIP_LIBRARY", "", "library of the HIP runtime; unset: libamdhip64, if the kernel has AMD's driver", PATHS, 0,
     0},
    {"ACCEL_CHECK", "0", "1: CPU backends check the stacks of thread kernels for overflow after each block", NUMBER, 0,
     1},
};
#define VARIABLE_COUNT (sizeof(table) / sizeof(table[0]))
#define PREFIX "ACCEL_"

/* Ranks on the node, as the launchers pass them to their processes. Slurm comes last: an mpirun inside its allocation may
 * inherit the batch script's. */
static const char *const rank_variables[] = {
    "OMPI_COMM_WORLD_LOCAL_RANK", /* Open MPI, Spectrum MPI */
    "MPI_LOCALRANKID",            /* MPICH with Hydra, Intel MPI */
    "MV2_COMM_WORLD_LOCAL_RANK",  /* MVAPICH2 */
    "MVP_COMM_WORLD_LOCAL_RANK",  /* MVAPICH 3 and later */
    "PMI_LOCAL_RANK",             /* Cray MPICH */
    "PALS_LOCAL_RANKID",          /* PALS */
    "FLUX_TASK_LOCAL_ID",         /* Flux */
    "SLURM_LOCALID",              /* Slurm's srun */
};
#define RANK_VARIABLE_COUNT (sizeof(rank_variables) / sizeof(rank_variables[0]))

typedef struct config_row {
    char *name, *value, *meaning; /* owned; name and meaning NULL for table rows */
    const char *source;
    uint32_t flags;
} config_row;

struct accel_config {
    size_t count; /* VARIABLE_COUNT rows of the table, then the unknown ones */
    config_row rows[];
};

/* Values for plugins, kept as long as the process: few, and each once. Only ever grows; pushed with release, read with acquire. */
typedef struct kept_value {
    struct kept_value *next;
    char text[];
} kept_value;
static _Atomic(kept_value *) kept_values;
/* What plugins are told; NULL: unset. Replaced as a whole by each instance. */
static _Atomic(const char *) plugin_values[VARIABLE_COUNT];

/* Hidden and weak, as in allocate.c: a static test pretends to be set-uid. */
__attribute__((weak, visibility("hidden"))) bool accel_config_pretend_secure(void);

static bool is_secure(void)
{
    if (accel_config_pretend_secure != NULL && accel_config_pretend_secure())
        return true;
    return getauxval(AT_SECURE) != 0;
}

static size_t find_variable(const char *name)
{
    size_t index = 0;

    while (index < VARIABLE_COUNT && strcmp(table[index].name, name) != 0)
        ++index;
    return index;
}

/* The environment's value, "" if unset; *ignored if it may not be used. */
static const char *environment_value(const config_variable *variable, bool *ignored)
{
    const char *value = getenv(variable->name);

    *ignored = false;
    if (value == NULL)
        return "";
    if (value[0] != '\0' && is_secure() &&
        (variable->kind == PATHS || (variable->kind == LOG && strchr(value, ':') != NULL))) {
        *ignored = true;
        return "";
    }
    return value;
}

static accel_status check_number(const config_variable *variable, const char *value)
{
    char *end = NULL;

    errno = 0;
    unsigned long number = strtoul(value, &end, 10);
    if (value[0] >= '0' && value[0] <= '9' && *end == '\0' && errno == 0 && number >= variable->least &&
        number <= variable->most)
        return ACCEL_OK;
    return accel_error_set(ACCEL_INVALID, "%s is \"%s\"; it takes a whole number from %lu to %lu (default: %s)",
                           variable->name, value, variable->least, variable->most,
                           variable->default_value[0] != '\0' ? variable->default_value : "what suits the machine");
}

static accel_status keep_value(const char *value, const char **kept)
{
    kept_value *item = atomic_load_explicit(&kept_values, memory_order_acquire);

    while (item != NULL && strcmp(item->text, value) != 0)
        item = item->next;
    if (item == NULL) {
        size_t size = strlen(value) + 1;
        item = accel_allocate(sizeof(*item) + size);
        if (item == NULL)
            return ACCEL_OUT_OF_MEMORY;
        memcpy(item->text, value, size);
        item->next = atomic_load_explicit(&kept_values, memory_order_relaxed);
        while (!atomic_compare_exchange_weak_explicit(&kept_values, &item->next, item, memory_order_release,
                                                      memory_order_relaxed))
            continue;
    }
    *kept = item->text;
    return ACCEL_OK;
}

static accel_status read_variable(size_t index, const char *given, config_row *row)
{
    const config_variable *variable = &table[index];
    bool ignored;
    const char *value = environment_value(variable, &ignored);
    const char *kept = NULL;
    accel_status status = ACCEL_OK;

    row->source = value[0] != '\0' ? "environment" : "default";
    row->flags = ignored ? ACCEL_CONFIG_IGNORED : 0;
    if (variable->kind == NUMBER && value[0] != '\0')
        status = check_number(variable, value);
    else if (variable->kind == LOG)
        status = accel_log_configure(value);
    if (status == ACCEL_OK && value[0] != '\0')
        status = keep_value(value, &kept);
    if (status != ACCEL_OK)
        return status;
    atomic_store_explicit(&plugin_values[index], kept, memory_order_release);
    if (given != NULL) {
        if (value[0] != '\0')
            row->flags |= ACCEL_CONFIG_IGNORED;
        value = given;
        row->source = "program";
    }
    row->value = accel_text_copy(value);
    return row->value != NULL ? ACCEL_OK : ACCEL_OUT_OF_MEMORY;
}

static bool is_unknown(const char *entry, size_t *length)
{
    char name[64];

    *length = strcspn(entry, "=");
    if (strncmp(entry, PREFIX, strlen(PREFIX)) != 0)
        return false;
    if (*length >= sizeof(name))
        return true;
    memcpy(name, entry, *length);
    name[*length] = '\0';
    return find_variable(name) == VARIABLE_COUNT;
}

static accel_status read_unknown(const char *entry, size_t length, config_row *row)
{
    const char *endings[VARIABLE_COUNT];

    row->name = accel_text_format("%.*s", (int)length, entry);
    row->value = row->name != NULL && entry[length] == '=' ? accel_text_copy(entry + length + 1) : accel_text_copy("");
    if (row->name == NULL || row->value == NULL)
        return ACCEL_OUT_OF_MEMORY;
    for (size_t i = 0; i < VARIABLE_COUNT; ++i)
        endings[i] = table[i].name + strlen(PREFIX);

    const char *nearest = accel_nearest(row->name + strlen(PREFIX), endings, VARIABLE_COUNT);

    row->meaning = nearest != NULL ? accel_text_format("unknown variable, maybe " PREFIX "%s?", nearest)
                                   : accel_text_copy("unknown variable");
    row->source = "environment";
    row->flags = ACCEL_CONFIG_UNKNOWN;
    return row->meaning != NULL ? ACCEL_OK : ACCEL_OUT_OF_MEMORY;
}

static void warn(const accel_config *config)
{
    for (size_t i = 0; i < config->count; ++i) {
        const config_row *row = &config->rows[i];
        if ((row->flags & ACCEL_CONFIG_UNKNOWN) != 0)
            accel_log(ACCEL_LOG_WARNING, "%s: %s", row->name, row->meaning);
        else if ((row->flags & ACCEL_CONFIG_IGNORED) != 0 && strcmp(row->source, "program") == 0)
            accel_log(ACCEL_LOG_INFO, "%s: ignored, the program chose \"%s\"", table[i].name, row->value);
        else if ((row->flags & ACCEL_CONFIG_IGNORED) != 0)
            accel_log(ACCEL_LOG_WARNING, "%s: ignored, because the process is set-uid", table[i].name);
    }
}

accel_status accel_config_create(const accel_instance_desc *desc, accel_config **out)
{
    size_t unknown = 0, length;
    accel_status status = ACCEL_OK;

    for (char **entry = environ; entry != NULL && *entry != NULL; ++entry)
        unknown += is_unknown(*entry, &length);

    accel_config *config = accel_allocate(sizeof(*config) + (VARIABLE_COUNT + unknown) * sizeof(config->rows[0]));
    if (config == NULL)
        return ACCEL_OUT_OF_MEMORY;
    config->count = VARIABLE_COUNT;
    for (size_t i = 0; i < VARIABLE_COUNT && status == ACCEL_OK; ++i) {
        const char *given = strcmp(table[i].name, "ACCEL_BACKEND") == 0   ? desc->backends
                            : strcmp(table[i].name, "ACCEL_DEVICES") == 0 ? desc->devices
                                                                          : NULL;
        status = read_variable(i, given, &config->rows[i]);
    }
    for (char **entry = environ; status == ACCEL_OK && entry != NULL && *entry != NULL; ++entry) {
        if (is_unknown(*entry, &length) && config->count < VARIABLE_COUNT + unknown)
            status = read_unknown(*entry, length, &config->rows[config->count++]);
    }
    if (status != ACCEL_OK) {
        accel_config_destroy(config);
        return status;
    }
    warn(config);
    *out = config;
    return ACCEL_OK;
}

void accel_config_destroy(accel_config *config)
{
    if (config == NULL)
        return;
    for (size_t i = 0; i < config->count; ++i) {
        accel_deallocate(config->rows[i].name);
        accel_deallocate(config->rows[i].value);
        accel_deallocate(config->rows[i].meaning);
    }
    accel_deallocate(config);
}

const char *accel_config_value(const accel_config *config, const char *name)
{
    size_t index = find_variable(name);

    return index < VARIABLE_COUNT ? config->rows[index].value : "";
}

const char *accel_config_source(const accel_config *config, const char *name)
{
    size_t index = find_variable(name);

    return index < VARIABLE_COUNT ? config->rows[index].source : "default";
}

accel_status accel_config_row(const accel_config *config, size_t index, accel_config_properties *out)
{
    if (index >= config->count)
        return accel_error_set(ACCEL_NOT_FOUND, "row %zu of the configuration does not exist; there are %zu", index,
                               config->count);

    const config_row *row = &config->rows[index];
    bool known = index < VARIABLE_COUNT;

    *out = (accel_config_properties){
        .struct_size = (uint32_t)sizeof(*out),
        .flags = row->flags,
        .name = known ? table[index].name : row->name,
        .value = row->value,
        .default_value = known ? table[index].default_value : "",
        .meaning = known ? table[index].meaning : row->meaning,
        .source = row->source,
    };
    return ACCEL_OK;
}

const char *accel_config_plugin_value(const char *name)
{
    size_t index = find_variable(name);

    return index < VARIABLE_COUNT ? atomic_load_explicit(&plugin_values[index], memory_order_acquire) : NULL;
}

accel_status accel_config_local_rank(uint32_t *rank, const char **variable)
{
    accel_text names = {0};

    for (size_t i = 0; i < RANK_VARIABLE_COUNT; ++i) {
        const char *value = getenv(rank_variables[i]);
        char *end = NULL;

        if (value == NULL || value[0] == '\0')
            continue;
        unsigned long number = strtoul(value, &end, 10);
        if (value[0] < '0' || value[0] > '9' || *end != '\0' || number > UINT32_MAX)
            return accel_error_set(ACCEL_INVALID, "ACCEL_DEVICES is \"local-rank\", but %s is \"%s\", which is no rank",
                                   rank_variables[i], value);
        *rank = (uint32_t)number;
        *variable = rank_variables[i];
        return ACCEL_OK;
    }
    for (size_t i = 0; i < RANK_VARIABLE_COUNT; ++i)
        accel_text_add(&names, "%s%s", i > 0 ? ", " : "", rank_variables[i]);
    accel_error_set(ACCEL_NOT_FOUND,
                    "ACCEL_DEVICES is \"local-rank\", but no launcher told this process its rank on the node (looked "
                    "for %s); start "
                    "it with mpirun or srun, or name devices",
                    accel_text_peek(&names));
    accel_text_clear(&names);
    return ACCEL_NOT_FOUND;
}
