/* SPDX-License-Identifier: Apache-2.0 */
/* Host targets: shared objects, made by gcc or clang. */
#ifndef ACCELCC_HOST_H
#define ACCELCC_HOST_H

#include "target.h"

extern const accelcc_driver host_driver, check_driver;

#endif
