/* SPDX-License-Identifier: Apache-2.0 */
#include "object/seal.h"

#include <stdint.h>
#include <string.h>

enum { MAGIC_SIZE = sizeof(SEAL_MAGIC) - 1 };

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

void seal_make(const void *data, size_t size, unsigned char seal[SEAL_SIZE])
{
    uint64_t hash = hash_of(data, size);
    memcpy(seal, SEAL_MAGIC, MAGIC_SIZE);
    memcpy(seal + MAGIC_SIZE, &hash, sizeof(hash));
}

seal_state seal_check(const void *data, size_t size)
{
    unsigned char seal[SEAL_SIZE];
    if (size < SEAL_SIZE)
        return SEAL_NONE;
    const unsigned char *end = (const unsigned char *)data + size - SEAL_SIZE;
    if (memcmp(end, SEAL_MAGIC, MAGIC_SIZE) != 0)
        return SEAL_NONE;
    seal_make(data, size - SEAL_SIZE, seal);
    return memcmp(end, seal, SEAL_SIZE) == 0 ? SEAL_WHOLE : SEAL_BROKEN;
}
