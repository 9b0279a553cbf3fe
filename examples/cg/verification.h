/* SPDX-License-Identifier: Apache-2.0 */
#ifndef CG_VERIFICATION_H
#define CG_VERIFICATION_H

#include "solution.h"

/* What was compared, each beside its limit; verification.c says why. Norms are relative to the norm of the residual at
 * the start. */
typedef struct verification {
    double residual;     /* |b - A x|, recomputed in plain C */
    double residual_gap; /* its distance from the residual that the device's recurrence ended with */
    double residual_allowed;
    double difference; /* |A (x - x of the reference)| */
    double difference_allowed;
    double x_difference; /* |x - x of the reference| relative to the latter: for information */
    bool iterations_agree;
    bool passed;
} verification;

/* Returns false if there is no memory. */
bool verify_solution(const linear_system *, const solver_options *, const solution *device, const solution *reference,
                     verification *);

#endif
