/* SPDX-License-Identifier: Apache-2.0 */
#include "../engine/address.h"
#include "../engine/front.h"

const sim_front sim_front_here = {
    .name = "hip",
    .base = SIM_HIP_BASE,
    .handles = 0x200000000000,
    .driver_version = 60300000,
    .runtime_version = 60300000,
    .architecture = "gfx90a:sramecc+:xnack-",
    .names = {"Simulated Instinct", "Simulated Instinct, the second", "Simulated Instinct, a further one"},
    .max_shared = 64 * 1024,
    .max_shared_optin = 64 * 1024,
    .least_priority = 1,
    .greatest_priority = -1,
};
