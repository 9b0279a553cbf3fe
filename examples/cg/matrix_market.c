/* SPDX-License-Identifier: Apache-2.0 */
/* Reader of Matrix Market files. Arrays grow with the entries that are found, whatever the header promises. */
#include "matrix_market.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct entry {
    uint32_t row, column; /* from 0 */
    size_t line;          /* where it stands in the file */
    double value;
} entry;

enum { LONGEST_LINE = 1 << 16 }; /* the format's own limit is 1024 */

enum field { FIELD_REAL, FIELD_INTEGER, FIELD_PATTERN };

typedef struct reader {
    const char *path;
    FILE *file;
    char *text;  /* the current line, without its end; LONGEST_LINE bytes */
    size_t line; /* its number, from 1 */
    enum field field;
    bool symmetric;
    size_t rows, announced;
    size_t size_line; /* number of the line with the counts */
    entry *entries;
    size_t count, capacity;
    char *error;
    size_t error_size;
} reader;

__attribute__((format(printf, 2, 3))) static bool fail(reader *r, const char *format, ...)
{
    int used = r->line == 0 ? snprintf(r->error, r->error_size, "%s: ", r->path)
                            : snprintf(r->error, r->error_size, "%s:%zu: ", r->path, r->line);
    if (used >= 0 && (size_t)used < r->error_size) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(r->error + used, r->error_size - (size_t)used, format, arguments);
        va_end(arguments);
    }
    return false;
}

enum line_result { LINE_READ, LINE_END, LINE_FAILED };

static enum line_result next_line(reader *r)
{
    size_t end = 0;
    errno = 0;
    int c = getc(r->file);
    if (c == EOF && !ferror(r->file))
        return LINE_END;
    r->line++;
    for (; c != EOF && c != '\n'; c = getc(r->file)) {
        if (c == '\0') {
            fail(r, "the line contains a zero byte: this is not a text file");
            return LINE_FAILED;
        }
        if (end == LONGEST_LINE - 1) {
            fail(r, "the line has more than %d characters", LONGEST_LINE - 1);
            return LINE_FAILED;
        }
        r->text[end++] = (char)c;
    }
    if (ferror(r->file)) {
        fail(r, "reading failed: %s", strerror(errno));
        return LINE_FAILED;
    }
    while (end > 0 && isspace((unsigned char)r->text[end - 1]))
        end--;
    r->text[end] = '\0';
    return LINE_READ;
}

/* The next line that is neither blank nor a comment. */
static enum line_result next_data_line(reader *r)
{
    for (;;) {
        const enum line_result result = next_line(r);
        if (result != LINE_READ)
            return result;
        const char *at = r->text + strspn(r->text, " \t");
        if (*at != '\0' && *at != '%')
            return LINE_READ;
    }
}

/* Cuts the line into words; returns how many there are, though only `capacity` are stored. */
static size_t split(char *text, char **words, size_t capacity)
{
    size_t count = 0;
    for (char *rest = NULL, *word = strtok_r(text, " \t", &rest); word != NULL; word = strtok_r(NULL, " \t", &rest)) {
        if (count < capacity)
            words[count] = word;
        count++;
    }
    return count;
}

static bool read_banner(reader *r)
{
    const enum line_result result = next_line(r);
    if (result == LINE_FAILED)
        return false;
    r->line = 1;
    if (result == LINE_END)
        return fail(r, "the file is empty; a Matrix Market file begins with %%%%MatrixMarket");
    char *words[5];
    const size_t count = split(r->text, words, 5);
    if (count == 0 || strcasecmp(words[0], "%%MatrixMarket") != 0)
        return fail(r, "the first line does not begin with %%%%MatrixMarket");
    if (count != 5)
        return fail(r, "the banner has %zu words, not the 5 of \"%%%%MatrixMarket matrix coordinate real general\"",
                    count);
    if (strcasecmp(words[1], "matrix") != 0)
        return fail(r, "object \"%s\" is not supported, only \"matrix\" is", words[1]);
    if (strcasecmp(words[2], "coordinate") != 0)
        return fail(r, "format \"%s\" is not supported, only \"coordinate\" is", words[2]);

    if (strcasecmp(words[3], "real") == 0)
        r->field = FIELD_REAL;
    else if (strcasecmp(words[3], "integer") == 0)
        r->field = FIELD_INTEGER;
    else if (strcasecmp(words[3], "pattern") == 0)
        r->field = FIELD_PATTERN;
    else
        return fail(r, "field \"%s\" is not supported, only \"real\", \"integer\" and \"pattern\" are", words[3]);

    if (strcasecmp(words[4], "general") == 0)
        r->symmetric = false;
    else if (strcasecmp(words[4], "symmetric") == 0)
        r->symmetric = true;
    else
        return fail(r, "symmetry \"%s\" is not supported, only \"general\" and \"symmetric\" are", words[4]);
    return true;
}

