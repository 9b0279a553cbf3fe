/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dgemm - multiplies two matrices of doubles in several ways, and compares results and rates. dgemm --help lists the options.
 *
 * The kernels are in dgemm.k.c, and products.c runs them and accel_gemm. OpenBLAS does the same on the host, where it is
 * installed. Every result is compared with that of plain C (reference.c).
 */
#include <accel/accel.h>

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blas.h"
#include "products.h"
#include "reference.h"

static const char help[] =
    "usage: dgemm [OPTION]... [DEVICE]\n"
    "\n"
    "Multiplies two matrices of doubles in several ways, and compares results and rates.\n"
    "\n"
    "  --size N        N * N numbers in each matrix, 1 to 16384; 1024 unless given\n"
    "  --repeat N      products of each way, 1 to 1000, of which the shortest counts; 3 unless given\n"
    "  --blas LIBRARY  opened instead of " BLAS_USUAL ", \"none\" for no library\n"
    "  --table-row     one line for examples/demo.sh, fields separated by tabs\n"
    "  --help          prints this\n"
    "\n"
    "DEVICE is \"cpu-serial\", \"cuda:1\", ...; without it, the first device of ACCEL_BACKEND.\n";

typedef struct options {
    size_t size, repeat;
    const char *blas; /* NULL: the usual one, if it is there */
    bool table_row;
    const char *device; /* NULL: the first one */
} options;

/* What the host has: the matrices, and two products. */
typedef struct matrices {
    size_t n;
    double *a, *b, *plain, *c;
} matrices;

static bool parse_number(const char *option, const char *text, size_t most, size_t *number)
{
    char *end = NULL;
    const unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < 1 || value > most) {
        fprintf(stderr, "dgemm: %s: \"%s\" is not a number from 1 to %zu\n", option, text, most);
        return false;
    }
    *number = value;
    return true;
}

/* Ends the program after --help. */
static bool parse(int argc, char **argv, options *o)
{
    for (int i = 1; i < argc; ++i) {
        const char *const option = argv[i];
        bool good = true;
        if (strcmp(option, "--help") == 0) {
            fputs(help, stdout);
            exit(0);
        } else if (strcmp(option, "--table-row") == 0) {
            o->table_row = true;
        } else if (option[0] != '-' && o->device == NULL) {
            o->device = option;
        } else if (option[0] != '-') {
            fprintf(stderr, "dgemm: two devices, \"%s\" and \"%s\": name one\n", o->device, option);
            good = false;
        } else if (strcmp(option, "--size") != 0 && strcmp(option, "--repeat") != 0 && strcmp(option, "--blas") != 0) {
            fprintf(stderr, "dgemm: there is no option \"%s\"; dgemm --help lists the options\n", option);
            good = false;
        } else if (++i == argc) {
            fprintf(stderr, "dgemm: %s: its value is missing; dgemm --help describes it\n", option);
            good = false;
        } else if (strcmp(option, "--size") == 0) {
            good = parse_number(option, argv[i], 16384, &o->size);
        } else if (strcmp(option, "--repeat") == 0) {
            good = parse_number(option, argv[i], 1000, &o->repeat);
        } else {
            o->blas = argv[i];
        }
        if (!good)
            return false;
    }
    return true;
}

/* Numbers from -1 to 1, as if by chance. */
static bool matrices_new(matrices *m, size_t n)
{
    uint32_t seed = 1;
    m->n = n;
    m->a = malloc(n * n * sizeof *m->a);
    m->b = malloc(n * n * sizeof *m->b);
    m->plain = malloc(n * n * sizeof *m->plain);
    m->c = malloc(n * n * sizeof *m->c);
    if (m->a == NULL || m->b == NULL || m->plain == NULL || m->c == NULL) {
        fprintf(stderr, "dgemm: no memory for matrices of %zu x %zu numbers\n", n, n);
        return false;
    }
    for (size_t i = 0; i < 2 * n * n; ++i) {
        seed = seed * 1664525u + 1013904223u;
        *(i < n * n ? &m->a[i] : &m->b[i - n * n]) = (double)seed / 2147483648.0 - 1;
    }
    return true;
}

static void matrices_free(matrices *m)
{
    free(m->a);
    free(m->b);
    free(m->plain);
    free(m->c);
}

static void print_way(const options *o, const char *name, double seconds, const char *fraction)
{
    const double n = (double)o->size;
    if (!o->table_row)
        printf("%-34s %9.3f %9.3f   %12s\n", name, 2e-9 * n * n * n / seconds, 1e3 * seconds, fraction);
}

