/* SPDX-License-Identifier: Apache-2.0 */
#include <accel/object.h>

#include "layout.h"

void layout_of_object(void)
{
    BEGIN(accel_grid);
    FIELD(accel_grid, struct_size);
    FIELD(accel_grid, dims);
    FIELD(accel_grid, blocks);
    FIELD(accel_grid, threads);
    FIELD(accel_grid, elems);
    FIELD(accel_grid, locks);
    FIELD(accel_grid, lock_mask);
    FIELD(accel_grid, reserved);
    END(accel_grid);
    BEGIN(accel_launch_context);
    FIELD(accel_launch_context, struct_size);
    FIELD(accel_launch_context, flags);
    FIELD(accel_launch_context, grid);
    FIELD(accel_launch_context, grid_extent);
    FIELD(accel_launch_context, block_extent);
    FIELD(accel_launch_context, elem_extent);
    FIELD(accel_launch_context, shared);
    FIELD(accel_launch_context, shared_bytes);
    FIELD(accel_launch_context, sync);
    END(accel_launch_context);
    BEGIN(accel_thread_context);
    FIELD(accel_thread_context, launch);
    FIELD(accel_thread_context, block_index);
    FIELD(accel_thread_context, thread_index);
    END(accel_thread_context);
    BEGIN(accel_kernel_descriptor);
    FIELD(accel_kernel_descriptor, magic);
    FIELD(accel_kernel_descriptor, abi);
    FIELD(accel_kernel_descriptor, struct_size);
    FIELD(accel_kernel_descriptor, form);
    FIELD(accel_kernel_descriptor, flags);
    FIELD(accel_kernel_descriptor, args_size);
    FIELD(accel_kernel_descriptor, args_align);
    FIELD(accel_kernel_descriptor, block);
    FIELD(accel_kernel_descriptor, shared_bytes);
    FIELD(accel_kernel_descriptor, grid_size);
    FIELD(accel_kernel_descriptor, name);
    FIELD(accel_kernel_descriptor, run_blocks);
    FIELD(accel_kernel_descriptor, run_thread);
    END(accel_kernel_descriptor);
    BEGIN(accel_pattern_places);
    FIELD(accel_pattern_places, n);
    FIELD(accel_pattern_places, extent);
    FIELD(accel_pattern_places, in);
    FIELD(accel_pattern_places, out);
    FIELD(accel_pattern_places, reserved);
    END(accel_pattern_places);
    BEGIN(accel_pattern_descriptor);
    FIELD(accel_pattern_descriptor, kernel);
    FIELD(accel_pattern_descriptor, kind);
    FIELD(accel_pattern_descriptor, dims);
    FIELD(accel_pattern_descriptor, args_size);
    FIELD(accel_pattern_descriptor, element_size);
    END(accel_pattern_descriptor);
    BEGIN(accel_bundle_entry);
    FIELD(accel_bundle_entry, target);
    FIELD(accel_bundle_entry, format);
    FIELD(accel_bundle_entry, data);
    FIELD(accel_bundle_entry, size);
    END(accel_bundle_entry);
    BEGIN(accel_bundle);
    FIELD(accel_bundle, magic);
    FIELD(accel_bundle, abi);
    FIELD(accel_bundle, struct_size);
    FIELD(accel_bundle, entry_size);
    FIELD(accel_bundle, name);
    FIELD(accel_bundle, count);
    FIELD(accel_bundle, entries);
    END(accel_bundle);
}
