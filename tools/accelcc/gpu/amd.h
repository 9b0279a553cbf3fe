/* SPDX-License-Identifier: Apache-2.0 */
/* Targets of AMD's GPUs: code objects (gfxNNN, with features, and the generic ones), made by clang and lld. */
#ifndef ACCELCC_AMD_H
#define ACCELCC_AMD_H

#include "target.h"

extern const accelcc_driver amd_driver;

#endif
