/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GPUSIM_DEVICE_SOCKET_H
#define GPUSIM_DEVICE_SOCKET_H

#include "../engine/wire.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the next packet, 0 at the end; *file is the file that came along, or -1. file may be NULL. */
size_t device_receive(int socket, void *data, size_t size, int *file);
bool device_send(int socket, const void *data, size_t size);

#endif
