/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction: its words, which follow its name behind dots, and its operands. */
#include "operation.h"
#include "reader.h"
#include "thread.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------------- words -- */

/* In the order of ptx_word. */
static const char *const words[PTX_IGNORED] = {
    "lo",     "hi",     "wide",   "sat",   "ftz",   "approx", "full", "cc",   "volatile", "v2",      "v4",
    "global", "shared", "local",  "const", "param", "and",    "or",   "xor",  "min",      "max",     "add",
    "inc",    "dec",    "exch",   "cas",   "popc",  "to",     "sync", "red",  "warp",     "idx",     "up",
    "down",   "bfly",   "ballot", "any",   "all",   "l",      "r",    "wrap", "clamp",    "shiftamt"};

static const char *const ignored[] = {"cta",     "gpu",     "sys",     "gl", "cluster",     "relaxed",
                                      "acquire", "release", "acq_rel", "sc", "weak",        "nc",
                                      "uni",     "aligned", "generic", "ca", "cg",          "cs",
                                      "lu",      "cv",      "wb",      "wt", "cta::shared", "shared::cta"};

static const char *const comparisons[PTX_COMPARISONS] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                                         "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

static bool read_comparison(const char *word, ptx_instruction *out)
{
    static const char *const unsigned_names[][2] = {{"lo", "lt"}, {"ls", "le"}, {"hi", "gt"}, {"hs", "ge"}};
    for (size_t i = 0; i < 4; ++i)
        if (strcmp(word, unsigned_names[i][0]) == 0)
            word = unsigned_names[i][1];
    for (uint8_t i = 0; i < PTX_COMPARISONS; ++i)
        if (strcmp(word, comparisons[i]) == 0) {
            out->comparison = i;
            return true;
        }
    return false;
}

/* What testp asks. */
static bool read_test(const char *word, ptx_instruction *out)
{
    static const char *const tests[] = {"finite", "infinite", "number", "notanumber", "normal", "subnormal"};
    for (uint8_t i = 0; i < sizeof(tests) / sizeof(tests[0]); ++i)
        if (strcmp(word, tests[i]) == 0) {
            out->comparison = i;
            return true;
        }
    return false;
}

/* "rn", "rzi". */
static bool read_rounding(const char *word, ptx_instruction *out)
{
    static const char letters[] = "nmpz"; /* as ptx_rounding */
    const char *found = word[0] == 'r' && word[1] != '\0' ? strchr(letters, word[1]) : NULL;
    if (found == NULL || (word[2] != '\0' && strcmp(word + 2, "i") != 0))
        return false;
    out->rounding = (uint8_t)(found - letters);
    out->to_integer = word[2] == 'i';
    return true;
}

static bool read_word(const char *word, ptx_instruction *out, unsigned *types)
{
    ptx_type type;
    if (ptx_read_type(word, &type)) {
        if ((*types)++ == 0)
            out->type = type;
        out->source = type;
        return *types <= 2;
    }
    for (unsigned i = 0; i < PTX_IGNORED; ++i)
        if (strcmp(words[i], word) == 0) {
            out->words |= (uint64_t)1 << i;
            return true;
        }
    for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); ++i)
        if (strcmp(ignored[i], word) == 0)
            return true;
    return read_rounding(word, out);
}

/* "ld.param.u64": finds the operation, and takes in its words. */
static const ptx_operation *read_name(ptx_reader *reader, ptx_instruction *out)
{
    char whole[sizeof(reader->scanner.text)], *rest;
    unsigned types = 0;
    memcpy(whole, reader->scanner.text, sizeof(whole));
    const char *name = strtok_r(whole, ".", &rest);
    const ptx_operation *operation = name != NULL ? ptx_operation_named(name) : NULL;
    bool good = operation != NULL;
    bool first = true;
    for (char *word = good ? strtok_r(NULL, ".", &rest) : NULL; word != NULL && good;
         word = strtok_r(NULL, ".", &rest)) {
        if (first && strcmp(name, "setp") == 0)
            good = read_comparison(word, out);
        else if (first && strcmp(name, "testp") == 0)
            good = read_test(word, out);
        else
            good = read_word(word, out, &types);
        first = false;
    }
    if (good) {
        const bool is_float = out->type.kind == PTX_FLOAT || out->source.kind == PTX_FLOAT;
        out->name = operation->name;
        out->run = is_float ? operation->run_float : operation->run;
        good = out->run != NULL;
    }
    if (!good)
        ptx_scanner_fail(&reader->scanner, "\"%s\" is not executed here", reader->scanner.text);
    ptx_scanner_next(&reader->scanner);
    return good ? operation : NULL;
}

