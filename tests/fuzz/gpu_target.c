/* SPDX-License-Identifier: Apache-2.0 */
/* Names of targets, as devices tell them and files are called. The input has three texts, parted by blanks. */
#include "target.h"

#include "plugins/gpu/driver/cuda/cuda.h"
#include "plugins/gpu/driver/hip/hip.h"

#include <string.h>

/* An architecture is of its own best rank; the names a device can run have a rank. */
static void ask_names(const gpu_description *description, const char *format, const char *other_format,
                      uint32_t (*rank)(const char *, const char *, const char *, char *, size_t))
{
    char names[sizeof(description->targets)], reason[256];
    char *rest = NULL;

    memcpy(names, description->targets, sizeof(names));
    for (char *name = strtok_r(names, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest))
        MUST(rank(description->architecture, name, format, reason, sizeof(reason)) != 0 ||
             rank(description->architecture, name, other_format, reason, sizeof(reason)) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[256] = "", reason[256] = "", *rest = NULL;

    memcpy(text, data, size < sizeof(text) ? size : sizeof(text) - 1);

    const char *architecture = strtok_r(text, " ", &rest), *name = strtok_r(NULL, " ", &rest);
    const char *format = strtok_r(NULL, " ", &rest);

    architecture = architecture != NULL ? architecture : "";
    name = name != NULL ? name : "";
    format = format != NULL ? format : "cubin";
    (void)cuda_target_rank(architecture, name, format, reason, sizeof(reason));
    MUST(reason[0] != '\0');
    reason[0] = '\0';
    hip_driver.runtime_version = 60300000;
    (void)hip_target_rank(architecture, name, "hsaco", reason, sizeof(reason));
    MUST(reason[0] != '\0');

    gpu_description description = {.targets = ""};

    if (strlen(architecture) < sizeof(description.architecture)) {
        hip_target_names(architecture, &description);
        ask_names(&description, "hsaco", "hsaco", hip_target_rank);
    }
    cuda_target_names(size != 0 ? 50 + data[0] : 50, &description);
    ask_names(&description, "cubin", "ptx", cuda_target_rank);
    return 0;
}
