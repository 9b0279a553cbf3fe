/* SPDX-License-Identifier: Apache-2.0 */
/* What devices are, by name: "WARP_SIZE" and so on, the words that stand behind CUDA_ATTRIBUTE_ and HIP_ATTRIBUTE_ in
 * the plugins' declarations. */
#ifndef GPUSIM_ATTRIBUTE_H
#define GPUSIM_ATTRIBUTE_H

#include "status.h"

sim_status sim_attribute(int *value, const char *name, int device);

#endif
