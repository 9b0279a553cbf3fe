/* SPDX-License-Identifier: Apache-2.0 */
/*
 * image - makes a photograph grey, counts its levels and blurs it. image --help lists the options.
 *
 * The kernels are in image.k.c, and filters.c runs them. All pixels and counts are compared with those of plain C
 * (reference.c).
 */
#include <accel/accel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "filters.h"
#include "png_file.h"
#include "reference.h"

static const char help[] =
    "usage: image [OPTION]... PHOTO [DEVICE]\n"
    "\n"
    "Makes a photograph grey, counts its levels and blurs it. PHOTO is a file in the format PNG.\n"
    "\n"
    "  --radius N     of the blur, in pixels, 1 to 16; 6 unless given\n"
    "  --out PREFIX   writes PREFIX-grey.png, PREFIX-histogram.png and PREFIX-blurred.png\n"
    "  --table-row    one line for examples/demo.sh, fields separated by tabs\n"
    "  --help         prints this\n"
    "\n"
    "DEVICE is \"cpu-serial\", \"cuda:1\", ...; without it, the first device of ACCEL_BACKEND.\n";

enum { BARS = 100 }; /* height of the picture of the histogram */

typedef struct options {
    size_t radius;
    bool table_row;
    const char *out, *photo, *device; /* NULL: no pictures; it must be given; the first one */
} options;

/* Ends the program after --help. */
static bool parse(int argc, char **argv, options *o)
{
    for (int i = 1; i < argc; ++i) {
        const char *const option = argv[i];
        char *end = NULL;
        if (strcmp(option, "--help") == 0) {
            fputs(help, stdout);
            exit(0);
        } else if (strcmp(option, "--table-row") == 0) {
            o->table_row = true;
        } else if (option[0] != '-' && o->photo == NULL) {
            o->photo = option;
        } else if (option[0] != '-' && o->device == NULL) {
            o->device = option;
        } else if (option[0] != '-') {
            fprintf(stderr, "image: two devices, \"%s\" and \"%s\": name one\n", o->device, option);
            return false;
        } else if (strcmp(option, "--radius") != 0 && strcmp(option, "--out") != 0) {
            fprintf(stderr, "image: there is no option \"%s\"; image --help lists the options\n", option);
            return false;
        } else if (++i == argc) {
            fprintf(stderr, "image: %s: its value is missing; image --help describes it\n", option);
            return false;
        } else if (strcmp(option, "--out") == 0) {
            o->out = argv[i];
        } else {
            o->radius = strtoul(argv[i], &end, 10);
            if (argv[i][0] < '0' || argv[i][0] > '9' || *end != '\0' || o->radius < 1 || o->radius > RADIUS_MOST) {
                fprintf(stderr, "image: --radius: \"%s\" is not a number from 1 to %d\n", argv[i], RADIUS_MOST);
                return false;
            }
        }
    }
    if (o->photo == NULL)
        fprintf(stderr, "image: no photograph: name a file in the format PNG\n");
    return o->photo != NULL;
}

/* A bell curve whose sum is WEIGHTS_SUM. */
static void set_weights(image_args *args)
{
    const double width = (double)args->radius / 2;
    double curve[RADIUS_MOST + 1], sum = 0;
    uint32_t others = 0;
    for (size_t k = 0; k <= args->radius; ++k) {
        curve[k] = exp(-(double)(k * k) / (2 * width * width));
        sum += k == 0 ? curve[k] : 2 * curve[k];
    }
    for (size_t k = 1; k <= args->radius; ++k) {
        args->weights[k] = (uint32_t)(WEIGHTS_SUM * curve[k] / sum + 0.5);
        others += 2 * args->weights[k];
    }
    args->weights[0] = WEIGHTS_SUM - others;
}

static bool same_pixels(const image_args *args, const char *what, const uint8_t *found, const uint8_t *expected)
{
    for (size_t i = 0; i < args->rows * args->columns; ++i)
        if (found[i] != expected[i]) {
            fprintf(stderr, "image: %s: row %zu, column %zu: %u, not %u\n", what, i / args->columns, i % args->columns,
                    found[i], expected[i]);
            return false;
        }
    return true;
}

static bool same(const image_args *args, const filtered *found, const filtered *expected)
{
    bool counts = true;
    for (size_t level = 0; level < LEVELS && counts; ++level) {
        counts = found->counts[level] == expected->counts[level];
        if (!counts)
            fprintf(stderr, "image: level %zu occurs %u times, not %u\n", level, found->counts[level],
                    expected->counts[level]);
    }
    return same_pixels(args, "grey", found->grey, expected->grey) &&
           same_pixels(args, "blurred", found->blurred, expected->blurred) && counts;
}

