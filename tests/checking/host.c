/* SPDX-License-Identifier: Apache-2.0 */
/* What a host does by addresses while work is pending, wrong and right. Usage: host LIBRARY CASE
 * Comments "early: NAME" and "changed: NAME" are at the host's wrong accesses, "NAME submitted" at the calls that submitted
 * what they are in conflict with. Where the memory alone tells, the report's only line is that of the call. */
#include <accel/accel.h>
#include <accel/algorithm.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "planted.h"

enum { N = 1 << 14, SMALL = 16, HALF = N / 2, ROW = 256 };

static accel_instance *instance;
static accel_device *device;
static accel_queue *queue;
static accel_module *module;
static accel_buffer *x, *y;
static volatile float large[N], small[SMALL];
static volatile float kept;

static void check(accel_status status)
{
    if (status == ACCEL_OK)
        return;
    fprintf(stderr, "host: %s\n", accel_error_message());
    exit(3);
}

static float *address(accel_buffer *buffer)
{
    return accel_buffer_ptr(buffer);
}

static accel_buffer *make(accel_device *of, size_t count)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(float), count);
    accel_buffer *made;
    check(accel_buffer_create(of, &desc, &made));
    return made;
}

static void launch(const char *name, size_t count)
{
    accel_kernel *kernel;
    accel_work work = accel_work_1d(1, 1, count);
    planted_args args = {count, address(x), address(y), NULL};
    check(accel_module_kernel(module, name, &kernel));
    check(accel_launch(queue, kernel, &work, &args, sizeof args));
}

static void wait_all(void)
{
    check(accel_queue_wait(queue));
}

static void nap(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 500000000}, NULL);
}

/* ------------------------------------------------------------------------------------------ too early -- */

static void early_array(void)
{
    check(accel_read(queue, (void *)(uintptr_t)large, x)); /* array submitted */
    kept = large[HALF];                                    /* early: array */
}

static void early_overwritten(void)
{
    check(accel_read(queue, (void *)(uintptr_t)large, x)); /* overwritten submitted */
    large[HALF] = 1;                                       /* early: overwritten */
}

static void early_memcpy(void)
{
    static float copy[HALF];
    check(accel_read(queue, (void *)(uintptr_t)large, x));                          /* memcpy submitted */
    memcpy(copy, (const void *)(uintptr_t)(large + HALF / 2), HALF * sizeof *copy); /* early: memcpy */
}

static void early_small(void)
{
    accel_buffer *part;
    check(accel_buffer_view(x, NULL, (size_t[]){SMALL}, &part));
    check(accel_read(queue, (void *)(uintptr_t)small, part)); /* early: small */
    small[3] = 1;
    accel_buffer_release(part);
}

static void early_stack(void)
{
    float own[N];
    check(accel_read(queue, own, x));     /* stack submitted */
    kept = ((volatile float *)own)[HALF]; /* early: stack */
    wait_all();
}

static void early_buffer(void)
{
    volatile float *result = address(y);
    launch("host_double", N);
    kept = result[7]; /* early: buffer */
}

static void early_executed(void)
{
    volatile float *result = address(y);
    launch("host_double", N);
    nap();
    kept = result[9]; /* early: executed */
}

static void early_fill(void)
{
    const float one = 1;
    volatile float *result = address(y);
    check(accel_fill(queue, y, &one, sizeof one, NULL)); /* fill submitted */
    result[8] = 2;                                       /* early: fill */
}

static void early_event(void)
{
    accel_event *event;
    volatile float *result = address(y);
    check(accel_event_create(device, NULL, &event));
    check(accel_event_record(event, queue));
    launch("host_double", N);
    check(accel_event_wait(event));
    nap();            /* what the host does while the kernel runs is not seen */
    kept = result[5]; /* early: event */
    accel_event_release(event);
}

/* ------------------------------------------------------------------------------------------ changed -- */

static void changed_array(void)
{
    check(accel_write(queue, x, (const void *)(uintptr_t)large)); /* array submitted, changed */
    large[HALF] = 3;                                              /* changed: array */
}

/* Told by its pages, and so not by its ends as well. */
static void changed_whole(void)
{
    volatile float *inner = large + 1;
    accel_buffer *part;
    check(accel_buffer_view(x, NULL, (size_t[]){N - 2}, &part));
    check(accel_write(queue, part, (const void *)(uintptr_t)inner)); /* whole submitted */
    for (size_t i = 0; i < N - 2; ++i)
        inner[i] = 9; /* changed: whole */
    accel_buffer_release(part);
}

static void changed_small(void)
{
    accel_buffer *part;
    check(accel_buffer_view(x, NULL, (size_t[]){SMALL}, &part));
    check(accel_write(queue, part, (const void *)(uintptr_t)small)); /* changed: small */
    small[2] = 3;
    accel_buffer_release(part);
}

