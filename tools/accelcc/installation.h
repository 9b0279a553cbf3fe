/* SPDX-License-Identifier: Apache-2.0 */
/* Where this accelcc lies, and so its headers. */
#ifndef ACCELCC_INSTALLATION_H
#define ACCELCC_INSTALLATION_H

/* The directory that holds accel/kernel.h, absolute: of the source tree for an accelcc in its build tree, else
 * ../include from the executable, else the installation's. NULL after a message. */
const char *installation_include(void);

#endif
