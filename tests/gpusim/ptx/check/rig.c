/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

#include <stdio.h>
#include <string.h>

gpusim_image *rig_image(const char *before, const char *body)
{
    static char text[16384];
    char reason[256] = "";
    snprintf(text, sizeof(text),
             ".version 6.3\n.target sm_75\n.address_size 64\n%s\n"
             ".visible .entry kernel(.param .u64 kernel_param_0)\n{\n"
             ".reg .b64 %%out, %%mine, %%rd<10>;\n.reg .b32 %%index, %%r<10>;\n.reg .b16 %%h<10>;\n.reg .f32 %%f<10>;\n"
             ".reg .f64 %%d<10>;\n.reg .pred %%p<10>;\n"
             "ld.param.u64 %%out, [kernel_param_0];\nmov.u32 %%index, %%tid.x;\nmul.wide.u32 %%mine, %%index, 8;\n"
             "add.s64 %%mine, %%mine, %%out;\n%s\nret;\n}\n",
             before, body);
    gpusim_image *image = gpusim_image_load(text, strlen(text), reason, sizeof(reason));
    ck_assert_msg(image != NULL, "%s", reason);
    return image;
}

gpusim_grid_status rig_try(const char *body, rig_launch form, uint64_t *out, gpusim_fault *fault)
{
    gpusim_image *image = rig_image(".extern .shared .align 16 .b8 dynamic[];\n.shared .align 8 .b8 fixed[64];", body);
    gpusim_launch launch = {.kernel = gpusim_image_kernel(image, "kernel"),
                            .grid = {form.blocks > 0 ? form.blocks : 1, 1, 1},
                            .block = {form.threads > 0 ? form.threads : 1, 1, 1},
                            .dynamic_shared = form.dynamic_shared,
                            .flags = form.cooperative ? GPUSIM_GRID_COOPERATIVE : 0,
                            .warp_size = 32,
                            .parameters = &out,
                            .parameter_bytes = sizeof(out)};
    gpusim_grid_status status = gpusim_grid_run(&launch, fault);
    gpusim_image_unload(image);
    return status;
}

void rig_run(const char *body, rig_launch form, uint64_t *out)
{
    gpusim_fault fault;
    ck_assert_msg(rig_try(body, form, out, &fault) == GPUSIM_GRID_OK, "%s: %s", body, fault.text);
}

uint64_t rig_result(const char *type, const char *result, const char *body)
{
    char whole[1024];
    uint64_t out = 0;
    snprintf(whole, sizeof(whole), "%s\nst.global.%s [%%out], %s;", body, type, result);
    rig_run(whole, (rig_launch){0}, &out);
    return out;
}
