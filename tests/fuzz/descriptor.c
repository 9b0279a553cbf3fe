/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Descriptors of kernels and plugins. If the first byte of the input is even, the rest is a kernel's descriptor, else a
 * plugin's with its variables.
 */
#include "target.h"

#include "core/plugins/descriptor.h"
#include "object/descriptor.h"

#include <accel/object.h>
#include <string.h>

static void ask_kernel(const uint8_t *data, size_t size)
{
    accel_pattern_descriptor p = {0};
    char text[160] = "";

    memcpy(&p, data, size < sizeof(p) ? size : sizeof(p));

    const accel_descriptor d = p.kernel;

    if (descriptor_is_wrong(&p, size, text, sizeof(text))) {
        MUST(text[0] != '\0' && memchr(text, '\0', sizeof(text)) != NULL);
        return;
    }
    MUST(size >= sizeof(d) && d.struct_size >= sizeof(d) && d.magic == ACCEL_OBJECT_MAGIC && d.abi == 1);
    MUST((d.flags & ~(uint32_t)DESCRIPTOR_FLAGS) == 0);
    MUST(d.form >= 1 && d.form <= 3 && d.args_size >= 1 && d.args_size <= 4096);
    MUST(d.args_align != 0 && (d.args_align & (d.args_align - 1)) == 0);

    MUST((d.flags & ACCEL_KERNEL_PATTERN) == 0 || (size >= sizeof(p) && p.dims - 1 < 3 && p.element_size - 1 < 256));

    uint64_t threads = (uint64_t)d.block[0] * d.block[1] * d.block[2];

    MUST(threads <= 1024 && (threads != 0 || (d.block[0] | d.block[1] | d.block[2]) == 0));
}

static void ask_plugin(const uint8_t *data, size_t size)
{
    accel_refusal refusal = {0};
    accel_plugin *plugin = calloc(1, size < sizeof(*plugin) ? sizeof(*plugin) : size);

    MUST(plugin != NULL);
    memcpy(plugin, data, size);
    if (accel_descriptor_check(plugin, size, "cpu-serial", &refusal) != ACCEL_OK) {
        MUST(refusal.reason[0] != '\0' && refusal.stage != NULL);
        free(plugin);
        return;
    }
    MUST(strcmp(plugin->name, "cpu-serial") == 0 && plugin->struct_size <= size);
    for (uint32_t i = 0; i < plugin->variable_count; ++i) {
        accel_plugin_variable variable = accel_descriptor_variable(plugin, i);
        MUST(strncmp(variable.name, "ACCEL_", 6) == 0 && strlen(variable.name) < sizeof(variable.name));
        MUST(memchr(variable.meaning, '\0', sizeof(variable.meaning)) != NULL);
    }
    free(plugin);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || (data[0] % 2 != 0 && size - 1 < 2 * sizeof(uint32_t))) /* the loader leaves those out */
        return 0;
    (data[0] % 2 == 0 ? ask_kernel : ask_plugin)(data + 1, size - 1);
    return 0;
}
