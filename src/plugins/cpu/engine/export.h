/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine's library exports: the little that the executors' plugins take from it. */
#ifndef ACCEL_CPU_EXPORT_H
#define ACCEL_CPU_EXPORT_H

#define CPU_EXPORT __attribute__((visibility("default")))

#endif
