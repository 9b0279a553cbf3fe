/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_BUSY_STEPS_H
#define BENCH_BUSY_STEPS_H

/* Steps of busy_value that take about a microsecond on this machine. Takes some milliseconds. */
double busy_steps_per_us(void);

#endif
