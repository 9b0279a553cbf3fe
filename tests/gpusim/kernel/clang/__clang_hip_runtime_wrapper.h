/* SPDX-License-Identifier: Apache-2.0 */
/* Stands in for clang's own: mathematics by the C names, which g++ has from <math.h>. */
#include <math.h>
