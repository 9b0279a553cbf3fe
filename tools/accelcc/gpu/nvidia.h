/* SPDX-License-Identifier: Apache-2.0 */
/* Targets of NVIDIA's GPUs: PTX (compute_NN) and machine code (sm_NN), made by nvcc, or clang and ptxas. */
#ifndef ACCELCC_NVIDIA_H
#define ACCELCC_NVIDIA_H

#include "target.h"

extern const accelcc_driver ptx_driver, cubin_driver;

#endif
