#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cg_files.sh CG DATA: cg reads every good Matrix Market file and rejects every malformed one with file, line and reason.
set -u
cg=$1
data=$2/
passed=0
failed=0

fail()
{
    failed=$((failed + 1))
    printf 'FAILED: %s\n' "$*"
}

# good FILE: solved, verified, and the exact solution found
good()
{
    if ! output=$("$cg" "$data$1" 2>&1); then
        fail "$1: $output"
    elif ! printf '%s\n' "$output" | grep -q '^result      converged, verified$' ||
        ! printf '%s\n' "$output" | grep -q '^solution    largest error [0-9.]*e-\(0[89]\|1[0-9]\);\|^solution    largest error 0.00e+00;'; then
        fail "$1: unexpected output: $output"
    else
        passed=$((passed + 1))
    fi
}

# bad FILE MESSAGE: exit status 2, nothing on standard output, and exactly this message behind the file's name
bad()
{
    output=$("$cg" "$data$1" 2>&1 >/dev/null)
    status=$?
    if [ $status -ne 2 ]; then
        fail "$1: exit status $status instead of 2: $output"
    elif [ "$output" != "cg: $data$1$2" ]; then
        fail "$1: message
    $output
instead of
    cg: $data$1$2"
    elif [ -n "$("$cg" "$data$1" 2>/dev/null)" ] && [ "$1" != indefinite.mtx ]; then
        fail "$1: something on standard output"
    else
        passed=$((passed + 1))
    fi
}

good symmetric.mtx
good general.mtx
good crlf.mtx
good pattern.mtx
good no_last_newline.mtx

bad not_there.mtx ': cannot be opened: No such file or directory'
bad empty.mtx ':1: the file is empty; a Matrix Market file begins with %%MatrixMarket'
bad zero_byte.mtx ':3: the line contains a zero byte: this is not a text file'
bad bad_banner.mtx ':1: the first line does not begin with %%MatrixMarket'
bad bad_banner_words.mtx ':1: the banner has 4 words, not the 5 of "%%MatrixMarket matrix coordinate real general"'
bad bad_object.mtx ':1: object "vector" is not supported, only "matrix" is'
bad bad_format.mtx ':1: format "array" is not supported, only "coordinate" is'
bad bad_field.mtx ':1: field "complex" is not supported, only "real", "integer" and "pattern" are'
bad bad_symmetry.mtx ':1: symmetry "hermitian" is not supported, only "general" and "symmetric" are'
bad no_counts.mtx ':2: the file ends before the line with rows, columns and entries'
bad two_counts.mtx ':3: expected 3 numbers (rows, columns, entries), found 2'
bad count_not_a_number.mtx ':2: the number of columns "three" is not a whole number'
bad negative_count.mtx ':2: the number of rows -3 is out of range, 1 to 4294967295'
bad zero_rows.mtx ':2: the number of rows 0 is out of range, 1 to 4294967295'
bad huge_count.mtx ':2: the number of entries 99999999999999999999999 is out of range, 0 to 9'
bad too_many_for_shape.mtx ':2: the number of entries 7 is out of range, 0 to 6'
bad too_few_for_rows.mtx ':2: 1 entries are too few for 4000000000 rows: some rows are empty, and the matrix is singular'
bad not_square.mtx ':2: the matrix is not square: 3 rows, 4 columns'
bad row_out_of_range.mtx ':4: row 3 is out of range, 1 to 2'
bad column_zero.mtx ':4: column 0 is out of range, 1 to 2'
bad index_not_a_number.mtx ':4: column "x" is not a whole number'
bad missing_value.mtx ':4: expected 3 words (row, column, value), found 2 words'
bad extra_word.mtx ':4: expected 3 words (row, column, value), found 4 words'
bad value_not_a_number.mtx ':4: value "one" is not a number'
bad value_trailing.mtx ':3: value "1.5x" is not a number'
bad value_nan.mtx ':3: value "nan" is not finite'
bad value_too_large.mtx ':4: value 1e400 is too large for double precision'
bad integer_with_fraction.mtx ':4: value "1.5" is not an integer'
bad integer_too_large.mtx ':4: value 99999999999999999999 does not fit into 64 bits'
bad too_few_entries.mtx ':4: the file ends after 2 of the 3 entries that line 2 announces'
bad too_many_entries.mtx ':5: there are more entries than the 2 that line 2 announces'
bad duplicate.mtx ':5: entry (1, 1) is already in line 3'
bad duplicate_symmetric.mtx ':5: entry (2, 1) is already in line 3'
bad upper_triangle.mtx ':4: entry (1, 2) is above the diagonal; a symmetric file has the lower triangle only'
bad not_symmetric.mtx ':5: not symmetric: entry (2, 1) is 1, but (1, 2) is 0; conjugate gradients need a symmetric matrix'
bad indefinite.mtx ': p . A p is not positive in iteration 1: the matrix is not positive definite; conjugate gradients need that'

# What never ends a line ends soon, and so does what is no text. Without the limit memory would.
long=$(mktemp) || exit 99
trap 'rm -f "$long"' EXIT
{ printf '%%%%MatrixMarket matrix coordinate real general\n%%' && head -c 70000 /dev/zero | tr '\0' x; } >"$long"
data=
bad "$long" ':2: the line has more than 65535 characters'
bad /dev/zero ':1: the line contains a zero byte: this is not a text file'

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
