/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the program in a stream: on the stream's thread, one stream at a time, where no function of the driver may be
 * called. */
#ifndef GPUSIM_HOST_FUNCTION_H
#define GPUSIM_HOST_FUNCTION_H

#include "status.h"

/* Not called once the context has failed. */
sim_status sim_host_function(void *stream, void (*function)(void *user), void *user);
/* Called in any case, with the stream's handle and what the context answers. */
sim_status sim_host_callback(void *stream, void (*callback)(void *stream, sim_status, void *carried), void *carried);

#endif
