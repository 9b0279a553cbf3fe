/* SPDX-License-Identifier: Apache-2.0 */
#include "core/algorithms/library.h"

#include "core/api/instance.h"
#include "core/api/module.h"
#include "core/base/allocate.h"
#include "core/base/error.h"
#include "core/objects/object_search.h"
#include "kernels/gemm.h"
#include "kernels/histogram.h"
#include "kernels/reduce.h"
#include "kernels/select.h"
#include "kernels/sort.h"
#include "kernels/transpose.h"

static const struct {
    const char *name;
    size_t args_size;
} table[] = {
    {"sum_uint32", sizeof(reduce_values_args)},
    {"sum_uint64", sizeof(reduce_values_args)},
    {"sum_float", sizeof(reduce_values_args)},
    {"sum_double", sizeof(reduce_values_args)},
    {"prod_uint32", sizeof(reduce_values_args)},
    {"prod_uint64", sizeof(reduce_values_args)},
    {"prod_float", sizeof(reduce_values_args)},
    {"prod_double", sizeof(reduce_values_args)},
    {"min_int32", sizeof(reduce_values_args)},
    {"min_uint32", sizeof(reduce_values_args)},
    {"min_int64", sizeof(reduce_values_args)},
    {"min_uint64", sizeof(reduce_values_args)},
    {"min_float", sizeof(reduce_values_args)},
    {"min_double", sizeof(reduce_values_args)},
    {"max_int32", sizeof(reduce_values_args)},
    {"max_uint32", sizeof(reduce_values_args)},
    {"max_int64", sizeof(reduce_values_args)},
    {"max_uint64", sizeof(reduce_values_args)},
    {"max_float", sizeof(reduce_values_args)},
    {"max_double", sizeof(reduce_values_args)},
    {"sort_count_32", sizeof(sort_args)},
    {"sort_count_64", sizeof(sort_args)},
    {"sort_scan", sizeof(sort_args)},
    {"sort_scatter_32", sizeof(sort_args)},
    {"sort_scatter_32_32", sizeof(sort_args)},
    {"sort_scatter_32_64", sizeof(sort_args)},
    {"sort_scatter_64", sizeof(sort_args)},
    {"sort_scatter_64_32", sizeof(sort_args)},
    {"sort_scatter_64_64", sizeof(sort_args)},
    {"sort_number", sizeof(sort_end_args)},
    {"sort_settle", sizeof(sort_end_args)},
    {"sort_gather", sizeof(sort_end_args)},
    {"histogram_clear", sizeof(histogram_args)},
    {"histogram_count", sizeof(histogram_args)},
    {"transpose", sizeof(transpose_args)},
    {"select_count", sizeof(select_args)},
    {"select_move", sizeof(select_args)},
    {"select_lengths", sizeof(select_lengths_args)},
    {"gemm_float", sizeof(gemm_args)},
    {"gemm_double", sizeof(gemm_args)},
    {"scan_sum_uint32", sizeof(reduce_values_args)},
    {"scan_sum_uint64", sizeof(reduce_values_args)},
    {"scan_sum_float", sizeof(reduce_values_args)},
    {"scan_sum_double", sizeof(reduce_values_args)},
    {"scan_prod_float", sizeof(reduce_values_args)},
    {"scan_prod_double", sizeof(reduce_values_args)},
    {"scan_any", sizeof(scan_values_args)},
};
_Static_assert(sizeof(table) / sizeof(table[0]) == ACCEL_OWN_KERNELS, "one line per kernel");

struct accel_library {
    accel_module *module;
    _Atomic(accel_kernel *) kernels[ACCEL_OWN_KERNELS]; /* NULL until the first use; released when set */
};

static void discard(accel_library *library)
{
    accel_module_release(library->module);
    accel_deallocate(library);
}

/* The device ends. */
static void end(accel_device *device)
{
    discard(atomic_load_explicit(&device->library, memory_order_relaxed));
}

