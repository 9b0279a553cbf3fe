/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What handles name. A handle is a number, not an address, and is never given out twice: any value can be looked up
 * safely, and one that is used after its object was destroyed is told from one that never was. Objects therefore stay
 * in memory until the process ends. All functions: with the engine's lock held.
 */
#ifndef GPUSIM_OBJECT_H
#define GPUSIM_OBJECT_H

#include <stdbool.h>
#include <stddef.h>

struct sim_context;

typedef enum sim_kind { SIM_CONTEXT, SIM_STREAM, SIM_EVENT, SIM_MODULE, SIM_FUNCTION, SIM_KINDS } sim_kind;

typedef struct sim_object {
    sim_kind kind;
    bool alive;
    bool is_drivers; /* not the program's to destroy */
    void *handle;
    struct sim_context *context; /* that it belongs to */
} sim_object;

/* Zeroed, alive, with a handle; its first member is a sim_object. NULL if memory is short. */
void *sim_object_new(sim_kind, size_t size);
/* The object, dead or alive; NULL if the handle is none of this kind. */
void *sim_object_find(sim_kind, const void *handle);
/* The object if it is alive; otherwise NULL, and a violation that names the function in progress. */
void *sim_object_live(sim_kind, const void *handle);
/* The n-th object of a kind, dead or alive, in order of creation; NULL behind the last. */
void *sim_object_at(sim_kind, size_t n);
const char *sim_kind_name(sim_kind);

#endif
