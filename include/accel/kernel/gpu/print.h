/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accel/kernel/gpu/print.h - printing for CUDA and HIP: a thread writes a record into the queue's buffer.
 */
#ifndef ACCEL_KERNEL_GPU_PRINT_H
#define ACCEL_KERNEL_GPU_PRINT_H

/* Where a thread writes. */
struct accel_gpu_record {
    uint32_t *words;
    uint32_t mask;
    uint32_t at;
};

ACCEL_INLINE_ void accel_gpu_put(accel_gpu_record &record, uint32_t word)
{
    record.words[record.at++ & record.mask] = word;
}

ACCEL_INLINE_ uint32_t accel_gpu_text_words(uint32_t bytes)
{
    return bytes / 4 + 1;
}

ACCEL_INLINE_ void accel_gpu_put_text(accel_gpu_record &record, const char *text, uint32_t bytes)
{
    ACCEL_UNROLL(1)
    for (uint32_t i = 0; i <= bytes; i += 4) {
        uint32_t word = 0;
        ACCEL_UNROLL(1)
        for (uint32_t j = 0; j < 4 && i + j < bytes; j++)
            word |= static_cast<uint32_t>(static_cast<unsigned char>(text[i + j])) << 8 * j;
        accel_gpu_put(record, word);
    }
}

/* A text's size is asked for once: what it points to may change. */
ACCEL_INLINE_ accel_print_value accel_gpu_sized(accel_print_value value)
{
    if (value.kind == ACCEL_PRINT_TEXT) {
        const char *text = reinterpret_cast<const char *>(static_cast<uintptr_t>(value.word));
        ACCEL_UNROLL(1)
        while (value.bytes + 1 < ACCEL_PRINT_LINE && text[value.bytes] != 0)
            value.bytes++;
    }
    return value;
}

ACCEL_INLINE_ uint32_t accel_gpu_value_words(const accel_print_value value)
{
    return value.kind == ACCEL_PRINT_TEXT ? 1 + accel_gpu_text_words(value.bytes) : 3;
}

ACCEL_INLINE_ void accel_gpu_put_value(accel_gpu_record &record, const accel_print_value value)
{
    accel_gpu_put(record, value.kind | value.bytes << 16);
    if (value.kind == ACCEL_PRINT_TEXT) {
        accel_gpu_put_text(record, reinterpret_cast<const char *>(static_cast<uintptr_t>(value.word)), value.bytes);
    } else {
        accel_gpu_put(record, static_cast<uint32_t>(value.word));
        accel_gpu_put(record, static_cast<uint32_t>(value.word >> 32));
    }
}

/* Takes words of the buffer; false if there are not so many. */
ACCEL_INLINE_ bool accel_gpu_take(accel_print_buffer *buffer, uint32_t words, uint32_t *from)
{
    uint32_t used = accel_word_load(&buffer->used);
    ACCEL_UNROLL(1)
    for (;;) {
        const uint32_t left = accel_word_load(&buffer->limit) - used;
        if (static_cast<int32_t>(left) < static_cast<int32_t>(words)) {
            accel_word_add(&buffer->dropped, 1u);
            return false;
        }
        const uint32_t seen = accel_word_cas(&buffer->used, used, used + words);
        if (seen == used)
            break;
        used = seen;
    }
    *from = used;
    return true;
}

template <class... Values>
ACCEL_INLINE_ void accel_gpu_print(const accel_core core, const char *format, uint32_t bytes, const Values... values)
{
    accel_print_buffer *buffer = core.grid->report->lines;
    const uint32_t words = ((2 + accel_gpu_text_words(bytes)) + ... + accel_gpu_value_words(values));
    uint32_t from = 0;
    if (!accel_gpu_take(buffer, words, &from))
        return;
    accel_gpu_record record = {buffer->words, buffer->mask, from + 1};
    accel_gpu_put(record, bytes | static_cast<uint32_t>(sizeof...(Values)) << 16);
    (accel_gpu_put_value(record, values), ...);
    accel_gpu_put_text(record, format, bytes);
    accel_gpu_fence_system();
    accel_word_exch(&record.words[from & record.mask], words);
}

template <size_t Size, class... Values>
ACCEL_INLINE_ void accel_print(const accel_core core, const char (&format)[Size], Values... values)
{
    static_assert(sizeof...(Values) <= ACCEL_PRINT_VALUES, "a line has too many values");
    static_assert(Size <= ACCEL_PRINT_LINE, "the format is too long");
    accel_gpu_print(core, format, static_cast<uint32_t>(Size - 1), accel_gpu_sized(accel_print_value_of(values))...);
}

#endif