static void changed_buffer(void)
{
    volatile float *source = address(x);
    launch("host_double", N);
    source[3] = 4; /* changed: buffer */
}

static void changed_wrapped(void)
{
    accel_buffer_desc desc = accel_buffer_1d(sizeof(float), N);
    accel_buffer *wrapped;
    check(accel_buffer_wrap(device, (void *)(uintptr_t)large, &desc, &wrapped));
    check(accel_copy(queue, x, wrapped, NULL)); /* wrapped submitted */
    large[HALF] = 5;                            /* changed: wrapped */
    wait_all();
    accel_buffer_release(wrapped);
}

static void changed_host(void)
{
    accel_buffer *host = make(accel_instance_host(instance), N);
    volatile float *data = address(host);
    data[HALF] = 1;
    check(accel_copy(queue, x, host, NULL)); /* host submitted */
    data[HALF] = 2;                          /* changed: host */
    wait_all();
    accel_buffer_release(host);
}

/* Copies the left half of each row, of the program's own memory. */
static void copy_columns(accel_buffer **whole, accel_buffer **part, accel_buffer **copy)
{
    accel_buffer_desc rows = accel_buffer_2d(sizeof(float), N / ROW, ROW), half = rows;
    half.extent[1] = ROW / 2;
    check(accel_buffer_wrap(device, (void *)(uintptr_t)large, &rows, whole));
    check(accel_buffer_view(*whole, NULL, half.extent, part));
    check(accel_buffer_create(device, &half, copy));
    check(accel_copy(queue, *copy, *part, NULL)); /* rows submitted */
}

static void release_columns(accel_buffer *whole, accel_buffer *part, accel_buffer *copy)
{
    wait_all();
    accel_buffer_release(copy);
    accel_buffer_release(part);
    accel_buffer_release(whole);
}

static void changed_rows(void)
{
    accel_buffer *whole, *part, *copy;
    copy_columns(&whole, &part, &copy);
    large[ROW * (N / ROW / 2) + ROW / 2 - 1] = 1; /* changed: rows */
    release_columns(whole, part, copy);
}

static void right_rows(void)
{
    accel_buffer *whole, *part, *copy;
    copy_columns(&whole, &part, &copy);
    large[ROW * (N / ROW / 2) + ROW / 2] = 1;
    release_columns(whole, part, copy);
}

static void changed_twice(void)
{
    check(accel_write(queue, x, (const void *)(uintptr_t)large));
    wait_all();
    large[HALF] = 6;
    check(accel_write(queue, x, (const void *)(uintptr_t)large)); /* twice submitted */
    large[HALF] = 7;                                              /* changed: twice */
}

/* -------------------------------------------------------------------------------------------- right -- */

static void right_waits(void)
{
    for (int i = 0; i < 3; ++i) {
        check(accel_write(queue, x, (const void *)(uintptr_t)large));
        launch("host_double", N);
        check(accel_read(queue, (void *)(uintptr_t)large, y));
        wait_all();
        large[HALF] += 1;
        address(y)[3] = address(x)[3];
    }
}

static void right_events(void)
{
    accel_event *event;
    check(accel_event_create(device, NULL, &event));
    launch("host_double", N);
    check(accel_read(queue, (void *)(uintptr_t)large, y));
    check(accel_event_record(event, queue));
    check(accel_fill(queue, x, &(float){0}, sizeof(float), NULL));
    check(accel_event_wait(event));
    kept = large[HALF] + address(y)[1];
    large[HALF] = 0;
    wait_all();
    launch("host_double", N);
    check(accel_event_record(event, queue));
    bool done = false;
    while (!done)
        check(accel_event_is_complete(event, &done));
    address(y)[2] = 0;
    accel_event_release(event);
}

/* Of what pending work reads, anybody may read. Other buffers, and other parts, are the host's. */
static void right_neighbours(void)
{
    accel_buffer *other = make(device, N), *part;
    volatile float *left = address(other);
    check(accel_buffer_view(x, (size_t[]){HALF}, (size_t[]){HALF}, &part));
    check(accel_fill(queue, other, &(float){0}, sizeof(float), NULL));
    wait_all();
    check(accel_write(queue, part, (const void *)(uintptr_t)large));
    kept = large[HALF / 2];
    large[HALF + HALF / 2] = 1;
    left[3] = 1;
    address(x)[HALF - 1] = 2;
    launch("host_double", HALF);
    kept = address(x)[HALF - 1];
    address(y)[HALF] = 4;
    kept = left[3];
    wait_all();
    accel_buffer_release(part);
    accel_buffer_release(other);
}

static void produce(void *user, accel_status status)
{
    volatile float *data = user;
    (void)status;
    for (size_t i = 0; i < N; ++i)
        data[i] = (float)i;
    small[1] = 5;
}