static accel_status none_runs(const char *function, const accel_device *device, accel_text *found, accel_text *searched)
{
    char target[64];

    accel_error_set(ACCEL_NOT_FOUND,
                    "%s: libaccel's own kernels have no object for %s of \"%s\"; found %s; searched %s; make one "
                    "in the directory of the others: accelcc -o " ACCEL_OWN_LIBRARY
                    " --targets=%s -Isrc src/kernels/*.k.c",
                    function, device->properties.architecture, device->properties.name,
                    found->length != 0 ? accel_text_peek(found) : "none", accel_text_peek(searched),
                    accel_object_wanted_target(device, target));
    accel_text_clear(found);
    accel_text_clear(searched);
    return ACCEL_NOT_FOUND;
}

/* The first directory with an object that runs decides: objects of another installation, which are found later, are not
 * better because they are for more targets. */
static accel_status load(const char *function, accel_device *device, accel_module **out)
{
    accel_text found = {0}, searched = {0};
    accel_status status = ACCEL_OK;

    for (char **path = device->instance->algorithm_path; *path != NULL; ++path) {
        char *const directory[] = {*path, NULL};
        accel_object_list list = {0};
        bool runs = false;

        status = accel_object_search(directory, device, ACCEL_OWN_LIBRARY, &list);
        if (status == ACCEL_OK && list.count != 0 && list.items[0].rank != 0) {
            runs = true;
            status = accel_module_load_object(function, device, &list.items[0], out);
        }
        for (size_t i = 0; i < list.count; ++i)
            accel_text_add(&found, "%s%s (%s)", found.length != 0 ? ", " : "", list.items[i].path,
                           list.items[i].reason);
        accel_text_add(&searched, "%s%s", searched.length != 0 ? ", " : "", accel_text_peek(&list.searched));
        accel_object_list_clear(&list);
        if (runs || status != ACCEL_OK) {
            accel_text_clear(&found);
            accel_text_clear(&searched);
            return status == ACCEL_OK ? ACCEL_OK : accel_error_prefix(status, function);
        }
    }
    return none_runs(function, device, &found, &searched);
}

static accel_status library_of(const char *function, accel_device *device, accel_library **out)
{
    accel_library *library = atomic_load_explicit(&device->library, memory_order_acquire), *made;
    accel_status status;

    *out = library;
    if (library != NULL)
        return ACCEL_OK;
    made = accel_allocate(sizeof(*made));
    if (made == NULL)
        return accel_error_prefix(ACCEL_OUT_OF_MEMORY, function);
    status = load(function, device, &made->module);
    if (status != ACCEL_OK) {
        accel_deallocate(made);
        return status;
    }
    accel_module_give_to_device(made->module);
    atomic_store_explicit(&device->end_library, end, memory_order_relaxed);
    *out = made;
    if (!atomic_compare_exchange_strong_explicit(&device->library, &library, made, memory_order_acq_rel,
                                                 memory_order_acquire)) {
        *out = library; /* another thread was faster */
        discard(made);
    }
    return ACCEL_OK;
}

static accel_status find(const char *function, accel_library *library, accel_own_kernel which, accel_kernel **out)
{
    accel_status status = accel_module_kernel(library->module, table[which].name, out);

    if (status != ACCEL_OK && status != ACCEL_NOT_FOUND)
        return accel_error_prefix(status, function);
    if (status == ACCEL_OK && (*out)->args_size == table[which].args_size)
        return ACCEL_OK;
    return accel_error_set(ACCEL_INCOMPATIBLE,
                           "%s: \"%s\" in %s is not of this libaccel (%d.%d.%d); install the kernels that came with it",
                           function, table[which].name, library->module->path, ACCEL_VERSION_MAJOR, ACCEL_VERSION_MINOR,
                           ACCEL_VERSION_PATCH);
}

accel_status accel_own_kernel_get(const char *function, const accel_queue *queue, accel_own_kernel which,
                                  accel_kernel **out)
{
    accel_library *library;
    accel_status status = library_of(function, queue->root, &library);

    if (status != ACCEL_OK)
        return status;
    *out = atomic_load_explicit(&library->kernels[which], memory_order_acquire);
    if (*out != NULL)
        return ACCEL_OK;
    status = find(function, library, which, out);
    if (status == ACCEL_OK)
        atomic_store_explicit(&library->kernels[which], *out, memory_order_release);
    return status;
}
