/* SPDX-License-Identifier: Apache-2.0 */
/* Preprocessed C as tokens. */
#ifndef ACCELCC_TOKENS_H
#define ACCELCC_TOKENS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum token_kind { TOKEN_NAME, TOKEN_NUMBER, TOKEN_TEXT, TOKEN_SIGN } token_kind;

typedef struct token {
    token_kind kind;
    const char *text; /* of a string: what stands between the quotes */
    const char *file;
    int line;
    size_t partner; /* of ( [ {: the token that closes it; of ) ] }: the one that opens it; else itself */
} token;

typedef struct tokens {
    token *items;
    size_t count, capacity;
} tokens;

/* `text` is the arena's, or lives as long. */
void tokens_read(const char *text, tokens *);
bool token_is(const token *, const char *text);
/* Is it one of = += -= and the like? */
bool token_assigns(const token *);

#endif
