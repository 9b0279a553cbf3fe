/* SPDX-License-Identifier: Apache-2.0 */
/* Modules and their functions. With the engine's lock held. */
#ifndef GPUSIM_MODULE_H
#define GPUSIM_MODULE_H

#include "context.h"
#include "object.h"
#include "wire.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct sim_module sim_module;

typedef struct sim_function {
    sim_object object;
    sim_module *module;
    struct sim_function *next; /* of the module's */
    char name[200];
    uint64_t number; /* in the device process */
    wire_kernel kernel;
    uint32_t max_dynamic; /* bytes of dynamic shared memory that a launch may have */
} sim_function;

sim_context *sim_module_context(const sim_module *);

/* `forms`: which of SIM_FORM_* the driver loads. The log gets words on an object that is refused. */
#define SIM_FORM_NVIDIA 1u
#define SIM_FORM_AMD 2u
sim_status sim_module_load(const void *image, unsigned forms, char *log, size_t log_size, void **handle);
sim_status sim_module_unload(void *handle);
sim_status sim_module_function(void *handle, const char *name, void **function);
sim_status sim_module_global(void *handle, const char *name, void **ptr, size_t *size);
size_t sim_modules_drop(sim_context *);

#define SIM_FUNCTION_MAX_THREADS 0
#define SIM_FUNCTION_SHARED_BYTES 1
#define SIM_FUNCTION_CONST_BYTES 2
#define SIM_FUNCTION_LOCAL_BYTES 3
#define SIM_FUNCTION_REGISTERS 4
#define SIM_FUNCTION_MAX_DYNAMIC_SHARED 8
sim_function *sim_function_of(void *handle);
sim_status sim_function_attribute(int *value, int attribute, void *handle);
sim_status sim_function_set_attribute(void *handle, int attribute, int value);

#endif
