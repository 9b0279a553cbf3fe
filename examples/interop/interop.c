/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interop - lets OpenBLAS, OpenMP, cuBLAS and kernels of libaccel work on the same memory. interop --help lists the options.
 *
 * The steps are in pipeline.c. The result is compared, bit by bit, with plain C (reference.c).
 */
#include <accel/accel.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "openblas.h"
#include "pipeline.h"
#include "reference.h"
#include "rows.h"

static const char help[] =
    "usage: interop [OPTION]... [DEVICE]\n"
    "\n"
    "Lets OpenBLAS, OpenMP, cuBLAS and kernels of libaccel work on the same memory.\n"
    "\n"
    "  --size N            N * N numbers in each matrix, 1 to 16384; 512 unless given\n"
    "  --openblas LIBRARY  opened for CPUs instead of " OPENBLAS_USUAL ", \"none\" for no library\n"
    "  --cublas LIBRARY    opened for NVIDIA GPUs instead of libcublas.so of CUDA 13, 12 or 11, likewise\n"
    "  --table-row         one line for examples/demo.sh, fields separated by tabs\n"
    "  --help              prints this\n"
    "\n"
    "DEVICE is \"cpu-serial\", \"cuda:1\", ...; without it, the first device of ACCEL_BACKEND.\n";

typedef struct options {
    size_t size;
    pipeline_libraries libraries;
    bool table_row;
    const char *device; /* NULL: the first one */
} options;

static bool parse_number(const char *option, const char *text, size_t most, size_t *number)
{
    char *end = NULL;
    const unsigned long value = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < 1 || value > most) {
        fprintf(stderr, "interop: %s: \"%s\" is not a number from 1 to %zu\n", option, text, most);
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
        if (strcmp(option, "--help") == 0) {
            fputs(help, stdout);
            exit(0);
        } else if (strcmp(option, "--table-row") == 0) {
            o->table_row = true;
        } else if (option[0] != '-' && o->device == NULL) {
            o->device = option;
        } else if (option[0] != '-') {
            fprintf(stderr, "interop: two devices, \"%s\" and \"%s\": name one\n", o->device, option);
            return false;
        } else if (strcmp(option, "--size") != 0 && strcmp(option, "--openblas") != 0 &&
                   strcmp(option, "--cublas") != 0) {
            fprintf(stderr, "interop: there is no option \"%s\"; interop --help lists the options\n", option);
            return false;
        } else if (++i == argc) {
            fprintf(stderr, "interop: %s: its value is missing; interop --help describes it\n", option);
            return false;
        } else if (strcmp(option, "--openblas") == 0) {
            o->libraries.openblas = argv[i];
        } else if (strcmp(option, "--cublas") == 0) {
            o->libraries.cublas = argv[i];
        } else if (!parse_number(option, argv[i], 16384, &o->size)) {
            return false;
        }
    }
    return true;
}

static bool same(size_t n, const double *found, const double *expected)
{
    for (size_t i = 0; i < n * n; ++i)
        if (!(found[i] == expected[i])) {
            fprintf(stderr, "interop: row %zu, column %zu: %.17g, not %.17g\n", i / n, i % n, found[i], expected[i]);
            return false;
        }
    return true;
}

static void print(const options *o, const accel_device_properties *about, const pipeline_report *report, bool verified)
{
    if (o->table_row) {
        printf("interop\t%s\t%s\t%s\t%.6f\n", about->backend, about->description, verified ? "yes" : "NO",
               report->seconds);
        return;
    }
    printf("%zu x %zu doubles on %s (%s), all steps in %.3f ms\n\n", o->size, o->size, about->name, about->description,
           1e3 * report->seconds);
    printf("make       a kernel\n");
    printf("product    %s\n", report->product);
    printf("damp       a kernel\n");
    if (rows_threads() != 0)
        printf("rows       OpenMP, threads: %d, %s\n", rows_threads(), report->rows);
    else
        printf("rows       a loop without OpenMP, %s\n", report->rows);
    printf("scale      a kernel, %s\n\n", report->scale);
    printf("%s\n", verified ? "verified: all bits are those of plain C" : "NOT VERIFIED");
}

int main(int argc, char **argv)
{
    options o = {.size = 512};
    pipeline_report report = {0};
    accel_instance *instance = NULL;
    accel_device *device; /* borrowed from the instance */
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
    int status = 2;

    if (!parse(argc, argv, &o))
        return 2;
    double *const found = malloc(o.size * o.size * sizeof *found), *const expected =
                                                                       malloc(o.size * o.size * sizeof *expected);
    if (found == NULL || expected == NULL || !reference_run(o.size, expected)) {
        fprintf(stderr, "interop: no memory for matrices of %zu x %zu numbers\n", o.size, o.size);
    } else if (accel_instance_create(NULL, &instance) != ACCEL_OK ||
               accel_instance_find_device(instance, o.device, &device) != ACCEL_OK ||
               accel_device_info(device, &about) != ACCEL_OK) {
        fprintf(stderr, "interop: %s\n", accel_error_message());
    } else if (pipeline_run(device, o.size, &o.libraries, found, &report)) {
        const bool verified = same(o.size, found, expected);
        print(&o, &about, &report, verified);
        status = verified ? 0 : 1;
    }
    free(found);
    free(expected);
    accel_instance_release(instance);
    return status;
}