/* Compares m->c with plain C, and prints the way that computed it. false: no memory. */
static bool compare(const options *o, const matrices *m, const char *name, double seconds, bool *verified)
{
    double fraction;
    char text[16];
    if (!reference_distance(m->n, m->a, m->b, m->plain, m->c, &fraction)) {
        fprintf(stderr, "dgemm: no memory\n");
        return false;
    }
    snprintf(text, sizeof text, "%.1e", fraction);
    print_way(o, name, seconds, text);
    if (!(fraction <= 1))
        *verified = false;
    return true;
}

/* All ways of the device. gemm_seconds is the time of the first one. */
static bool multiply_on(accel_device *device, const options *o, matrices *m, double *gemm_seconds, bool *verified)
{
    static const char *const names[WAYS] = {"accel_gemm", "kernel \"packs\"", "kernel \"tiles\""};
    products *const p = products_new(device, m->n, m->a, m->b);
    bool good = p != NULL;
    for (unsigned way = 0; good && way < WAYS; ++way) {
        double seconds = 0;
        good = products_run(p, (enum way)way, (unsigned)o->repeat, &seconds, m->c) &&
               compare(o, m, names[way], seconds, verified);
        if (good && way == WAY_GEMM)
            *gemm_seconds = seconds;
    }
    products_free(p);
    return good;
}

static bool multiply_by_blas(const blas *b, const options *o, matrices *m, bool *verified)
{
    double best = INFINITY;
    char name[80];
    for (size_t k = 0; k <= o->repeat; ++k) { /* it makes its threads at first */
        const double start = seconds_now();
        blas_multiply(b, m->n, m->a, m->b, m->c);
        if (k > 0)
            best = fmin(best, seconds_now() - start);
    }
    if (b->threads != 0)
        snprintf(name, sizeof name, "OpenBLAS for %s, threads: %d", b->core, b->threads);
    else
        snprintf(name, sizeof name, "%s", o->blas);
    return compare(o, m, name, best, verified);
}

/* false if the user named a library that cannot be opened. Without the usual one there is one way less. */
static bool open_blas(const options *o, blas *b)
{
    if (o->blas != NULL && strcmp(o->blas, "none") == 0)
        return true;
    if (blas_open(b, o->blas != NULL ? o->blas : BLAS_USUAL))
        return true;
    const char *const why = dlerror();
    blas_close(b);
    if (o->blas != NULL)
        fprintf(stderr, "dgemm: --blas: %s\n", why);
    return o->blas == NULL;
}

/* All ways on the device and the host. The result is the exit status. */
static int run(accel_device *device, const accel_device_properties *about, const options *o, const blas *b, matrices *m)
{
    double gemm_seconds = 0;
    bool verified = true;
    if (!o->table_row) {
        printf("%zu x %zu doubles, device %s (%s), its CPUs or units: %u\n\n", o->size, o->size, about->name,
               about->description, about->compute_units);
        printf("%-34s %9s %9s   %12s\n", "way", "GFLOP/s", "ms", "of the bound");
    }
    const double start = seconds_now();
    reference_multiply(m->n, m->a, m->b, m->plain);
    print_way(o, "plain C, one thread", seconds_now() - start, "-");
    if (!multiply_on(device, o, m, &gemm_seconds, &verified) ||
        (b->library != NULL && !multiply_by_blas(b, o, m, &verified)))
        return 2;
    if (o->table_row) {
        printf("dgemm\t%s\t%s\t%s\t%.6f\n", about->backend, about->description, verified ? "yes" : "NO", gemm_seconds);
    } else {
        printf("\n%s", b->library != NULL ? "" : "no OpenBLAS: compared with plain C alone\n\n");
        printf("%s\n",
               verified ? "verified: no result is further from plain C's than rounding explains" : "NOT VERIFIED");
    }
    return verified ? 0 : 1;
}

int main(int argc, char **argv)
{
    options o = {.size = 1024, .repeat = 3};
    matrices m = {0};
    blas b = {0};
    accel_instance *instance = NULL;
    accel_device *device; /* borrowed from the instance */
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
    int status = 2;

    if (!parse(argc, argv, &o) || !open_blas(&o, &b))
        return 2;
    if (accel_instance_create(NULL, &instance) != ACCEL_OK ||
        accel_instance_find_device(instance, o.device, &device) != ACCEL_OK ||
        accel_device_info(device, &about) != ACCEL_OK)
        fprintf(stderr, "dgemm: %s\n", accel_error_message());
    else if (matrices_new(&m, o.size))
        status = run(device, &about, &o, &b, &m);
    matrices_free(&m);
    accel_instance_release(instance);
    blas_close(&b);
    return status;
}
