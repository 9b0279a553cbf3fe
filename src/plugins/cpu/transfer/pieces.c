/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/transfer/pieces.h"

cpu_pieces cpu_pieces_of(uint32_t dims, const size_t extent[], size_t size, size_t unit)
{
    cpu_pieces pieces = {.dims = dims, .extent = extent, .rows = 1, .row = extent[dims - 1], .per_row = 1};
    for (uint32_t d = 0; d + 1 < dims; ++d)
        pieces.rows *= extent[d];
    pieces.cut = size / unit * unit;
    if (pieces.row > pieces.cut) {
        pieces.per_row = (pieces.row + pieces.cut - 1) / pieces.cut;
        pieces.per_piece = 1;
    } else {
        pieces.per_piece = size / pieces.row;
    }
    pieces.count = (pieces.rows + pieces.per_piece - 1) / pieces.per_piece * pieces.per_row;
    return pieces;
}

static void set_offsets(const cpu_pieces *pieces, const size_t *const pitch[2], cpu_place *place)
{
    place->at[0] = place->at[1] = 0;
    for (uint32_t d = 0; d + 1 < pieces->dims; ++d)
        for (int region = 0; region < 2; ++region)
            if (pitch[region] != NULL)
                place->at[region] += place->index[d] * pitch[region][d];
}

cpu_place cpu_place_of_row(const cpu_pieces *pieces, const size_t *const pitch[2], size_t row)
{
    cpu_place place = {.index = {0}};
    for (uint32_t d = pieces->dims - 1; d-- > 0; row /= pieces->extent[d])
        place.index[d] = row % pieces->extent[d];
    set_offsets(pieces, pitch, &place);
    return place;
}

void cpu_place_next_row(const cpu_pieces *pieces, const size_t *const pitch[2], cpu_place *place)
{
    uint32_t last = pieces->dims - 1;
    if (last == 0)
        return;
    if (++place->index[last - 1] < pieces->extent[last - 1]) {
        for (int region = 0; region < 2; ++region)
            if (pitch[region] != NULL)
                place->at[region] += pitch[region][last - 1];
        return;
    }
    for (uint32_t d = last - 1; d > 0 && place->index[d] == pieces->extent[d]; --d) {
        place->index[d] = 0;
        ++place->index[d - 1];
    }
    set_offsets(pieces, pitch, place);
}

void cpu_pieces_walk(const cpu_pieces *pieces, const size_t *const pitch[2], size_t first, size_t count, cpu_span span,
                     const void *user)
{
    size_t row = first / pieces->per_row * pieces->per_piece, part = first % pieces->per_row;
    cpu_place place = cpu_place_of_row(pieces, pitch, row);
    for (size_t left = count; left != 0 && row < pieces->rows;) {
        /* Neighbouring parts of a row at once. */
        size_t parts = pieces->per_row - part < left ? pieces->per_row - part : left;
        size_t begin = part * pieces->cut, end = begin + parts * pieces->cut;
        size_t rows = pieces->rows - row < pieces->per_piece ? pieces->rows - row : pieces->per_piece;
        if (end > pieces->row)
            end = pieces->row;
        for (size_t i = 0; i < rows; ++i, ++row) {
            span(user, (const size_t[2]){place.at[0] + begin, place.at[1] + begin}, end - begin);
            cpu_place_next_row(pieces, pitch, &place);
        }
        left -= parts;
        part = 0;
    }
}
