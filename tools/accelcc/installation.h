/* SPDX-License-Identifier: Apache-2.0 */
/* Where this accelcc and its headers are. */
#ifndef ACCELCC_INSTALLATION_H
#define ACCELCC_INSTALLATION_H

/* Returns the absolute directory of accel/kernel.h: the source tree's for an accelcc in its build tree, else ../include
 * from the executable, else the installation's. NULL after a message. */
const char *installation_include(void);

#endif
