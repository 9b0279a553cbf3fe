/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the grid runner. Usage: gpusim-grids DIRECTORY-OF-OBJECTS */
#include "grids.h"

#include <accel/object.h>
#include <stdio.h>

const char *objects_directory;
const variant variants[] = {{"grid.compute_75.ptx", 32}, {"grid.gfx90a.hsaco", 64}, {"grid.gfx1030.hsaco", 32}};

gpusim_image *image_of(const char *file)
{
    char path[4096], reason[256] = "";
    snprintf(path, sizeof(path), "%s/%s", objects_directory, file);
    gpusim_image *image = gpusim_image_open(path, reason, sizeof(reason));
    ck_assert_msg(image != NULL, "%s: %s", path, reason);
    return image;
}

gpusim_grid_status try_run(gpusim_image *image, uint32_t warp_size, const char *kernel, shape form, const void *args,
                           size_t args_size, gpusim_fault *fault)
{
    static uint32_t locks[64];
    accel_grid grid = {.struct_size = sizeof(grid), .dims = 3, .locks = locks, .lock_mask = 63};
    unsigned char parameters[512] = {0};
    gpusim_kernel_properties properties;
    gpusim_launch launch = {.warp_size = warp_size,
                            .dynamic_shared = form.shared,
                            .flags = form.flags,
                            .cancel = form.cancel,
                            .parameters = parameters};
    launch.kernel = gpusim_image_kernel(image, kernel);
    ck_assert_ptr_nonnull(launch.kernel);
    gpusim_kernel_info(launch.kernel, &properties);
    for (int i = 0; i < 6; ++i)
        grid.blocks[i] = grid.threads[i] = 1, grid.elems[i] = 1;
    for (int i = 0; i < 3; ++i) {
        launch.grid[i] = grid.blocks[i] = form.grid[i] != 0 ? form.grid[i] : 1;
        launch.block[i] = grid.threads[i] = form.block[i] != 0 ? form.block[i] : 1;
    }
    ck_assert_uint_eq(properties.parameter_size[0], args_size);
    ck_assert_uint_eq(properties.parameter_size[1], sizeof(grid));
    memcpy(parameters, args, args_size);
    memcpy(parameters + properties.parameter_offset[1], &grid, sizeof(grid));
    launch.parameter_bytes = properties.parameter_bytes;
    return gpusim_grid_run(&launch, fault);
}

void run(gpusim_image *image, uint32_t warp_size, const char *kernel, shape form, const void *args, size_t args_size)
{
    gpusim_fault fault;
    gpusim_grid_status status = try_run(image, warp_size, kernel, form, args, args_size, &fault);
    ck_assert_msg(status == GPUSIM_GRID_OK, "%s, warps of %u: %s", kernel, warp_size, fault.text);
}

int main(int argc, char **argv)
{
    objects_directory = argc > 1 ? argv[1] : ".";
    Suite *suite = suite_create("grids");
    suite_add_tcase(suite, objects_tests());
    suite_add_tcase(suite, grids_tests());
    suite_add_tcase(suite, warps_tests());
    suite_add_tcase(suite, faults_tests());
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
