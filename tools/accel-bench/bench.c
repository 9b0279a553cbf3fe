/* SPDX-License-Identifier: Apache-2.0 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program's directory, where a build tree has everything, and the installation's private directory relative to it,
 * so that the prefix may be moved. */
static void find_directories(bench *b)
{
    const ssize_t length = readlink("/proc/self/exe", b->beside, sizeof b->beside - 1);
    char *slash = length > 0 ? memrchr(b->beside, '/', (size_t)length) : NULL;
    if (slash == NULL)
        return;
    *slash = '\0';
    const int used = snprintf(b->directory, sizeof b->directory, "%s/%s", b->beside, BENCH_KERNELS);
    if (used < 0 || (size_t)used >= sizeof b->directory)
        b->directory[0] = '\0';
}

/* The target of the native loops: that of the object which libaccel chose for the device, if that is a CPU. */
static bool find_target(bench *b)
{
    accel_module *module = NULL;
    accel_kernel *kernel;
    accel_kernel_properties about = ACCEL_KERNEL_PROPERTIES_INIT;
    const bool good =
        bench_load(b, "bench", "empty", &module, &kernel) && bench_check("empty", accel_kernel_info(kernel, &about));
    if (good)
        snprintf(b->target, sizeof b->target, "%s", bench_has_host_memory(b) ? about.target : BENCH_BASE_TARGET);
    accel_module_release(module);
    return good;
}

bool bench_open(bench *b, const char *device)
{
    find_directories(b);
    accel_instance_desc desc = ACCEL_INSTANCE_DESC_INIT;
    desc.kernel_path = b->directory;
    b->about = (accel_device_properties)ACCEL_DEVICE_PROPERTIES_INIT;
    const bool good = bench_check("opening libaccel", accel_instance_create(&desc, &b->instance)) &&
                      bench_check("--backend", accel_instance_find_device(b->instance, device, &b->device)) &&
                      bench_check("the device's properties", accel_device_info(b->device, &b->about)) && find_target(b);
    b->report.device = b->about;
    b->report.simulated = strncmp(b->about.description, "Simulated", 9) == 0; /* tests/gpusim */
    return good;
}

void bench_close(bench *b)
{
    for (int i = 0; i < BENCH_PROGRAMS; ++i)
        process_end(&b->processes[i]);
    free(b->probe);
    report_free(&b->report);
    accel_instance_release(b->instance);
}

bool bench_check(const char *what, accel_status status)
{
    if (status == ACCEL_OK)
        return true;
    fprintf(stderr, "accel-bench: %s: %s: %s\n", what, accel_status_name(status), accel_error_message());
    return false;
}

bool bench_load(const bench *b, const char *library, const char *name, accel_module **module, accel_kernel **kernel)
{
    return bench_check(library, accel_module_load(b->device, library, module)) &&
           bench_check(name, accel_module_kernel(*module, name, kernel));
}

bool bench_has_host_memory(const bench *b)
{
    return (b->about.features & ACCEL_FEATURE_HOST_MEMORY) != 0;
}

/* Starts the program, unless it is missing. */
static bool start(bench *b, enum bench_program program)
{
    bench_process *process = &b->processes[program];
    char path[sizeof b->directory + 96], threads[2][40];
    const uint32_t count = bench_has_host_memory(b) ? b->about.compute_units : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
    snprintf(threads[0], sizeof threads[0], "OMP_NUM_THREADS=%u", count);
    snprintf(threads[1], sizeof threads[1], "OPENBLAS_NUM_THREADS=%u", count);
    const char *variables[6] = {threads[0], threads[1]};
    size_t set = 2;
    if (program == BENCH_FREE)
        variables[set++] = "OMP_PROC_BIND"; /* without a value: not set. Threads that ways make would have one CPU */
    else if (getenv("OMP_PROC_BIND") == NULL)
        variables[set++] = "OMP_PROC_BIND=true"; /* two threads that poll on one CPU wait for the scheduler */
    if (program == BENCH_ACTIVE || program == BENCH_PASSIVE)
        variables[set++] = program == BENCH_ACTIVE ? "OMP_WAIT_POLICY=active" : "OMP_WAIT_POLICY=passive";
    /* OpenBLAS 0.3.21 takes newer CPUs for Haswell's, at a fifth of the speed. */
    if (program == BENCH_BLAS && strcmp(b->target, "x86-64-v4") == 0 && getenv("OPENBLAS_CORETYPE") == NULL)
        variables[set++] = "OPENBLAS_CORETYPE=SkylakeX";
    const char *const directories[] = {b->beside, b->directory};
    for (int i = 0; i < 2 && process->id == 0 && !b->missing[program]; ++i) {
        bool missing;
        snprintf(path, sizeof path, "%s/%s.%s", directories[i], program == BENCH_BLAS ? "blas" : "native", b->target);
        if (!process_start(process, path, variables, &missing) && !missing)
            return false;
    }
    b->missing[program] = process->id == 0;
    process->polls = program == BENCH_ACTIVE;
    return true;
}

