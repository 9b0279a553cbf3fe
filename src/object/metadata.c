/* SPDX-License-Identifier: Apache-2.0 */
#include "object/metadata.h"

#include "object/elf.h"

#include <string.h>

enum { NOTE_TYPE = 32 }; /* NT_AMDGPU_METADATA, of the owner "AMDGPU" */

/* The metadata is one value of MessagePack: a map of texts to values. After an error nothing is left to be read. */
typedef struct reader {
    const unsigned char *at, *end;
    bool failed;
} reader;

typedef enum value_kind { VALUE_NUMBER, VALUE_TEXT, VALUE_LIST, VALUE_MAP, VALUE_OTHER } value_kind;

typedef struct value {
    value_kind kind;
    uint64_t number;  /* NUMBER; of a TEXT its bytes; of a LIST or MAP the values or pairs that follow */
    const char *text; /* TEXT: in the object, not terminated */
} value;

static void fail(reader *in)
{
    in->failed = true;
    in->at = in->end;
}

static uint64_t read_number(reader *in, size_t bytes)
{
    uint64_t number = 0;

    if ((size_t)(in->end - in->at) < bytes) {
        fail(in);
        return 0;
    }
    for (size_t i = 0; i < bytes; ++i)
        number = number << 8 | *in->at++;
    return number;
}

static value read_bytes(reader *in, value_kind kind, uint64_t length)
{
    value bytes = {.kind = kind, .number = length, .text = (const char *)in->at};

    if (length > (uint64_t)(in->end - in->at))
        fail(in);
    else
        in->at += length;
    return in->failed ? (value){.kind = VALUE_OTHER} : bytes;
}

/* A number with a sign: all that metadata has are above 0. */
static value read_signed(reader *in, size_t bytes)
{
    uint64_t number = read_number(in, bytes);

    return (value){.kind = number >> (8 * bytes - 1) == 0 ? VALUE_NUMBER : VALUE_OTHER, .number = number};
}

/* Values whose kind and size are a byte of their own. */
static value read_long(reader *in, unsigned head)
{
    switch (head) {
    case 0xc4: /* bytes that are no text */
    case 0xc5:
    case 0xc6:
        return read_bytes(in, VALUE_OTHER, read_number(in, (size_t)1 << (head - 0xc4)));
    case 0xc7: /* extensions: a length, a type */
    case 0xc8:
    case 0xc9:
        return read_bytes(in, VALUE_OTHER, read_number(in, (size_t)1 << (head - 0xc7)) + 1);
    case 0xca: /* floating point */
    case 0xcb:
        return read_bytes(in, VALUE_OTHER, 4u << (head - 0xca));
    case 0xcc:
    case 0xcd:
    case 0xce:
    case 0xcf:
        return (value){.kind = VALUE_NUMBER, .number = read_number(in, (size_t)1 << (head - 0xcc))};
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3:
        return read_signed(in, (size_t)1 << (head - 0xd0));
    case 0xd4: /* extensions of 1, 2, 4, 8, 16 bytes */
    case 0xd5:
    case 0xd6:
    case 0xd7:
    case 0xd8:
        return read_bytes(in, VALUE_OTHER, ((uint64_t)1 << (head - 0xd4)) + 1);
    case 0xd9:
    case 0xda:
    case 0xdb:
        return read_bytes(in, VALUE_TEXT, read_number(in, (size_t)1 << (head - 0xd9)));
    case 0xdc:
    case 0xdd:
        return (value){.kind = VALUE_LIST, .number = read_number(in, 2u << (head - 0xdc))};
    case 0xde:
    case 0xdf:
        return (value){.kind = VALUE_MAP, .number = read_number(in, 2u << (head - 0xde))};
    default: /* nil, false, true, small negative numbers */
        return (value){.kind = VALUE_OTHER};
    }
}

/* The next value; of lists and maps only how many follow. */
static value next(reader *in)
{
    unsigned head = (unsigned)read_number(in, 1);

    if (in->failed)
        return (value){.kind = VALUE_OTHER};
    if (head < 0x80)
        return (value){.kind = VALUE_NUMBER, .number = head};
    if (head < 0xa0)
        return (value){.kind = head < 0x90 ? VALUE_MAP : VALUE_LIST, .number = head & 15};
    if (head < 0xc0)
        return read_bytes(in, VALUE_TEXT, head & 31);
    return read_long(in, head);
}