/* ---------------------------------------------------------------------------------------- operands -- */

static bool find_special(const char *name, ptx_operand *out)
{
    static const char *const groups[] = {"%tid.", "%ntid.", "%ctaid.", "%nctaid."};
    out->kind = PTX_SPECIAL;
    for (unsigned i = 0; i < 4; ++i) {
        const size_t length = strlen(groups[i]);
        const char *axis = strncmp(name, groups[i], length) == 0 ? name + length : "";
        if (*axis >= 'x' && *axis <= 'z' && axis[1] == '\0') {
            out->value = i * 3 + (unsigned)(*axis - 'x');
            return true;
        }
    }
    if (strcmp(name, "%clock64") == 0) {
        out->kind = PTX_CLOCK;
        return true;
    }
    out->value = strcmp(name, "%laneid") == 0 ? PTX_LANEID : PTX_WARPID;
    if (strcmp(name, "%laneid") == 0 || strcmp(name, "%warpid") == 0)
        return true;
    *out = (ptx_operand){.kind = PTX_NUMBER, .value = PTX_LANES};
    return strcmp(name, "WARP_SZ") == 0;
}

static bool find_name(ptx_reader *reader, ptx_operand *out)
{
    const char *name = reader->scanner.text;
    uint64_t number = 0;
    const ptx_symbol *symbol = ptx_find_symbol(reader, name, &number);
    if (strcmp(name, "_") == 0) {
        out->kind = PTX_NOTHING;
    } else if (symbol != NULL) {
        *out = symbol->operand;
        out->value += number;
    } else if (!find_special(name, out)) {
        return ptx_scanner_fail(&reader->scanner, "there is no %s", name);
    }
    ptx_scanner_next(&reader->scanner);
    return true;
}

static bool read_single(ptx_reader *reader, ptx_operand *out)
{
    ptx_scanner *scanner = &reader->scanner;
    int64_t number;
    *out = (ptx_operand){.kind = PTX_NUMBER, .value = scanner->value};
    if (scanner->token == PTX_REAL32 || scanner->token == PTX_REAL64) {
        ptx_scanner_next(scanner);
        return true;
    }
    if (scanner->token == PTX_NAME || ptx_scanner_is(scanner, '!')) {
        const bool inverted = ptx_scanner_accept(scanner, '!');
        if (!find_name(reader, out))
            return false;
        out->inverted = inverted;
        return true;
    }
    if (!ptx_scanner_number(scanner, &number))
        return false;
    out->value = (uint64_t)number;
    return true;
}

/* Behind an address or a variable: "+8", "+-8". */
static bool read_offset(ptx_reader *reader, int64_t *offset)
{
    return !ptx_scanner_accept(&reader->scanner, '+') || ptx_scanner_number(&reader->scanner, offset);
}

static bool add_operand(ptx_reader *reader, ptx_instruction *out)
{
    if (out->count == PTX_MOST_OPERANDS)
        return ptx_scanner_fail(&reader->scanner, "too many operands of %s", out->name);
    return read_single(reader, &out->operands[out->count++]);
}