static bool sample_native(void *user, size_t repetitions, double *nanoseconds)
{
    const bench_native *native = user;
    const native_request request = {.operation = NATIVE_RUN,
                                    .handle = native->handle,
                                    .repetitions = repetitions,
                                    .pause_nanoseconds = native->pause_nanoseconds,
                                    .counts_cpu = native->counts_cpu,
                                    .latest_of = native->latest_of};
    native_reply reply;
    if (!process_ask(native->process, &request, &reply))
        return false;
    *nanoseconds = reply.nanoseconds;
    return reply.result == NATIVE_DONE;
}

_Static_assert(HARNESS_MOST_WAYS == REPORT_MOST_NATIVES + 1, "all ways of a contest are reported");

bench_way *bench_add_way(bench_contest *c, const char *name, bench_sample sample, void *state)
{
    bench_way *way = &c->ways[c->count++];
    *way = (bench_way){.sample = sample, .state = state};
    snprintf(way->name, sizeof way->name, "%s", name);
    return way;
}

bool bench_add_native(bench *b, bench_contest *c, enum bench_program program, const char *name,
                      const uint64_t *parameters)
{
    if (b->about.kind == ACCEL_DEVICE_GPU) /* a CPU's loops are no native way of a GPU: gpu/ has those */
        return true;
    if (!start(b, program))
        return false;
    if (b->missing[program])
        return true;
    if (c->count == REPORT_MOST_NATIVES) {
        fprintf(stderr, "accel-bench: %s: more than %d native ways\n", b->case_name, REPORT_MOST_NATIVES);
        return false;
    }
    native_request request = {.operation = NATIVE_OPEN};
    native_reply reply;
    snprintf(request.way, sizeof request.way, "%s", name);
    if (parameters != NULL)
        memcpy(request.parameters, parameters, sizeof request.parameters);
    if (!process_ask(&b->processes[program], &request, &reply))
        return false;
    if (reply.result == NATIVE_NO_SUCH_WAY)
        return true;
    if (reply.result != NATIVE_DONE) {
        fprintf(stderr, "accel-bench: %s: no memory for the native way %s\n", b->case_name, name);
        return false;
    }
    bench_native *native = &c->natives[c->count];
    *native = (bench_native){.process = &b->processes[program],
                             .handle = reply.handle,
                             .pause_nanoseconds = c->pause_nanoseconds,
                             .counts_cpu = c->counts_cpu,
                             .latest_of = c->latest_of,
                             .opened_by = request};
    const bool is_omp = strncmp(name, "omp-", 4) == 0; /* others have no threads that a runtime would bind */
    char shown[sizeof c->ways[0].name];
    snprintf(shown, sizeof shown, "%s%s", name,
             program == BENCH_ACTIVE           ? " active"
             : program == BENCH_PASSIVE        ? " passive"
             : program == BENCH_FREE && is_omp ? " unbound"
                                               : "");
    bench_add_way(c, shown, sample_native, native);
    return true;
}

/* Checks every native way. Returns false if a result was wrong or a program has ended. */
static bool finish_natives(bench_contest *c, bool check)
{
    bool good = true;
    for (size_t i = 0; i < c->count; ++i) {
        const bench_native *native = &c->natives[i];
        if (native->process == NULL)
            continue;
        native_request request = {.operation = NATIVE_CHECK, .handle = native->handle};
        native_reply reply;
        if (check && good) {
            good = process_ask(native->process, &request, &reply);
            if (good && reply.result != NATIVE_DONE) {
                fprintf(stderr, "accel-bench: %s: the native way %s computed a wrong result\n", c->name,
                        c->ways[i].name);
                good = false;
            }
        }
        request.operation = NATIVE_CLOSE;
        good = process_ask(native->process, &request, &reply) && good;
    }
    return good;
}

bool bench_finish(bench_contest *c)
{
    return finish_natives(c, false);
}

/* Times become rates; the faster quartile is the smaller time. */
static spread to_value(const bench_contest *c, const spread *ns)
{
    if (report_less_is_better(c->measure))
        return *ns;
    return (spread){c->amount / ns->high, c->amount / ns->median, c->amount / ns->low};
}

