/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions that are executed, by their names. */
#ifndef PTX_OPERATION_H
#define PTX_OPERATION_H

#include "program.h"

typedef void ptx_run(ptx_thread *, const ptx_instruction *);

typedef struct ptx_operation {
    const char *name;
    ptx_run *run;        /* on integers, bits and predicates; NULL: there is none */
    ptx_run *run_float;  /* if the type, or the source's, is a float */
    uint8_t least, most; /* operands */
} ptx_operation;

/* NULL if the name is unknown. */
const ptx_operation *ptx_operation_named(const char *name);

/* integer.c */
ptx_run ptx_add, ptx_addc, ptx_sub, ptx_subc, ptx_mul, ptx_mad, ptx_madc, ptx_div, ptx_rem, ptx_min, ptx_max, ptx_abs,
    ptx_neg, ptx_setp, ptx_selp;
/* bit.c */
ptx_run ptx_and, ptx_or, ptx_xor, ptx_not, ptx_lop3, ptx_shl, ptx_shr, ptx_shf, ptx_bfe, ptx_bfi, ptx_bfind, ptx_brev,
    ptx_clz, ptx_popc, ptx_prmt;
/* floating.c */
ptx_run ptx_add_float, ptx_sub_float, ptx_mul_float, ptx_fma_float, ptx_div_float, ptx_min_float, ptx_max_float,
    ptx_abs_float, ptx_neg_float, ptx_copysign, ptx_sqrt, ptx_setp_float, ptx_testp;
/* approximation.c; what div.approx, div.full and sqrt.approx do is there too */
ptx_run ptx_divide_roughly, ptx_sqrt_roughly, ptx_rcp, ptx_rsqrt, ptx_sin, ptx_cos, ptx_ex2, ptx_lg2, ptx_tanh;
/* conversion.c */
ptx_run ptx_cvt, ptx_cvt_float, ptx_mov, ptx_cvta;
/* memory.c */
ptx_run ptx_ld, ptx_st, ptx_atom, ptx_red;
/* control.c */
ptx_run ptx_bra, ptx_call, ptx_ret, ptx_exit, ptx_trap, ptx_pause, ptx_bar, ptx_activemask, ptx_vote, ptx_shfl;

#endif
