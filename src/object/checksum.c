/* SPDX-License-Identifier: Apache-2.0 */
#include "object/checksum.h"

#include <stdint.h>
#include <string.h>

enum { MAGIC_SIZE = sizeof(CHECKSUM_MAGIC) - 1 };

/* Every step can be undone, so that two files of a size that differ in one word have different hashes. */
static uint64_t hash_of(const unsigned char *data, size_t size)
{
    uint64_t hash = size, word;
    for (; size >= sizeof(word); data += sizeof(word), size -= sizeof(word)) {
        memcpy(&word, data, sizeof(word));
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, data, size);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

void checksum_make(const void *data, size_t size, unsigned char checksum[CHECKSUM_SIZE])
{
    uint64_t hash = hash_of(data, size);
    memcpy(checksum, CHECKSUM_MAGIC, MAGIC_SIZE);
    memcpy(checksum + MAGIC_SIZE, &hash, sizeof(hash));
}

checksum_state checksum_check(const void *data, size_t size)
{
    unsigned char checksum[CHECKSUM_SIZE];
    if (size < CHECKSUM_SIZE)
        return CHECKSUM_NONE;
    const unsigned char *end = (const unsigned char *)data + size - CHECKSUM_SIZE;
    if (memcmp(end, CHECKSUM_MAGIC, MAGIC_SIZE) != 0)
        return CHECKSUM_NONE;
    checksum_make(data, size - CHECKSUM_SIZE, checksum);
    return memcmp(end, checksum, CHECKSUM_SIZE) == 0 ? CHECKSUM_RIGHT : CHECKSUM_WRONG;
}
