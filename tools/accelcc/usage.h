/* SPDX-License-Identifier: Apache-2.0 */
/* The text of --help. */
#ifndef ACCELCC_USAGE_H
#define ACCELCC_USAGE_H

void usage_print(void);

#endif