static void consume(void *user, accel_status status)
{
    (void)status;
    kept = ((volatile float *)user)[HALF];
}

static void right_functions(void)
{
    accel_buffer *part;
    check(accel_buffer_view(y, NULL, (size_t[]){SMALL}, &part));
    check(accel_queue_call(queue, produce, (void *)(uintptr_t)large));
    check(accel_write(queue, x, (const void *)(uintptr_t)large));
    check(accel_write(queue, part, (const void *)(uintptr_t)small));
    check(accel_queue_call(queue, produce, address(x)));
    check(accel_read(queue, (void *)(uintptr_t)large, x));
    check(accel_queue_call(queue, consume, (void *)(uintptr_t)large));
    wait_all();
    accel_buffer_release(part);
}

static volatile int function_begins, write_submitted; /* by __atomic */

static void produce_late(void *user, accel_status status)
{
    (void)status;
    __atomic_store_n(&function_begins, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&write_submitted, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
    *(volatile float *)user = 6;
}

/* A function that runs already when the copy behind it is submitted changes what that copies. */
static void right_function_beside(void)
{
    accel_buffer *part;
    check(accel_buffer_view(y, NULL, (size_t[]){SMALL}, &part));
    check(accel_queue_call(queue, produce_late, (void *)(uintptr_t)&small[1]));
    while (__atomic_load_n(&function_begins, __ATOMIC_ACQUIRE) == 0)
        sched_yield();
    check(accel_write(queue, part, (const void *)(uintptr_t)small));
    __atomic_store_n(&write_submitted, 1, __ATOMIC_RELEASE);
    wait_all();
    accel_buffer_release(part);
}

/* The host lets the queue go on when the memory is ready. */
static void right_host_event(void)
{
    accel_event *ready;
    accel_buffer *part;
    check(accel_event_create(accel_instance_host(instance), NULL, &ready));
    check(accel_event_arm(ready));
    check(accel_buffer_view(y, NULL, (size_t[]){SMALL}, &part));
    check(accel_queue_wait_event(queue, ready));
    check(accel_write(queue, x, (const void *)(uintptr_t)large));
    check(accel_write(queue, part, (const void *)(uintptr_t)small));
    large[HALF] = 11;
    small[4] = 12;
    check(accel_event_signal(ready, ACCEL_OK));
    wait_all();
    accel_event_release(ready);
    accel_buffer_release(part);
}

/* Through memory of the host, in the order of the queue. */
static void right_chain(void)
{
    accel_buffer *one, *two;
    check(accel_buffer_view(x, NULL, (size_t[]){SMALL}, &one));
    check(accel_buffer_view(y, NULL, (size_t[]){SMALL}, &two));
    check(accel_fill(queue, x, &(float){7}, sizeof(float), NULL));
    check(accel_read(queue, (void *)(uintptr_t)large, x));
    check(accel_write(queue, y, (const void *)(uintptr_t)large));
    check(accel_read(queue, (void *)(uintptr_t)small, one));
    check(accel_write(queue, two, (const void *)(uintptr_t)small));
    check(accel_read(queue, (void *)(uintptr_t)small, two));
    wait_all();
    if (small[2] != 7 || large[HALF] != 7)
        exit(4);
    accel_buffer_release(one);
    accel_buffer_release(two);
}

static const float constants[N] = {1, 2, 3};

/* Sources that nobody may write stay so. */
static void right_constants(void)
{
    float *copy = malloc(sizeof constants);
    check(accel_write(queue, x, constants));
    check(accel_read(queue, copy, x));
    wait_all();
    if (copy[2] != 3)
        exit(4);
    free(copy);
    const pid_t child = fork();
    int status = 0;
    if (child == 0) {
        *(volatile float *)(uintptr_t)(constants + HALF) = 1; /* crashes, as ever */
        _exit(0);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSIGNALED(status) || WTERMSIG(status) != SIGSEGV)
        exit(4);
}

/* A child of a fork has nothing pending. */
static void right_fork(void)
{
    check(accel_read(queue, (void *)(uintptr_t)large, x));
    launch("host_double", N);
    int ends[2], status = 1;
    if (pipe(ends) != 0)
        exit(4);
    const pid_t child = fork();
    if (child == 0) {
        const bool written = write(ends[1], address(y) + HALF, SMALL) == SMALL;
        large[HALF] = 1;
        address(y)[3] = 1;
        _exit(written ? 0 : 1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        exit(4);
    wait_all();
}

static void *touch_others(void *user)
{
    volatile float *data = user;
    for (int k = 0; k < 200; ++k)
        for (size_t i = 0; i < N; ++i)
            data[i] += 1;
    return NULL;
}

/* Another thread works on a buffer of its own meanwhile. */
static void right_threads(void)
{
    accel_buffer *other = make(device, N);
    pthread_t thread;
    check(accel_fill(queue, other, &(float){0}, sizeof(float), NULL));
    wait_all();
    if (pthread_create(&thread, NULL, touch_others, address(other)) != 0)
        exit(4);
    for (int i = 0; i < 20; ++i) {
        launch("host_double", N);
        check(accel_read(queue, (void *)(uintptr_t)large, y));
        wait_all();
        large[HALF] = 1;
    }
    pthread_join(thread, NULL);
    accel_buffer_release(other);
}

/* Arrays of this function are as good as any other memory, though kernels run on its stack while it waits. */
static void right_stack(void)
{
    uint32_t from[] = {1, 1, 2, 2, 2, 3}, to[6] = {0}, found = 0;
    const accel_buffer_desc six = accel_buffer_1d(sizeof(uint32_t), 6), one = accel_buffer_1d(sizeof(uint32_t), 1);
    accel_buffer *in, *out, *count;
    check(accel_buffer_wrap(device, from, &six, &in));
    check(accel_buffer_wrap(device, to, &six, &out));
    check(accel_buffer_wrap(device, &found, &one, &count));
    check(accel_unique(queue, in, out, count));
    wait_all();
    accel_buffer_release(in);
    accel_buffer_release(out);
    accel_buffer_release(count);
    if (found != 3 || to[2] != 3)
        exit(4);
}

/* Libaccel's own kernels divide otherwise on GPUs. */
static void right_product(void)
{
    enum { SIDE = 200 };
    const accel_buffer_desc square = accel_buffer_2d(sizeof(double), SIDE, SIDE);
    const double one = 1;
    accel_gemm_desc desc = ACCEL_GEMM_DESC_INIT;
    desc.type = ACCEL_TYPE_DOUBLE;
    accel_buffer *a, *c;
    check(accel_buffer_create(device, &square, &a));
    check(accel_buffer_create(device, &square, &c));
    check(accel_fill(queue, a, &one, sizeof one, NULL));
    check(accel_gemm(queue, &desc, 1, a, a, 0, c));
    wait_all();
    accel_buffer_release(a);
    accel_buffer_release(c);
}

/* ------------------------------------------------------------------------------- who handles SIGSEGV -- */

static void on_fault(int number)
{
    (void)number;
    _exit(5);
}

static void own_handler(void)
{
    signal(SIGSEGV, on_fault);
    early_array();
}

static void crash(void)
{
    launch("host_double", N);
    *(volatile int *)mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) = 1;
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    {"early_array", early_array},
    {"early_overwritten", early_overwritten},
    {"early_memcpy", early_memcpy},
    {"early_small", early_small},
    {"early_stack", early_stack},
    {"early_buffer", early_buffer},
    {"early_executed", early_executed},
    {"early_fill", early_fill},
    {"early_event", early_event},
    {"changed_array", changed_array},
    {"changed_small", changed_small},
    {"changed_whole", changed_whole},
    {"changed_buffer", changed_buffer},
    {"changed_wrapped", changed_wrapped},
    {"changed_host", changed_host},
    {"changed_twice", changed_twice},
    {"changed_rows", changed_rows},
    {"right_rows", right_rows},
    {"right_waits", right_waits},
    {"right_events", right_events},
    {"right_neighbours", right_neighbours},
    {"right_functions", right_functions},
    {"right_function_beside", right_function_beside},
    {"right_host_event", right_host_event},
    {"right_chain", right_chain},
    {"right_constants", right_constants},
    {"right_fork", right_fork},
    {"right_threads", right_threads},
    {"right_stack", right_stack},
    {"right_product", right_product},
    {"own_handler", own_handler},
    {"crash", crash},
};

int main(int count, char *arguments[])
{
    size_t at = 0;
    if (count != 3)
        return 2;
    while (at < sizeof cases / sizeof *cases && strcmp(cases[at].name, arguments[2]) != 0)
        ++at;
    if (at == sizeof cases / sizeof *cases)
        return 2;
    check(accel_instance_create(NULL, &instance));
    check(accel_instance_find_device(instance, NULL, &device));
    check(accel_queue_create(device, NULL, &queue));
    check(accel_module_load(device, arguments[1], &module));
    x = make(device, N);
    y = make(device, N);
    check(accel_fill(queue, x, &(float){1}, sizeof(float), NULL));
    check(accel_fill(queue, y, &(float){2}, sizeof(float), NULL));
    wait_all();
    cases[at].run();
    wait_all();
    accel_buffer_release(x);
    accel_buffer_release(y);
    accel_module_release(module);
    accel_queue_release(queue);
    accel_instance_release(instance);
    return 0;
}
