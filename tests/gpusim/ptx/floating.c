/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic on floats that the manual defines to the last bit. */
#include "operation.h"
#include "real.h"

typedef enum calculation { SUM, DIFFERENCE, PRODUCT, QUOTIENT, FUSED, ROOT } calculation;

/* Volatile: nothing of it is done before the rounding is set, or after. */
static float calculate_float(calculation what, float first, float second, float third)
{
    volatile float a = first, b = second, c = third, result = 0;
    switch (what) {
    case SUM:
        result = a + b;
        break;
    case DIFFERENCE:
        result = a - b;
        break;
    case PRODUCT:
        result = a * b;
        break;
    case QUOTIENT:
        result = a / b;
        break;
    case FUSED:
        result = fmaf(a, b, c);
        break;
    case ROOT:
        result = sqrtf(a);
        break;
    }
    return result;
}

static double calculate_double(calculation what, double first, double second, double third)
{
    volatile double a = first, b = second, c = third, result = 0;
    switch (what) {
    case SUM:
        result = a + b;
        break;
    case DIFFERENCE:
        result = a - b;
        break;
    case PRODUCT:
        result = a * b;
        break;
    case QUOTIENT:
        result = a / b;
        break;
    case FUSED:
        result = fma(a, b, c);
        break;
    case ROOT:
        result = sqrt(a);
        break;
    }
    return result;
}

static void calculate(ptx_thread *thread, const ptx_instruction *i, calculation what)
{
    double operands[3] = {0, 0, 0};
    for (unsigned k = 1; k < i->count && k <= 3; ++k)
        operands[k - 1] = ptx_real(thread, i, i->type, k);
    ptx_rounding_begin(i);
    if (i->type.bytes == 4) {
        const float result = calculate_float(what, (float)operands[0], (float)operands[1], (float)operands[2]);
        ptx_rounding_end(i);
        ptx_put_float(thread, i, result);
    } else {
        const double result = calculate_double(what, operands[0], operands[1], operands[2]);
        ptx_rounding_end(i);
        ptx_put_double(thread, i, result);
    }
}

void ptx_add_float(ptx_thread *thread, const ptx_instruction *i)
{
    calculate(thread, i, SUM);
}

void ptx_sub_float(ptx_thread *thread, const ptx_instruction *i)
{
    calculate(thread, i, DIFFERENCE);
}

void ptx_mul_float(ptx_thread *thread, const ptx_instruction *i)
{
    calculate(thread, i, PRODUCT);
}

void ptx_fma_float(ptx_thread *thread, const ptx_instruction *i)
{
    calculate(thread, i, FUSED);
}

void ptx_div_float(ptx_thread *thread, const ptx_instruction *i)
{
    if (ptx_has(i, PTX_APPROX) || ptx_has(i, PTX_FULL))
        ptx_divide_roughly(thread, i);
    else
        calculate(thread, i, QUOTIENT);
}

void ptx_sqrt(ptx_thread *thread, const ptx_instruction *i)
{
    if (ptx_has(i, PTX_APPROX))
        ptx_sqrt_roughly(thread, i);
    else
        calculate(thread, i, ROOT);
}

static void put_real(ptx_thread *thread, const ptx_instruction *i, double value)
{
    if (i->type.bytes == 4)
        ptx_put_float(thread, i, (float)value);
    else
        ptx_put_double(thread, i, value);
}

/* A number wins over NaN, and +0 is greater than -0. */
static double lesser(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    return a < b || (a == b && signbit(a)) ? a : b;
}

void ptx_min_float(ptx_thread *thread, const ptx_instruction *i)
{
    put_real(thread, i, lesser(ptx_real(thread, i, i->type, 1), ptx_real(thread, i, i->type, 2)));
}

void ptx_max_float(ptx_thread *thread, const ptx_instruction *i)
{
    put_real(thread, i, -lesser(-ptx_real(thread, i, i->type, 1), -ptx_real(thread, i, i->type, 2)));
}

void ptx_abs_float(ptx_thread *thread, const ptx_instruction *i)
{
    put_real(thread, i, fabs(ptx_real(thread, i, i->type, 1)));
}

void ptx_neg_float(ptx_thread *thread, const ptx_instruction *i)
{
    put_real(thread, i, -ptx_real(thread, i, i->type, 1));
}

/* The sign of the first operand, and the rest of the second. */
void ptx_copysign(ptx_thread *thread, const ptx_instruction *i)
{
    put_real(thread, i, copysign(ptx_real(thread, i, i->type, 2), ptx_real(thread, i, i->type, 1)));
}

static bool compare(ptx_comparison how, double a, double b)
{
    const bool unordered = isnan(a) || isnan(b);
    switch (how) {
    case PTX_EQ:
        return a == b;
    case PTX_NE:
        return !unordered && a != b;
    case PTX_LT:
        return a < b;
    case PTX_LE:
        return a <= b;
    case PTX_GT:
        return a > b;
    case PTX_GE:
        return a >= b;
    case PTX_EQU:
        return unordered || a == b;
    case PTX_NEU:
        return unordered || a != b;
    case PTX_LTU:
        return unordered || a < b;
    case PTX_LEU:
        return unordered || a <= b;
    case PTX_GTU:
        return unordered || a > b;
    case PTX_GEU:
        return unordered || a >= b;
    case PTX_NUM:
        return !unordered;
    default:
        return unordered;
    }
}

void ptx_setp_float(ptx_thread *thread, const ptx_instruction *i)
{
    const unsigned first = i->pair ? 2 : 1;
    ptx_put_comparison(thread, i,
                       compare((ptx_comparison)i->comparison, ptx_real(thread, i, i->type, first),
                               ptx_real(thread, i, i->type, first + 1)));
}

/* In the order of instruction.c: finite, infinite, number, notanumber, normal, subnormal. */
void ptx_testp(ptx_thread *thread, const ptx_instruction *i)
{
    const double a = ptx_real(thread, i, i->type, 1);
    const bool is_subnormal = a != 0 && fabs(a) < (i->type.bytes == 4 ? 0x1p-126 : 0x1p-1022);
    const bool answers[] = {
        isfinite(a), isinf(a) != 0, !isnan(a), isnan(a) != 0, isfinite(a) && a != 0 && !is_subnormal, is_subnormal};
    ptx_put_predicate(thread, i, 0, answers[i->comparison]);
}
