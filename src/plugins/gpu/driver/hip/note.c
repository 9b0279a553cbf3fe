/* SPDX-License-Identifier: Apache-2.0 */
#include "plugins/gpu/driver/hip/note.h"

#include <elf.h>
#include <string.h>

enum {
    MACHINE = 224, /* EM_AMDGPU, which older <elf.h> do not have */
    METADATA = 32  /* NT_AMDGPU_METADATA, of the owner "AMDGPU" */
};

/* The metadata is one value of MessagePack: a map of texts to values. */
typedef struct reader {
    const unsigned char *at, *end;
} reader;

enum { TEXT, NUMBER, LIST, MAP, OTHER };

typedef struct value {
    int kind;
    uint64_t number;  /* NUMBER; of a TEXT its bytes; of a LIST or MAP the values or pairs that follow */
    const char *text; /* TEXT: not terminated */
} value;

static size_t left(const reader *r)
{
    return (size_t)(r->end - r->at);
}

/* What stands behind the head of a value: a big-endian number of so many bytes. */
static bool read_number(reader *r, size_t size, value *out)
{
    out->number = 0;
    if (left(r) < size)
        return false;
    for (size_t i = 0; i < size; ++i)
        out->number = out->number << 8 | *r->at++;
    return true;
}

/* Kind and number; false for kinds that metadata does not have (binaries, extensions). */
static bool read_head(reader *r, value *out)
{
    if (left(r) == 0)
        return false;
    unsigned head = *r->at++;
    if (head < 0xc0) { /* the number is in the head */
        out->kind = head < 0x80 ? NUMBER : head < 0x90 ? MAP : head < 0xa0 ? LIST : TEXT;
        out->number = head < 0x80 ? head : head < 0xa0 ? head & 15 : head & 31;
        return true;
    }
    out->kind = head >= 0xde && head <= 0xdf   ? MAP
                : head >= 0xdc && head <= 0xdd ? LIST
                : head >= 0xd9 && head <= 0xdb ? TEXT
                : head >= 0xcc && head <= 0xcf ? NUMBER
                                               : OTHER;
    if (out->kind == MAP || out->kind == LIST)
        return read_number(r, 2u << (head & 1), out);
    if (out->kind == TEXT)
        return read_number(r, (size_t)1 << (head - 0xd9), out);
    if (head == 0xc0 || head == 0xc2 || head == 0xc3 || head >= 0xe0) /* nil, false, true, little negative numbers */
        return true;
    if (head >= 0xca && head <= 0xd3) /* floating-point, and numbers without and with a sign */
        return read_number(r, head < 0xcc ? 4u << (head & 1) : (size_t)1 << (head & 3), out);
    return false;
}

/* The next value; of a list or map, only how many follow. */
static bool read_value(reader *r, value *out)
{
    if (!read_head(r, out))
        return false;
    if (out->kind != TEXT)
        return true;
    out->text = (const char *)r->at;
    if (out->number > left(r))
        return false;
    r->at += out->number;
    return true;
}

/* Goes past a value and all that is in it. */
static bool skip(reader *r)
{
    value next;

    for (uint64_t pending = 1; pending > 0; --pending) {
        if (!read_value(r, &next))
            return false;
        if (next.kind == LIST || next.kind == MAP)
            pending += next.kind == MAP ? 2 * next.number : next.number;
    }
    return true;
}

static bool is(const value *key, const char *text)
{
    return key->kind == TEXT && key->number == strlen(text) && memcmp(key->text, text, key->number) == 0;
}

static void note_target(const value *text, hip_note *note)
{
    static const char triple[] = "amdgcn-amd-amdhsa--"; /* no environment */
    const size_t length = sizeof(triple) - 1;

    if (text->kind != TEXT || text->number <= length || text->number - length >= sizeof(note->target) ||
        memcmp(text->text, triple, length) != 0)
        return;
    memcpy(note->target, text->text + length, text->number - length);
    note->target[text->number - length] = '\0';
}

static bool read_kernel(reader *r, uint64_t *lanes)
{
    value map, key, lane_count;

    if (!read_value(r, &map) || map.kind != MAP)
        return false;
    for (uint64_t i = 0; i < map.number; ++i) {
        if (!read_value(r, &key))
            return false;
        if (!is(&key, ".wavefront_size")) {
            if (!skip(r))
                return false;
            continue;
        }
        if (!read_value(r, &lane_count) || lane_count.kind != NUMBER)
            return false;
        *lanes = lane_count.number;
    }
    return true;
}

static bool read_kernels(reader *r, hip_note *note)
{
    value list;

    if (!read_value(r, &list) || list.kind != LIST)
        return false;
    for (uint64_t i = 0; i < list.number; ++i) {
        uint64_t lanes = 0;
        if (!read_kernel(r, &lanes))
            return false;
        note->lanes = (lanes == 32 || lanes == 64) && (i == 0 || note->lanes == lanes) ? (uint32_t)lanes : 0;
    }
    return true;
}

static hip_note read_metadata(reader r)
{
    hip_note note = {0};
    value map, key, text;

    if (!read_value(&r, &map) || map.kind != MAP)
        return note;
    for (uint64_t i = 0; i < map.number && read_value(&r, &key); ++i) {
        if (is(&key, "amdhsa.target")) {
            if (!read_value(&r, &text))
                break;
            note_target(&text, &note);
        } else if (is(&key, "amdhsa.kernels") ? !read_kernels(&r, &note) : !skip(&r)) {
            note.lanes = 0;
            break;
        }
    }
    return note;
}

/* Finds the metadata in a segment of notes. */
static bool find_metadata(const unsigned char *data, size_t size, reader *metadata)
{
    Elf64_Nhdr header;

    while (size >= sizeof(header)) {
        memcpy(&header, data, sizeof(header));
        size_t name = ((size_t)header.n_namesz + 3) / 4 * 4, content = ((size_t)header.n_descsz + 3) / 4 * 4;
        data += sizeof(header);
        size -= sizeof(header);
        if (name > size || header.n_descsz > size - name)
            return false;
        if (header.n_type == METADATA && header.n_namesz == sizeof("AMDGPU") &&
            memcmp(data, "AMDGPU", sizeof("AMDGPU")) == 0) {
            *metadata = (reader){data + name, data + name + header.n_descsz};
            return true;
        }
        if (content > size - name)
            return false;
        data += name + content;
        size -= name + content;
    }
    return false;
}

hip_note hip_note_read(const void *data, size_t size)
{
    const unsigned char *bytes = data;
    reader metadata;
    Elf64_Ehdr header;
    Elf64_Phdr segment;

    if (size < sizeof(header))
        return (hip_note){0};
    memcpy(&header, bytes, sizeof(header));
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_machine != MACHINE || header.e_phentsize != sizeof(segment) || header.e_phoff > size)
        return (hip_note){0};
    for (size_t i = 0, at = (size_t)header.e_phoff; i < header.e_phnum; ++i, at += sizeof(segment)) {
        if (size - at < sizeof(segment))
            break;
        memcpy(&segment, bytes + at, sizeof(segment));
        if (segment.p_type == PT_NOTE && segment.p_offset <= size && segment.p_filesz <= size - segment.p_offset &&
            find_metadata(bytes + segment.p_offset, (size_t)segment.p_filesz, &metadata))
            return read_metadata(metadata);
    }
    return (hip_note){0};
}