static bench_result make_result(const bench *b, const bench_contest *c)
{
    const bench_way *ours = &c->ways[c->count - 1];
    const bool has_goal = c->goal_device == NULL || strcmp(c->goal_device, b->about.backend) == 0;
    bench_result r = {.case_name = b->case_name,
                      .measure = c->measure,
                      .ours = to_value(c, &ours->nanoseconds),
                      .nanoseconds = ours->nanoseconds.median,
                      .native_count = c->count - 1,
                      .goal = has_goal && report_judges(&b->report) ? c->goal : GOAL_NONE,
                      .goal_value = c->goal_value,
                      .bytes = c->bytes,
                      .flops = c->flops,
                      .series = c->series,
                      .size = c->size};
    snprintf(r.name, sizeof r.name, "%s", c->name);
    for (size_t i = 0; i < r.native_count; ++i) {
        memcpy(r.natives[i].name, c->ways[i].name, sizeof r.natives[i].name);
        r.natives[i].value = to_value(c, &c->ways[i].nanoseconds);
        if (c->ways[i].nanoseconds.median < c->ways[r.best].nanoseconds.median)
            r.best = i;
    }
    if (r.native_count == 0) {
        if (r.goal == GOAL_RATIO || r.goal == GOAL_MORE)
            r.goal = GOAL_NONE;
        return r;
    }
    const spread of_times = c->ways[r.best].ratio;
    r.ratio_of_medians = ours->nanoseconds.median / c->ways[r.best].nanoseconds.median;
    r.ratio = of_times;
    if (!report_less_is_better(c->measure)) {
        r.ratio_of_medians = 1 / r.ratio_of_medians;
        r.ratio = (spread){1 / of_times.high, 1 / of_times.median, 1 / of_times.low};
    }
    return r;
}

/* Puts the best native way in libaccel's place, with data of its own. What differs then is noise. */
static bool replace_ours(const bench_plan *plan, const pid_t *processes, size_t process_count, bench_contest *c)
{
    enum { ROUNDS = 7 };
    bench_plan few = *plan;
    const size_t last = c->count - 1;
    size_t rounds, best = 0;
    if (few.rounds > ROUNDS)
        few.rounds = ROUNDS;
    if (!harness_run(&few, processes, process_count, c->ways, last, &rounds))
        return false;
    for (size_t i = 1; i < last; ++i)
        if (c->ways[i].nanoseconds.median < c->ways[best].nanoseconds.median)
            best = i;
    bench_way *way = &c->ways[last];
    *way = c->ways[best];
    if (c->natives[best].process == NULL)
        return true;
    bench_native *native = &c->natives[last];
    native_reply reply;
    *native = c->natives[best];
    way->state = native;
    if (process_ask(native->process, &native->opened_by, &reply) && reply.result == NATIVE_DONE) {
        native->handle = reply.handle;
        return true;
    }
    native->process = NULL;
    fprintf(stderr, "accel-bench: %s: the native way %s could not be opened twice\n", c->name, way->name);
    return false;
}

bool bench_run(bench *b, bench_contest *c, bool (*valid)(void *state), void *state)
{
    if (b->itself && c->count == 1) /* nothing is compared */
        return true;
    pid_t processes[BENCH_PROGRAMS + 1] = {getpid()};
    size_t count = 1, rounds;
    for (int i = 0; i < BENCH_PROGRAMS; ++i)
        if (b->processes[i].id != 0)
            processes[count++] = b->processes[i].id;
    bench_plan plan = b->plan;
    if (c->most_rounds != 0 && c->most_rounds < plan.rounds)
        plan.rounds = c->most_rounds;
    bool good = !b->itself || replace_ours(&plan, processes, count, c);
    good = good && harness_run(&plan, processes, count, c->ways, c->count, &rounds);
    good = finish_natives(c, good) && good;
    good = good && (b->itself || valid == NULL || valid(state));
    if (good) {
        bench_result result = make_result(b, c);
        result.rounds = rounds;
        result.signal = b->quick ? b->report.signal : bench_signal(b);
        good = report_add(&b->report, &result);
    }
    return good;
}

double bench_signal(bench *b)
{
    enum { SAMPLES = 5, FIRST_ROUNDS = 20, ROUNDS = 1000, DISTURBED_NS = 20000 };
    if (b->about.compute_units < 2 && bench_has_host_memory(b))
        return 0;
    if (b->probe == NULL) {
        b->probe = calloc(1, sizeof *b->probe);
        if (b->probe == NULL || !bench_add_native(b, b->probe, BENCH_FREE, "signal", NULL))
            return 0;
    }
    if (b->probe->count == 0)
        return 0;
    /* This is all there is time for where other work keeps the two threads from running at the same time. */
    double ns, least;
    void *state = b->probe->ways[0].state;
    if (!sample_native(state, FIRST_ROUNDS, &ns))
        return 0;
    least = ns / FIRST_ROUNDS;
    for (int i = 0; least < DISTURBED_NS && !b->quick && i < SAMPLES; ++i)
        if (sample_native(state, ROUNDS, &ns) && ns / ROUNDS < least)
            least = ns / ROUNDS;
    return least;
}
