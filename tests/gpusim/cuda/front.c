/* SPDX-License-Identifier: Apache-2.0 */
#include "../engine/address.h"
#include "../engine/front.h"

const sim_front sim_front_here = {
    .name = "cuda",
    .base = SIM_CUDA_BASE,
    .handles = 0x100000000000,
    .driver_version = 12080,
    .architecture = "sm_90",
    .names = {"Simulated GPU", "Simulated GPU, the second", "Simulated GPU, a further one"},
    .max_shared = 48 * 1024,
    .max_shared_optin = 227 * 1024,
    .least_priority = 0,
    .greatest_priority = -5,
};