static bool read_operand(ptx_reader *reader, ptx_instruction *out)
{
    ptx_scanner *scanner = &reader->scanner;
    if (ptx_scanner_accept(scanner, '['))
        return add_operand(reader, out) && read_offset(reader, &out->offset) && ptx_scanner_expect(scanner, ']');
    if (ptx_scanner_accept(scanner, '{')) {
        out->vector_at = out->count;
        do {
            if (!add_operand(reader, out))
                return false;
        } while (ptx_scanner_accept(scanner, ','));
        out->vector = (uint8_t)(out->count - out->vector_at);
        return ptx_scanner_expect(scanner, '}');
    }
    if (!add_operand(reader, out))
        return false;
    if (ptx_scanner_accept(scanner, '|')) {
        out->pair = true;
        return add_operand(reader, out);
    }
    int64_t offset = 0;
    if (!read_offset(reader, &offset))
        return false;
    out->operands[out->count - 1].value += (uint64_t)offset;
    return true;
}

/* ----------------------------------------------------------------------------- branches and calls -- */

static bool read_target(ptx_reader *reader)
{
    ptx_scanner *scanner = &reader->scanner;
    if (scanner->token != PTX_NAME)
        return ptx_scanner_fail(scanner, "a label is missing before \"%s\"", scanner->text);
    if (!ptx_add_label(reader, scanner->text, reader->function->count - 1, true))
        return false;
    ptx_scanner_next(scanner);
    return true;
}

/* "param0, param1)", which are variables of the frame. */
static bool read_arguments(ptx_reader *reader, ptx_instruction *out)
{
    ptx_scanner *scanner = &reader->scanner;
    if (ptx_scanner_accept(scanner, ')'))
        return true;
    do {
        if (!add_operand(reader, out))
            return false;
        if (out->operands[out->count - 1].kind != PTX_FRAME)
            return ptx_scanner_fail(scanner, "an argument that is no variable");
    } while (ptx_scanner_accept(scanner, ','));
    return ptx_scanner_expect(scanner, ')');
}

/* "(retval0), function, (param0, param1)" */
static bool read_call(ptx_reader *reader, ptx_instruction *out)
{
    ptx_scanner *scanner = &reader->scanner;
    if (ptx_scanner_accept(scanner, '(') && (!read_arguments(reader, out) || !ptx_scanner_expect(scanner, ',')))
        return false;
    if (scanner->token != PTX_NAME || scanner->text[0] == '%')
        return ptx_scanner_fail(scanner, "a call of \"%s\"", scanner->text);
    out->callee = ptx_function_named(reader, scanner->text);
    ptx_scanner_next(scanner);
    if (out->callee == NULL)
        return false;
    return !ptx_scanner_accept(scanner, ',') || (ptx_scanner_expect(scanner, '(') && read_arguments(reader, out));
}

/* ------------------------------------------------------------------------------------- the whole -- */

static bool read_guard(ptx_reader *reader, ptx_instruction *out)
{
    ptx_operand guard;
    out->guard = -1;
    if (!ptx_scanner_accept(&reader->scanner, '@'))
        return true;
    out->guard_inverted = ptx_scanner_accept(&reader->scanner, '!');
    if (!find_name(reader, &guard))
        return false;
    if (guard.kind != PTX_REGISTER || guard.value > INT16_MAX)
        return ptx_scanner_fail(&reader->scanner, "a guard that is no register");
    out->guard = (int16_t)guard.value;
    return true;
}

bool ptx_read_instruction(ptx_reader *reader, ptx_instruction *out)
{
    ptx_scanner *scanner = &reader->scanner;
    *out = (ptx_instruction){.line = scanner->line};
    if (!read_guard(reader, out))
        return false;
    if (scanner->token != PTX_NAME)
        return ptx_scanner_fail(scanner, "an instruction is missing before \"%s\"", scanner->text);
    const ptx_operation *operation = read_name(reader, out);
    bool good = operation != NULL;
    if (good && out->run == ptx_bra) {
        good = read_target(reader);
    } else if (good && out->run == ptx_call) {
        good = read_call(reader, out);
    } else if (good && !ptx_scanner_is(scanner, ';')) {
        do
            good = read_operand(reader, out);
        while (good && ptx_scanner_accept(scanner, ','));
    }
    if (good && (out->count < operation->least || out->count > operation->most))
        good = ptx_scanner_fail(scanner, "%s with %u operands", out->name, out->count);
    return good && ptx_scanner_expect(scanner, ';');
}