/* How many values belong to one whose head was read. */
static uint64_t inner_values(const value *head)
{
    return head->kind == VALUE_LIST ? head->number : head->kind == VALUE_MAP ? 2 * head->number : 0;
}

/* Goes past what belongs to a value whose head was read. Without recursion: the depth is the file's. */
static void skip(reader *in, const value *head)
{
    for (uint64_t inner = inner_values(head); inner != 0 && !in->failed; --inner) {
        value element = next(in);
        inner += inner_values(&element);
    }
}

static bool is(const value *key, const char *text)
{
    return key->kind == VALUE_TEXT && key->number == strlen(text) && memcmp(key->text, text, key->number) == 0;
}

static void read_kernel(reader *in, uint64_t pairs, metadata_kernel *kernel)
{
    const struct {
        const char *name;
        uint64_t *where;
    } numbers[] = {
        {".vgpr_count", &kernel->vector_registers},
        {".sgpr_count", &kernel->scalar_registers},
        {".agpr_count", &kernel->accumulator_registers},
        {".vgpr_spill_count", &kernel->vector_spills},
        {".sgpr_spill_count", &kernel->scalar_spills},
        {".group_segment_fixed_size", &kernel->shared},
        {".private_segment_fixed_size", &kernel->stack},
        {".kernarg_segment_size", &kernel->arguments},
        {".wavefront_size", &kernel->lanes},
    };

    for (uint64_t i = 0; i < pairs && !in->failed; ++i) {
        value key = next(in), held = next(in);
        if (held.kind == VALUE_TEXT && is(&key, ".name")) {
            kernel->name = held.text;
            kernel->name_length = (size_t)held.number;
        }
        for (size_t k = 0; k < sizeof(numbers) / sizeof(numbers[0]) && held.kind == VALUE_NUMBER; ++k) {
            if (is(&key, numbers[k].name))
                *numbers[k].where = held.number;
        }
        skip(in, &held);
    }
}

static void read_kernels(reader *in, uint64_t count, metadata_visitor visit, void *user)
{
    for (uint64_t i = 0; i < count && !in->failed; ++i) {
        metadata_kernel kernel = {.name = ""};
        value map = next(in);
        if (map.kind != VALUE_MAP)
            fail(in);
        else
            read_kernel(in, map.number, &kernel);
        if (!in->failed)
            visit(user, &kernel);
    }
}

static void read_target(const value *text, char target[METADATA_TARGET_SIZE])
{
    static const char triple[] = "amdgcn-amd-amdhsa--"; /* no environment */
    const size_t length = sizeof(triple) - 1;

    if (text->kind != VALUE_TEXT || text->number <= length || text->number - length >= METADATA_TARGET_SIZE ||
        memcmp(text->text, triple, length) != 0)
        return;
    memcpy(target, text->text + length, text->number - length);
    target[text->number - length] = '\0';
}

bool metadata_read(const void *data, size_t size, char target[METADATA_TARGET_SIZE], metadata_visitor visit, void *user)
{
    accel_elf elf;
    size_t note_size = 0;
    char reason[128];

    target[0] = '\0';
    if (!accel_elf_open(data, size, &elf, reason, sizeof(reason)) || elf.machine != ACCEL_ELF_AMDGPU)
        return false;

    const unsigned char *note = accel_elf_note(&elf, "AMDGPU", NOTE_TYPE, &note_size);

    if (note == NULL)
        return false;

    reader in = {.at = note, .end = note + note_size};
    value root = next(&in);

    for (uint64_t i = 0; root.kind == VALUE_MAP && i < root.number && !in.failed; ++i) {
        value key = next(&in), held = next(&in);
        if (is(&key, "amdhsa.kernels") && held.kind == VALUE_LIST) {
            read_kernels(&in, held.number, visit, user);
            continue;
        }
        if (is(&key, "amdhsa.target"))
            read_target(&held, target);
        skip(&in, &held);
    }
    return root.kind == VALUE_MAP && !in.failed;
}
