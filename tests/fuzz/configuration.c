/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Everything that reads the environment, without plugins: libaccel's variables, a plugin's number, unknown ones, ranks of
 * launchers, lists of directories, backends, devices and CPUs. The input is the environment, a variable a line.
 */
#include "target.h"

#include "core/config/local_rank.h"
#include "core/plugins/selection.h"
#include "plugins/cpu/machine/mask.h"
#include "plugins/cpu/machine/ranks.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { MOST_VARIABLES = 32 };

static char *backends[] = {"cuda", "hip", "cpu-threads", "cpu-omp", "cpu-serial"};

/* Linked in the place of open, write and what keeps values for the rest of the process. Where files may be large, the
 * compiler calls open by another name. */
int __wrap_open(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
ssize_t __wrap_write(int file, const void *data, size_t size);
accel_status __wrap_accel_plugin_value_set(const char *name, const char *value);

int __wrap_open(const char *path, int flags, ...)
{
    (void)path, (void)flags;
    errno = EACCES;
    return -1;
}

int __wrap_open64(const char *path, int flags, ...)
{
    return __wrap_open(path, flags);
}

ssize_t __wrap_write(int file, const void *data, size_t size)
{
    (void)file;
    MUST(size != 0 && ((const char *)data)[size - 1] == '\n'); /* whole lines of the log */
    return (ssize_t)size;
}

accel_status __wrap_accel_plugin_value_set(const char *name, const char *value)
{
    MUST(strncmp(name, "ACCEL_", 6) == 0);
    if (value != NULL)
        MUST(value[0] >= '0' && value[0] <= '9');
    return ACCEL_OK;
}

static void ask_paths(const char *list)
{
    accel_paths paths = {0};

    MUST(accel_paths_add_list(&paths, "here", list) == ACCEL_OK);
    for (size_t i = 0; i < paths.count; ++i) {
        size_t length = strlen(paths.items[i]);
        MUST(paths.items[i][0] == '/' && (length == 1 || paths.items[i][length - 1] != '/'));
    }
    accel_paths_clear(&paths);
}

static void ask_selection(const accel_config *config)
{
    accel_search search = {.names = backends, .name_count = sizeof(backends) / sizeof(backends[0])};
    accel_selection selection;
    unsigned named = 0;

    if (accel_selection_create(config, &search, &selection) != ACCEL_OK) {
        MUST(accel_error_message()[0] != '\0');
        return;
    }
    MUST(selection.listed_count <= search.name_count);
    for (size_t i = 0; i < search.name_count; ++i)
        named |= 1u << selection.order[i];
    MUST(named == (1u << search.name_count) - 1); /* each once */
    accel_selection_destroy(&selection);
}

static void ask_config(void)
{
    static const accel_plugin_variable speed = {.struct_size = sizeof(accel_plugin_variable),
                                                .flags = ACCEL_VARIABLE_NUMBER,
                                                .minimum = 1,
                                                .maximum = 1000000,
                                                .name = "ACCEL_CPU_THREADS",
                                                .default_value = "20",
                                                .meaning = "a number"};
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    accel_config *config = NULL;
    accel_config_properties row;

    if (accel_config_create(&desc, &config) != ACCEL_OK) {
        MUST(accel_error_message()[0] != '\0');
        return;
    }
    if (accel_config_add(config, "cpu-threads", &speed) == ACCEL_OK) {
        MUST(accel_config_complete(config) == ACCEL_OK);
        for (size_t i = 0; accel_config_row(config, i, &row) == ACCEL_OK; ++i)
            MUST(row.name != NULL && row.value != NULL && row.meaning != NULL);
        ask_selection(config);
        ask_paths(accel_config_value(config, "ACCEL_KERNEL_PATH"));
    }
    accel_config_destroy(config);
}

static void ask_launchers(void)
{
    const char *variable = NULL;
    uint32_t rank;

    if (accel_local_rank(&rank, &variable) == ACCEL_OK)
        MUST(variable != NULL);
    MUST(cpu_ranks() != 0);
}

static void ask_mask(const char *list)
{
    uint8_t mask[CPU_MASK_BYTES] = {0};

    cpu_mask_add_list(mask, list);
    MUST(cpu_mask_count(mask) <= CPU_MASK_BITS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *variables[MOST_VARIABLES + 1], **before = environ, *rest = NULL;
    char *text = malloc(size + 1);
    size_t count = 0;

    MUST(text != NULL);
    MUST(open("/", O_RDONLY) < 0); /* no file is made, whatever the input names */
    memcpy(text, data, size);
    text[size] = '\0';
    for (char *line = strtok_r(text, "\n", &rest); line != NULL && count < MOST_VARIABLES;
         line = strtok_r(NULL, "\n", &rest))
        variables[count++] = line;
    variables[count] = NULL;
    environ = variables;
    ask_config();
    ask_launchers();
    environ = before;
    if (count != 0)
        ask_mask(variables[0]);
    free(text);
    return 0;
}
