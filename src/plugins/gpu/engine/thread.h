/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine's threads, for what may not be done where it is found out: in a driver's callback, in a timeline's notify,
 * in a release. They are the plugin's, not an instance's: started with the first device that is used, asleep while
 * there is nothing to do, and there until the process ends.
 */
#ifndef ACCEL_GPU_THREAD_H
#define ACCEL_GPU_THREAD_H

#include <accel/plugin.h>

#include <pthread.h>

typedef struct gpu_job gpu_job;
struct gpu_job {
    gpu_job *next; /* the thread's */
    /* True: done, and the job may be gone. False: to be run again, soon and then less often. */
    bool (*run)(gpu_job *);
};

typedef struct gpu_thread gpu_thread;
extern gpu_thread gpu_submit_thread; /* submits what was deferred */
extern gpu_thread gpu_watch_thread;  /* asks the driver's events whether they are reached, for those who may not */
extern gpu_thread gpu_retire_thread; /* gives back; a driver that frees may keep it waiting */

accel_status gpu_threads_start(void);
/* Never fails: the threads are there, because a device is in use. The job's storage is the caller's until it is done.
 * Does not block. */
void gpu_thread_post(gpu_thread *, gpu_job *);
/* Makes it run waiting jobs again now. */
void gpu_thread_nudge(gpu_thread *);
/* Waits until what was posted before has been run once. Not in a job of that thread. */
void gpu_thread_flush(gpu_thread *);

/* Starts a thread of the engine's, with the program's signals blocked; detached if `created` is NULL. Returns 0 or the
 * errno. */
int gpu_thread_create(void *(*main)(void *user), void *user, pthread_t *created);

/*
 * For a host function of the program: runs the job once, on a thread where nothing else runs meanwhile. What it returns is
 * ignored. There are as many such threads as functions that run, and one that sleeps until the next. False: no thread can
 * be started, and the job is the caller's to run. May be called in a driver's callback.
 */
bool gpu_runner_post(gpu_job *);

/* What the calling thread is to the engine. */
enum {
    GPU_THREAD_PROGRAM, /* the program's */
    GPU_THREAD_ENGINE,  /* the engine's: must not wait for what the engine's threads do */
    GPU_THREAD_DRIVER   /* the driver's, inside of a function of a stream: must not call the driver */
};
uintptr_t gpu_thread_kind(void);
/* A device is in use. */
void gpu_thread_kind_set(uintptr_t);

#endif
