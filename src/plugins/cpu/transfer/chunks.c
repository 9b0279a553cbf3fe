/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/cpu/transfer/chunks.h"

cpu_chunks cpu_chunks_of(uint32_t dims, const size_t extent[], size_t size, size_t unit)
{
    cpu_chunks chunks = {.dims = dims, .extent = extent, .rows = 1, .row = extent[dims - 1], .per_row = 1};
    for (uint32_t d = 0; d + 1 < dims; ++d)
        chunks.rows *= extent[d];
    if (chunks.row > size) {
        chunks.cut = size / unit * unit;
        chunks.per_row = (chunks.row + chunks.cut - 1) / chunks.cut;
        chunks.per_chunk = 1;
    } else {
        chunks.cut = chunks.row;
        chunks.per_chunk = size / chunks.row;
    }
    chunks.count = (chunks.rows + chunks.per_chunk - 1) / chunks.per_chunk * chunks.per_row;
    return chunks;
}

static void set_offsets(const cpu_chunks *chunks, const size_t *const pitch[2], cpu_place *place)
{
    place->at[0] = place->at[1] = 0;
    for (uint32_t d = 0; d + 1 < chunks->dims; ++d)
        for (int region = 0; region < 2; ++region)
            if (pitch[region] != NULL)
                place->at[region] += place->index[d] * pitch[region][d];
}

cpu_place cpu_place_of_row(const cpu_chunks *chunks, const size_t *const pitch[2], size_t row)
{
    cpu_place place = {.index = {0}};
    for (uint32_t d = chunks->dims - 1; d-- > 0; row /= chunks->extent[d])
        place.index[d] = row % chunks->extent[d];
    set_offsets(chunks, pitch, &place);
    return place;
}

void cpu_place_advance(const cpu_chunks *chunks, const size_t *const pitch[2], cpu_place *place, size_t rows)
{
    uint32_t last = chunks->dims - 1;
    if (last == 0)
        return;
    place->index[last - 1] += rows;
    if (place->index[last - 1] < chunks->extent[last - 1]) {
        for (int region = 0; region < 2; ++region)
            if (pitch[region] != NULL)
                place->at[region] += rows * pitch[region][last - 1];
        return;
    }
    for (uint32_t d = last - 1; d > 0 && place->index[d] == chunks->extent[d]; --d) {
        place->index[d] = 0;
        ++place->index[d - 1];
    }
    set_offsets(chunks, pitch, place);
}

/* Up to `most` rows of the place's plane. */
static cpu_spans spans_at(const cpu_chunks *chunks, const size_t *const pitch[2], const cpu_place *place, size_t begin,
                          size_t bytes, size_t most)
{
    const uint32_t last = chunks->dims - 1;
    cpu_spans spans = {.at = {place->at[0] + begin, place->at[1] + begin}, .bytes = bytes, .rows = 1};
    if (last == 0)
        return spans;
    const size_t left = chunks->extent[last - 1] - place->index[last - 1];
    spans.rows = most < left ? most : left;
    for (int region = 0; region < 2; ++region)
        spans.step[region] = pitch[region] != NULL ? pitch[region][last - 1] : 0;
    return spans;
}

void cpu_chunks_walk(const cpu_chunks *chunks, const size_t *const pitch[2], size_t first, size_t count, cpu_span span,
                     const void *user)
{
    size_t row = first / chunks->per_row * chunks->per_chunk, part = first % chunks->per_row;
    cpu_place place = cpu_place_of_row(chunks, pitch, row);
    for (size_t left = count; left != 0 && row < chunks->rows;) {
        /* Neighbouring parts of a row at once. */
        size_t parts = chunks->per_row - part < left ? chunks->per_row - part : left;
        size_t begin = part * chunks->cut, end = begin + parts * chunks->cut;
        size_t rows = chunks->rows - row < chunks->per_chunk ? chunks->rows - row : chunks->per_chunk;
        if (end > chunks->row)
            end = chunks->row;
        for (size_t i = 0; i < rows;) {
            const cpu_spans spans = spans_at(chunks, pitch, &place, begin, end - begin, rows - i);
            span(user, &spans);
            cpu_place_advance(chunks, pitch, &place, spans.rows);
            i += spans.rows;
        }
        row += rows;
        left -= parts;
        part = 0;
    }
}
