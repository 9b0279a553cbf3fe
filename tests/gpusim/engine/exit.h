/* SPDX-License-Identifier: Apache-2.0 */
/* The end of the process. */
#ifndef GPUSIM_EXIT_H
#define GPUSIM_EXIT_H

/* Stops the streams where they are, tells leaks, ends the device processes; ends the process if there was a violation. A
 * program that exits with work pending is not asked for leaks. */
void sim_exit(void);

#endif
