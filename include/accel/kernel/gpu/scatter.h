/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/scatter.h - scatters for CUDA and HIP; C++17. All threads add by atomics. Where the host asked for
 * several sets, block b adds to set b modulo their number.
 */
#ifndef ACCEL_KERNEL_GPU_SCATTER_H
#define ACCEL_KERNEL_GPU_SCATTER_H

/* No set is claimed. */
struct accel_scatter_claim {
};

ACCEL_INLINE_ uint64_t accel_scatter_set(const accel_core core, const accel_scatter_view &view)
{
    if (view.copies == 1)
        return 0;
    const accel_index block = accel_core_block_index(core), grid = accel_core_grid_extent(core);
    return ((block.z * grid.y + block.y) * grid.x + block.x) % view.copies;
}
ACCEL_INLINE_ accel_scatter_claim *accel_scatter_claimed(const accel_scatter_view &, uint64_t)
{
    return nullptr;
}

#define ACCEL_SCATTER_SCOPE_(name) __attribute__((unused))

#define ACCEL_DEFINE_SCATTER_(name, T)                                                                                 \
    struct accel_pattern_of_##name {                                                                                   \
        ACCEL_BODY_INLINE_ void run(const accel_block_handle acc, const accel_all_##name &all)                         \
        {                                                                                                              \
            const accel_scatter_view view = all.args.view;                                                             \
            T *const target = static_cast<T *>(all.args.target);                                                       \
            for (size_t i = accel_share(acc.core, nullptr); i < all.places.n; i += accel_step(acc.core)) {             \
                T joined = target != nullptr ? target[i] : accel_scatter_start_##name();                               \
                for (uint32_t set = 0; set < view.copies; set++) {                                                     \
                    T *const cell =                                                                                    \
                        reinterpret_cast<T *>(static_cast<unsigned char *>(view.cells) + set * view.stride) + i;       \
                    if (target != nullptr)                                                                             \
                        accel_scatter_join_##name(&joined, cell);                                                      \
                    *cell = accel_scatter_start_##name();                                                              \
                }                                                                                                      \
                if (target != nullptr)                                                                                 \
                    target[i] = joined;                                                                                \
            }                                                                                                          \
        }                                                                                                              \
    };                                                                                                                 \
    ACCEL_PATTERN_ENTRY_(accel_kernel_##name, accel_all_##name, accel_pattern_of_##name::run,                          \
                         ACCEL_TILE_LANES *ACCEL_TILE_PIECES)                                                          \
    extern "C" {                                                                                                       \
    extern ACCEL_DEVICE_ const accel_pattern_descriptor accel_descriptor_##name;                                       \
    }                                                                                                                  \
    ACCEL_DEVICE_ __attribute__((used)) const accel_pattern_descriptor accel_descriptor_##name =                       \
        ACCEL_PATTERN_DESCRIPTOR_(accel_all_##name, accel_scatter_task, T, ACCEL_KIND_SCATTER, 1, nullptr, nullptr);

#endif