static bool write_picture(const char *prefix, const char *what, size_t rows, size_t columns, const uint8_t *pixels)
{
    const size_t size = strlen(prefix) + strlen(what) + sizeof "-.png";
    char *const path = malloc(size);
    if (path == NULL) {
        fprintf(stderr, "image: no memory\n");
        return false;
    }
    snprintf(path, size, "%s-%s.png", prefix, what);
    const bool written = png_file_write_grey(path, rows, columns, pixels);
    free(path);
    return written;
}

/* A black bar on white for each level, the highest as high as the picture. */
static bool write_histogram(const char *prefix, const uint32_t *counts)
{
    static uint8_t pixels[BARS][LEVELS];
    uint32_t most = 1;
    for (size_t level = 0; level < LEVELS; ++level)
        most = counts[level] > most ? counts[level] : most;
    for (size_t i = 0; i < BARS; ++i)
        for (size_t level = 0; level < LEVELS; ++level)
            pixels[i][level] = (uint64_t)counts[level] * BARS > (uint64_t)(BARS - 1 - i) * most ? 0 : 255;
    return write_picture(prefix, "histogram", BARS, LEVELS, &pixels[0][0]);
}

static void print_times(const filtered *device, const filtered *plain)
{
    static const char *const names[FILTERS] = {"grey", "histogram", "blur"};
    printf("%-12s %12s   %19s\n", "filter", "device", "plain C, one thread");
    for (int k = 0; k < FILTERS; ++k)
        printf("%-12s %9.3f ms   %16.3f ms\n", names[k], 1e3 * device->seconds[k], 1e3 * plain->seconds[k]);
}

/* The darkest and the brightest level, and the one that half of the pixels do not exceed. */
static void print_levels(const image_args *args, const uint32_t *counts)
{
    size_t darkest = LEVELS, median = LEVELS, brightest = 0, sum = 0;
    for (size_t level = 0; level < LEVELS; ++level) {
        if (counts[level] == 0)
            continue;
        sum += counts[level];
        darkest = darkest == LEVELS ? level : darkest;
        median = median == LEVELS && 2 * sum >= args->rows * args->columns ? level : median;
        brightest = level;
    }
    printf("levels from %zu to %zu, median %zu\n", darkest, brightest, median);
}

/* The result is the exit status. */
static int run(accel_device *device, const options *o, const image_args *args, const uint8_t *colours, filtered *found,
               filtered *expected)
{
    accel_device_properties about = ACCEL_DEVICE_PROPERTIES_INIT;
    if (accel_device_info(device, &about) != ACCEL_OK) {
        fprintf(stderr, "image: %s\n", accel_error_message());
        return 2;
    }
    if (!filtered_new(found, args->rows, args->columns) || !filtered_new(expected, args->rows, args->columns) ||
        !reference_run(args, colours, expected)) {
        fprintf(stderr, "image: no memory for %zu x %zu pixels\n", args->columns, args->rows);
        return 2;
    }
    if (!filters_run(device, *args, colours, found))
        return 2;
    const bool good = same(args, found, expected);
    if (o->out != NULL && (!write_picture(o->out, "grey", args->rows, args->columns, found->grey) ||
                           !write_histogram(o->out, found->counts) ||
                           !write_picture(o->out, "blurred", args->rows, args->columns, found->blurred)))
        return 2;
    if (o->table_row) {
        printf("image\t%s\t%s\t%s\t%.6f\n", about.backend, about.description, good ? "yes" : "NO",
               found->seconds[GREY] + found->seconds[HISTOGRAM] + found->seconds[BLUR]);
    } else {
        printf("%zu x %zu pixels on %s (%s)\n\n", args->columns, args->rows, about.name, about.description);
        print_times(found, expected);
        printf("\n");
        print_levels(args, found->counts);
        printf("\n%s\n", good ? "verified: all pixels and counts are those of plain C" : "NOT VERIFIED");
    }
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    options o = {.radius = 6};
    image_args args = {0};
    filtered found = {0}, expected = {0};
    accel_instance *instance = NULL;
    accel_device *device; /* borrowed from the instance */
    int status = 2;

    if (!parse(argc, argv, &o))
        return 2;
    args.radius = o.radius;
    set_weights(&args);
    uint8_t *const colours = png_file_read(o.photo, &args.rows, &args.columns);
    if (colours == NULL)
        return 2;
    if (accel_instance_create(NULL, &instance) != ACCEL_OK ||
        accel_instance_find_device(instance, o.device, &device) != ACCEL_OK)
        fprintf(stderr, "image: %s\n", accel_error_message());
    else
        status = run(device, &o, &args, colours, &found, &expected);
    filtered_free(&found);
    filtered_free(&expected);
    accel_instance_release(instance);
    free(colours);
    return status;
}
