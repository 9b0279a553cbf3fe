/* SPDX-License-Identifier: Apache-2.0 */
#include "operation.h"

#include <string.h>

static const ptx_operation operations[] = {
    {"add", ptx_add, ptx_add_float, 3, 3},
    {"sub", ptx_sub, ptx_sub_float, 3, 3},
    {"mul", ptx_mul, ptx_mul_float, 3, 3},
    {"mad", ptx_mad, ptx_fma_float, 4, 4},
    {"addc", ptx_addc, NULL, 3, 3},
    {"subc", ptx_subc, NULL, 3, 3},
    {"madc", ptx_madc, NULL, 4, 4},
    {"fma", NULL, ptx_fma_float, 4, 4},
    {"div", ptx_div, ptx_div_float, 3, 3},
    {"rem", ptx_rem, NULL, 3, 3},
    {"min", ptx_min, ptx_min_float, 3, 3},
    {"max", ptx_max, ptx_max_float, 3, 3},
    {"abs", ptx_abs, ptx_abs_float, 2, 2},
    {"neg", ptx_neg, ptx_neg_float, 2, 2},
    {"copysign", NULL, ptx_copysign, 3, 3},
    {"sqrt", NULL, ptx_sqrt, 2, 2},
    {"rcp", NULL, ptx_rcp, 2, 2},
    {"rsqrt", NULL, ptx_rsqrt, 2, 2},
    {"sin", NULL, ptx_sin, 2, 2},
    {"cos", NULL, ptx_cos, 2, 2},
    {"ex2", NULL, ptx_ex2, 2, 2},
    {"lg2", NULL, ptx_lg2, 2, 2},
    {"tanh", NULL, ptx_tanh, 2, 2},
    {"setp", ptx_setp, ptx_setp_float, 3, 5},
    {"testp", NULL, ptx_testp, 2, 2},
    {"selp", ptx_selp, ptx_selp, 4, 4},
    {"and", ptx_and, NULL, 3, 3},
    {"or", ptx_or, NULL, 3, 3},
    {"xor", ptx_xor, NULL, 3, 3},
    {"not", ptx_not, NULL, 2, 2},
    {"lop3", ptx_lop3, NULL, 5, 5},
    {"shl", ptx_shl, NULL, 3, 3},
    {"shr", ptx_shr, NULL, 3, 3},
    {"shf", ptx_shf, NULL, 4, 4},
    {"bfe", ptx_bfe, NULL, 4, 4},
    {"bfi", ptx_bfi, NULL, 5, 5},
    {"bfind", ptx_bfind, NULL, 2, 2},
    {"brev", ptx_brev, NULL, 2, 2},
    {"clz", ptx_clz, NULL, 2, 2},
    {"popc", ptx_popc, NULL, 2, 2},
    {"prmt", ptx_prmt, NULL, 4, 4},
    {"mov", ptx_mov, ptx_mov, 2, 5},
    {"cvt", ptx_cvt, ptx_cvt_float, 2, 2},
    {"cvta", ptx_cvta, NULL, 2, 2},
    {"ld", ptx_ld, ptx_ld, 2, 5},
    {"ldu", ptx_ld, ptx_ld, 2, 5},
    {"st", ptx_st, ptx_st, 2, 5},
    {"atom", ptx_atom, ptx_atom, 3, 4},
    {"red", ptx_red, ptx_red, 2, 2},
    {"bra", ptx_bra, NULL, 0, 0},
    {"call", ptx_call, NULL, 0, PTX_MOST_OPERANDS},
    {"ret", ptx_ret, NULL, 0, 0},
    {"exit", ptx_exit, NULL, 0, 0},
    {"trap", ptx_trap, NULL, 0, 0},
    {"membar", ptx_pause, NULL, 0, 0},
    {"fence", ptx_pause, NULL, 0, 0},
    {"nanosleep", ptx_pause, NULL, 1, 1},
    {"bar", ptx_bar, NULL, 1, 3},
    {"barrier", ptx_bar, NULL, 1, 3},
    {"activemask", ptx_activemask, NULL, 1, 1},
    {"vote", ptx_vote, NULL, 3, 3},
    {"shfl", ptx_shfl, NULL, 5, 6},
};

const ptx_operation *ptx_operation_named(const char *name)
{
    for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); ++i)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    return NULL;
}
