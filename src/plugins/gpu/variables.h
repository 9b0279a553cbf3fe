/* SPDX-License-Identifier: Apache-2.0 */
/* The environment variables of GPU backends, as data of their descriptors. */
#ifndef ACCEL_GPU_VARIABLES_H
#define ACCEL_GPU_VARIABLES_H

#include <accel/plugin.h>

/* Initialiser of one accel_plugin_variable: the name of a file. */
#define GPU_FILE(variable, text)                                                                                       \
    {                                                                                                                  \
        sizeof(accel_plugin_variable), ACCEL_VARIABLE_FILE, 0, 0, variable, "", text                                   \
    }

#define GPU_CUDA_VARIABLES GPU_FILE("ACCEL_CUDA_LIBRARY", "library of the CUDA driver; unset: libcuda.so.1")
#define GPU_HIP_VARIABLES                                                                                              \
    GPU_FILE("ACCEL_HIP_LIBRARY", "library of the HIP runtime; unset: libamdhip64, if the kernel has AMD's driver")

#endif
