/* SPDX-License-Identifier: Apache-2.0 */
/* What libaccel hands to plugins. */
#ifndef ACCEL_CORE_SERVICES_H
#define ACCEL_CORE_SERVICES_H

#include <accel/plugin.h>

extern const accel_host_services accel_services;

#endif
