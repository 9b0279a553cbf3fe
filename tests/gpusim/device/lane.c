/* SPDX-License-Identifier: Apache-2.0 */
#include "lane.h"
#include "../kernel/grid.h"
#include "socket.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static pthread_rwlock_t running = PTHREAD_RWLOCK_INITIALIZER; /* read: a grid runs */
static uint32_t cancelled;                                    /* read by grids, atomically */

static void run(const wire_launch *launch, wire_fault *answer)
{
    gpusim_launch grid = {.kernel = (const gpusim_kernel *)launch->kernel, /* NOLINT(performance-no-int-to-ptr) */
                          .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
                          .block = {launch->block[0], launch->block[1], launch->block[2]},
                          .dynamic_shared = launch->dynamic_shared,
                          .warp_size = launch->warp_size,
                          .flags = launch->cooperative ? GPUSIM_GRID_COOPERATIVE : 0,
                          .parameters = launch->parameters,
                          .parameter_bytes = launch->parameter_bytes,
                          .cancel = &cancelled};
    gpusim_fault fault = {0};
    pthread_rwlock_rdlock(&running);
    gpusim_grid_run(&grid, &fault);
    pthread_rwlock_unlock(&running);
    answer->status = fault.status;
    answer->address = (uintptr_t)fault.address;
    snprintf(answer->text, sizeof answer->text, "%s", fault.text);
}

static void *serve(void *argument)
{
    int socket = (int)(intptr_t)argument;
    _Alignas(64) wire_launch launch;
    while (device_receive(socket, &launch, sizeof launch, NULL) >= offsetof(wire_launch, parameters)) {
        wire_fault answer = {0};
        run(&launch, &answer);
        if (!device_send(socket, &answer, sizeof answer))
            break;
    }
    close(socket);
    return NULL;
}

bool device_lane_start(int socket)
{
    pthread_t thread;
    if (socket < 0 ||
        pthread_create(&thread, NULL, serve, (void *)(intptr_t)socket) != 0) /* NOLINT(performance-no-int-to-ptr) */
        return false;
    pthread_detach(thread);
    return true;
}

void device_lane_cancel(bool cancel)
{
    __atomic_store_n(&cancelled, cancel, __ATOMIC_RELEASE);
}

void device_lanes_stop(void)
{
    pthread_rwlock_wrlock(&running);
}

void device_lanes_go_on(void)
{
    pthread_rwlock_unlock(&running);
}
