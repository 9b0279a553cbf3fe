/* SPDX-License-Identifier: Apache-2.0 */
/* The same with Kokkos, whose templates are compiled with the program. */
#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <utility>

#include "jacobi.h"

int main(int argc, char **argv)
{
    Kokkos::ScopeGuard guard(argc, argv);
    Kokkos::View<double *> now("now", SIDE * SIDE), next("next", SIDE * SIDE);
    const size_t side = SIDE;
    double distance = 0;
    Kokkos::parallel_for(
        "warm", side, KOKKOS_LAMBDA(size_t j) {
            now(j) = 1;
            next(j) = 1;
        });
    for (int k = 0; k < SWEEPS; ++k) {
        if (k > 0)
            std::swap(now, next);
        Kokkos::parallel_for(
            "sweep", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({1, 1}, {side - 1, side - 1}),
            KOKKOS_LAMBDA(size_t i, size_t j) {
                const size_t at = i * side + j;
                next(at) = 0.25 * (now(at - side) + now(at - 1) + now(at + 1) + now(at + side));
            });
    }
    Kokkos::parallel_reduce(
        "moved", side * side,
        KOKKOS_LAMBDA(size_t i, double &most) {
            const double moved = std::fabs(next(i) - now(i));
            if (moved > most)
                most = moved;
        },
        Kokkos::Max<double>(distance));
    std::printf("%.9f\n", distance);
    return 0;
}
