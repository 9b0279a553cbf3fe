/* SPDX-License-Identifier: Apache-2.0 */
#include "output/code_object.h"

#include "base/arena.h"

#include <elf.h>
#include <string.h>

#define NOTE_METADATA 32 /* NT_AMDGPU_METADATA */

/* Bytes that are still to be read. After an error it is empty, and `failed`. */
typedef struct reader {
    const unsigned char *at, *end;
    bool failed;
} reader;

typedef enum value_kind { VALUE_NUMBER, VALUE_TEXT, VALUE_ARRAY, VALUE_MAP, VALUE_OTHER } value_kind;

typedef struct value {
    value_kind kind;
    uint64_t number; /* or the count of elements, or of pairs */
    const char *text;
} value;

static uint64_t big_endian(reader *in, size_t bytes)
{
    uint64_t result = 0;
    if ((size_t)(in->end - in->at) < bytes) {
        in->failed = true;
        in->at = in->end;
        return 0;
    }
    for (size_t i = 0; i < bytes; ++i)
        result = result << 8 | *in->at++;
    return result;
}

static const char *take(reader *in, uint64_t length)
{
    if ((uint64_t)(in->end - in->at) < length) {
        in->failed = true;
        in->at = in->end;
        return "";
    }
    const char *text = arena_copy((const char *)in->at, (size_t)length);
    in->at += length;
    return text;
}

/* The next value; of arrays and maps only the head. */
static value next(reader *in)
{
    uint64_t head = big_endian(in, 1);
    if (head < 0x80)
        return (value){VALUE_NUMBER, head, NULL};
    if (head < 0x90)
        return (value){VALUE_MAP, head & 0x0f, NULL};
    if (head < 0xa0)
        return (value){VALUE_ARRAY, head & 0x0f, NULL};
    if (head < 0xc0)
        return (value){VALUE_TEXT, 0, take(in, head & 0x1f)};
    switch (head) {
    case 0xc4: /* binary data, as text */
    case 0xd9:
        return (value){VALUE_TEXT, 0, take(in, big_endian(in, 1))};
    case 0xc5:
    case 0xda:
        return (value){VALUE_TEXT, 0, take(in, big_endian(in, 2))};
    case 0xc6:
    case 0xdb:
        return (value){VALUE_TEXT, 0, take(in, big_endian(in, 4))};
    case 0xcc:
    case 0xd0:
        return (value){VALUE_NUMBER, big_endian(in, 1), NULL};
    case 0xcd:
    case 0xd1:
        return (value){VALUE_NUMBER, big_endian(in, 2), NULL};
    case 0xca:
    case 0xce:
    case 0xd2:
        return (value){VALUE_NUMBER, big_endian(in, 4), NULL};
    case 0xcb:
    case 0xcf:
    case 0xd3:
        return (value){VALUE_NUMBER, big_endian(in, 8), NULL};
    case 0xdc:
        return (value){VALUE_ARRAY, big_endian(in, 2), NULL};
    case 0xdd:
        return (value){VALUE_ARRAY, big_endian(in, 4), NULL};
    case 0xde:
        return (value){VALUE_MAP, big_endian(in, 2), NULL};
    case 0xdf:
        return (value){VALUE_MAP, big_endian(in, 4), NULL};
    default: /* nil, booleans, small negative numbers; nothing of ours has more */
        return (value){VALUE_OTHER, 0, NULL};
    }
}

/* Leaves out what belongs to a value whose head was read. */
static void skip(reader *in, const value *head)
{
    uint64_t inner = head->kind == VALUE_ARRAY ? head->number : head->kind == VALUE_MAP ? 2 * head->number : 0;
    while (inner != 0 && !in->failed) { /* without recursion: the depth is the file's */
        value element = next(in);
        --inner;
        inner += element.kind == VALUE_ARRAY ? element.number : element.kind == VALUE_MAP ? 2 * element.number : 0;
    }
}

static void read_kernel(reader *in, uint64_t pairs, code_object_kernel *kernel)
{
    const struct {
        const char *name;
        uint64_t *where;
    } numbers[] = {
        {".vgpr_count", &kernel->vector_registers},      {".sgpr_count", &kernel->scalar_registers},
        {".agpr_count", &kernel->accumulator_registers}, {".vgpr_spill_count", &kernel->vector_spills},
        {".sgpr_spill_count", &kernel->scalar_spills},   {".group_segment_fixed_size", &kernel->shared},
        {".private_segment_fixed_size", &kernel->stack}, {".kernarg_segment_size", &kernel->arguments},
    };
    for (uint64_t i = 0; i < pairs && !in->failed; ++i) {
        value key = next(in), held = next(in);
        if (key.kind == VALUE_TEXT && held.kind == VALUE_TEXT && strcmp(key.text, ".name") == 0)
            kernel->name = held.text;
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0] && held.kind == VALUE_NUMBER; ++k) {
            if (key.kind == VALUE_TEXT && strcmp(key.text, numbers[k].name) == 0)
                *numbers[k].where = held.number;
        }
        skip(in, &held);
    }
}

static bool read_metadata(reader in, void (*visit)(void *user, const code_object_kernel *), void *user)
{
    value root = next(&in);
    for (uint64_t i = 0; root.kind == VALUE_MAP && i < root.number && !in.failed; ++i) {
        value key = next(&in), held = next(&in);
        if (key.kind != VALUE_TEXT || strcmp(key.text, "amdhsa.kernels") != 0 || held.kind != VALUE_ARRAY) {
            skip(&in, &held);
            continue;
        }
        for (uint64_t k = 0; k < held.number && !in.failed; ++k) {
            code_object_kernel kernel = {.name = ""};
            value map = next(&in);
            if (map.kind != VALUE_MAP)
                return false;
            read_kernel(&in, map.number, &kernel);
            if (!in.failed)
                visit(user, &kernel);
        }
    }
    return root.kind == VALUE_MAP && !in.failed;
}

bool code_object_visit(const unsigned char *data, size_t size, void (*visit)(void *user, const code_object_kernel *),
                       void *user)
{
    Elf64_Ehdr header;
    if (size < sizeof header)
        return false;
    memcpy(&header, data, sizeof header);
    for (size_t i = 0; i < header.e_phnum; ++i) {
        Elf64_Phdr segment;
        uint64_t place = header.e_phoff + i * sizeof segment;
        if (place > size || size - place < sizeof segment)
            return false;
        memcpy(&segment, data + place, sizeof segment);
        if (segment.p_type != PT_NOTE || segment.p_offset > size || segment.p_filesz > size - segment.p_offset)
            continue;
        const unsigned char *at = data + segment.p_offset, *end = at + segment.p_filesz;
        Elf64_Nhdr note;
        while ((size_t)(end - at) >= sizeof note) {
            memcpy(&note, at, sizeof note);
            uint64_t name = ((uint64_t)note.n_namesz + 3) & ~(uint64_t)3;
            uint64_t content = ((uint64_t)note.n_descsz + 3) & ~(uint64_t)3;
            uint64_t left = (uint64_t)(end - at) - sizeof note;
            if (name > left || content > left - name)
                break;
            at += sizeof note + name;
            if (note.n_type == NOTE_METADATA)
                return read_metadata((reader){at, at + note.n_descsz, false}, visit, user);
            at += content;
        }
    }
    return false;
}
