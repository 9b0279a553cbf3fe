/* SPDX-License-Identifier: Apache-2.0 */
#include "png_file.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint8_t *png_file_read(const char *path, size_t *rows, size_t *columns)
{
    const png_color white = {255, 255, 255};
    png_image image;
    uint8_t *pixels = NULL;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&image, path)) {
        image.format = PNG_FORMAT_RGB;
        pixels = malloc(3 * (size_t)image.width * image.height);
        if (pixels == NULL) {
            fprintf(stderr, "image: %s: no memory for %u x %u pixels\n", path, image.width, image.height);
            png_image_free(&image);
            return NULL;
        }
        if (png_image_finish_read(&image, &white, pixels, 0, NULL)) {
            *rows = image.height;
            *columns = image.width;
            return pixels;
        }
    }
    fprintf(stderr, "image: %s: %s\n", path, image.message);
    free(pixels);
    png_image_free(&image);
    return NULL;
}

bool png_file_write_grey(const char *path, size_t rows, size_t columns, const uint8_t *pixels)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)columns;
    image.height = (png_uint_32)rows;
    image.format = PNG_FORMAT_GRAY;
    if (png_image_write_to_file(&image, path, 0, pixels, 0, NULL))
        return true;
    fprintf(stderr, "image: %s: %s\n", path, image.message);
    png_image_free(&image);
    return false;
}