/* A whole number from `low` to `high`. `name` is what the message calls it. */
static bool parse_count(reader *r, const char *word, const char *name, size_t low, size_t high, size_t *value)
{
    char *end;
    errno = 0;
    const unsigned long long parsed = strtoull(word, &end, 10);
    if (!isdigit((unsigned char)word[word[0] == '+']) || *end != '\0') {
        /* A negative number is out of range rather than malformed. */
        if (word[0] == '-' && word[1] != '\0' && word[1 + strspn(word + 1, "0123456789")] == '\0')
            return fail(r, "%s %s is out of range, %zu to %zu", name, word, low, high);
        return fail(r, "%s \"%s\" is not a whole number", name, word);
    }
    if (errno == ERANGE || parsed < low || parsed > high)
        return fail(r, "%s %s is out of range, %zu to %zu", name, word, low, high);
    *value = (size_t)parsed;
    return true;
}

static bool read_counts(reader *r)
{
    const enum line_result result = next_data_line(r);
    if (result == LINE_FAILED)
        return false;
    if (result == LINE_END)
        return fail(r, "the file ends before the line with rows, columns and entries");
    r->size_line = r->line;
    char *words[3];
    const size_t count = split(r->text, words, 3);
    size_t columns;
    if (count != 3)
        return fail(r, "expected 3 numbers (rows, columns, entries), found %zu", count);
    if (!parse_count(r, words[0], "the number of rows", 1, UINT32_MAX, &r->rows) ||
        !parse_count(r, words[1], "the number of columns", 1, UINT32_MAX, &columns))
        return false;
    if (r->rows != columns)
        return fail(r, "the matrix is not square: %zu rows, %zu columns", r->rows, columns);
    /* rows < 2^32, so neither product overflows where size_t has 64 bits. */
    const size_t most = r->symmetric ? r->rows * (r->rows + 1) / 2 : r->rows * r->rows;
    return parse_count(r, words[2], "the number of entries", 0, most, &r->announced);
}

static bool parse_value(reader *r, const char *word, double *value)
{
    char *end;
    errno = 0;
    if (r->field == FIELD_INTEGER) {
        const long long parsed = strtoll(word, &end, 10);
        if (end == word || *end != '\0')
            return fail(r, "value \"%s\" is not an integer", word);
        if (errno == ERANGE)
            return fail(r, "value %s does not fit into 64 bits", word);
        *value = (double)parsed;
        return true;
    }
    const double parsed = strtod(word, &end);
    if (end == word || *end != '\0')
        return fail(r, "value \"%s\" is not a number", word);
    if (errno == ERANGE && fabs(parsed) > 1)
        return fail(r, "value %s is too large for double precision", word);
    if (!isfinite(parsed))
        return fail(r, "value \"%s\" is not finite", word);
    *value = parsed;
    return true;
}

static bool append(reader *r, size_t row, size_t column, double value)
{
    if (r->count == r->capacity) {
        const size_t capacity = r->capacity == 0 ? 1024 : 2 * r->capacity;
        entry *grown = capacity < SIZE_MAX / sizeof *grown ? realloc(r->entries, capacity * sizeof *grown) : NULL;
        if (grown == NULL)
            return fail(r, "there is no memory for more than %zu entries", r->count);
        r->entries = grown;
        r->capacity = capacity;
    }
    r->entries[r->count++] = (entry){(uint32_t)(row - 1), (uint32_t)(column - 1), r->line, value};
    return true;
}

static bool read_entry(reader *r)
{
    char *words[3];
    const size_t expected = r->field == FIELD_PATTERN ? 2 : 3;
    const size_t count = split(r->text, words, 3);
    size_t row, column;
    double value = 1;
    if (count != expected)
        return fail(r, "expected %s, found %zu word%s",
                    expected == 2 ? "2 words (row, column)" : "3 words (row, column, value)", count,
                    count == 1 ? "" : "s");
    if (!parse_count(r, words[0], "row", 1, r->rows, &row) ||
        !parse_count(r, words[1], "column", 1, r->rows, &column) ||
        (expected == 3 && !parse_value(r, words[2], &value)))
        return false;
    if (r->symmetric && column > row)
        return fail(r, "entry (%zu, %zu) is above the diagonal; a symmetric file has the lower triangle only", row,
                    column);
    return append(r, row, column, value) && (!r->symmetric || row == column || append(r, column, row, value));
}

