/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gpusim-device BASE SIZE: the process of one simulated device. Its memory is a file that the driver's side reads and
 * writes by numbers; here it lies at the addresses that the program knows. Ends when its control socket does.
 */
#include "lane.h"
#include "memory.h"
#include "modules.h"
#include "socket.h"

#include <linux/close_range.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `file` came along, or is -1. */
static void serve(const wire_request *request, int file, wire_answer *answer)
{
    switch (request->what) {
    case WIRE_ADOPT:
        answer->failed = !device_memory_adopt(request->a, request->b, file);
        break;
    case WIRE_PROTECT:
        answer->failed = !device_memory_protect(request->a, request->b, request->c != 0);
        break;
    case WIRE_LANE:
        answer->failed = !device_lane_start(file);
        return; /* the file is the lane's */
    case WIRE_LOAD:
        device_module_load(file, request->a, request->b, answer);
        break;
    case WIRE_UNLOAD:
        device_module_unload(request->a);
        break;
    case WIRE_KERNEL:
        device_module_kernel(request->a, request->text, answer);
        break;
    case WIRE_GLOBAL:
        device_module_global(request->a, request->text, answer);
        break;
    case WIRE_CANCEL:
        device_lane_cancel(request->a != 0);
        break;
    default:
        answer->failed = 1;
        snprintf(answer->text, sizeof answer->text, "an unknown request");
    }
    if (file >= 0)
        close(file);
}

enum { KEPT_BYTES = 32 << 20 };

int main(int argc, char **argv)
{
    wire_request request;
    int file;
    if (argc != 3)
        return 2;
    /* A launch takes memory for its threads: that of the last one, rather than new pages each time. */
    mallopt(M_MMAP_THRESHOLD, KEPT_BYTES);
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    close_range(WIRE_MEMORY + 1, ~0u, 0);
    signal(SIGINT, SIG_IGN); /* the program decides */
    if (!device_memory_adopt(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), WIRE_MEMORY)) {
        fprintf(stderr, "gpusim-device: the addresses from %s are taken\n", argv[1]);
        return 2;
    }
    while (device_receive(WIRE_CONTROL, &request, sizeof request, &file) == sizeof request) {
        wire_answer answer;
        memset(&answer, 0, sizeof answer);
        serve(&request, file, &answer);
        if (!device_send(WIRE_CONTROL, &answer, sizeof answer))
            break;
    }
    _exit(0); /* whatever the lanes do */
}