static bool read_entries(reader *r)
{
    for (size_t i = 0; i < r->announced; ++i) {
        const enum line_result result = next_data_line(r);
        if (result == LINE_FAILED)
            return false;
        if (result == LINE_END)
            return fail(r, "the file ends after %zu of the %zu entries that line %zu announces", i, r->announced,
                        r->size_line);
        if (!read_entry(r))
            return false;
    }
    const enum line_result result = next_data_line(r);
    if (result == LINE_READ)
        return fail(r, "there are more entries than the %zu that line %zu announces", r->announced, r->size_line);
    return result == LINE_END;
}

/* Stable counting sort from one array to the other, by row or by column. `start` has rows + 1 elements. */
static void sort_entries(const entry *from, entry *to, size_t count, size_t rows, bool by_row, size_t *start)
{
    memset(start, 0, (rows + 1) * sizeof *start);
    for (size_t i = 0; i < count; ++i)
        start[(by_row ? from[i].row : from[i].column) + 1]++;
    for (size_t i = 0; i < rows; ++i)
        start[i + 1] += start[i];
    for (size_t i = 0; i < count; ++i)
        to[start[by_row ? from[i].row : from[i].column]++] = from[i];
}

static bool compress(reader *r, sparse_matrix *a)
{
    bool good = false;
    entry *other = malloc((r->count + 1) * sizeof *other);
    size_t *start = malloc((r->rows + 1) * sizeof *start);
    sparse_matrix made = {0};
    if (other == NULL || start == NULL || !sparse_matrix_allocate(&made, r->rows, r->count)) {
        fail(r, "there is no memory for %zu rows and %zu entries", r->rows, r->count);
        goto done;
    }
    sort_entries(r->entries, other, r->count, r->rows, false, start);
    sort_entries(other, r->entries, r->count, r->rows, true, start);

    size_t row = 0;
    for (size_t i = 0; i < r->count; ++i) {
        const entry *e = &r->entries[i];
        if (i > 0 && e[-1].row == e->row && e[-1].column == e->column) {
            r->line = e->line;
            const bool mirrored = r->symmetric && e->column > e->row; /* the file has the other one */
            fail(r, "entry (%u, %u) is already in line %zu", (mirrored ? e->column : e->row) + 1u,
                 (mirrored ? e->row : e->column) + 1u, e[-1].line);
            goto done;
        }
        while (row <= e->row)
            made.row_start[row++] = i;
        made.column[i] = e->column;
        made.value[i] = e->value;
    }
    while (row <= r->rows)
        made.row_start[row++] = r->count;
    *a = made;
    made = (sparse_matrix){0};
    good = true;
done:
    linear_system_free(&(linear_system){.a = made});
    free(start);
    free(other);
    return good;
}

static bool open_file(reader *r)
{
    r->file = fopen(r->path, "r");
    if (r->file == NULL)
        return fail(r, "cannot be opened: %s", strerror(errno));
    r->text = malloc(LONGEST_LINE);
    return r->text != NULL || fail(r, "there is no memory for a line");
}

static void close_file(reader *r)
{
    free(r->entries);
    free(r->text);
    if (r->file != NULL)
        fclose(r->file);
}

bool matrix_market_read(const char *path, sparse_matrix *a, char *error, size_t error_size)
{
    reader r = {.path = path, .error = error, .error_size = error_size};
    bool good = open_file(&r) && read_banner(&r) && read_counts(&r) && read_entries(&r);
    /* A positive definite matrix has every diagonal entry; this also bounds what the header can make us allocate. */
    if (good && r.count < r.rows) {
        r.line = r.size_line;
        good = fail(&r, "%zu entries are too few for %zu rows: some rows are empty, and the matrix is singular",
                    r.count, r.rows);
    }
    good = good && compress(&r, a);
    close_file(&r);
    return good;
}

size_t matrix_market_line(const char *path, size_t row, size_t column)
{
    char error[1];
    size_t line = 0;
    reader r = {.path = path, .error = error, .error_size = sizeof error};
    bool good = open_file(&r) && read_banner(&r) && read_counts(&r) && read_entries(&r);
    for (size_t i = 0; good && i < r.count; ++i)
        if (r.entries[i].row == row && r.entries[i].column == column)
            line = r.entries[i].line;
    close_file(&r);
    return line;
}
