/* SPDX-License-Identifier: Apache-2.0 */
/* Normal, exponential and integer-range numbers: near what the C library says of the same words, distributed as their
 * names say, and with the bits that every backend must give. */
#include "../kernels/distribution.h"
#include "trial.h"

#include <math.h>

__extension__ typedef unsigned __int128 wide;

enum { OUTPUTS = 6 };
typedef struct sample {
    size_t n;
    uint32_t *word;
    void *output[OUTPUTS]; /* normal, exponential, the same as doubles, below, below_64 */
    size_t bytes[OUTPUTS];
} sample;

/* splitmix64 */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* Random words, of which some are near 0 or near the largest. */
static sample draw(trial *t, uint64_t seed, bool edges, uint64_t range)
{
    sample s = {.n = t->n, .word = host_memory(4 * t->n * sizeof(uint32_t))};
    for (size_t i = 0; i < 4 * s.n; ++i) {
        const uint64_t random = next(&seed);
        s.word[i] = (uint32_t)random;
        if (edges && random >> 62 == 0)
            s.word[i] >>= random >> 32 & 31;
        if (edges && random >> 62 == 1)
            s.word[i] = UINT32_MAX - (s.word[i] >> (random >> 32 & 31));
        if (edges && random >> 59 == 16)
            s.word[i] = random >> 32 & 1 ? UINT32_MAX : 0;
    }
    const size_t each[OUTPUTS] = {16, 16, 16, 16, 8, 8};
    void *memory[OUTPUTS];
    for (size_t k = 0; k < OUTPUTS; ++k) {
        s.bytes[k] = s.n * each[k];
        s.output[k] = host_memory(s.bytes[k]);
        memory[k] = trial_memory(t, NULL, s.bytes[k]);
    }
    const distribution_args args = {.n = s.n,
                                    .range = range,
                                    .word = trial_memory(t, s.word, 4 * s.n * sizeof(uint32_t)),
                                    .normal = memory[0],
                                    .exponential = memory[1],
                                    .normal_double = memory[2],
                                    .exponential_double = memory[3],
                                    .below = memory[4],
                                    .below_64 = memory[5]};
    trial_launch(t, &args, sizeof args);
    for (size_t k = 0; k < OUTPUTS; ++k)
        trial_read(t, memory[k], s.output[k], s.bytes[k]);
    return s;
}

static void drop(sample *s)
{
    free(s->word);
    for (size_t k = 0; k < OUTPUTS; ++k)
        free(s->output[k]);
}

static uint64_t pair(const uint32_t *word)
{
    return (uint64_t)word[0] << 32 | word[1];
}

/* -ln((x + 1/2) / 2^bits), without loss near either end. */
static double minus_log(uint64_t x, int bits)
{
    const uint64_t most = UINT64_MAX >> (64 - bits);
    return x > most / 2 ? -log1p(-ldexp((double)(most - x) + 0.5, -bits)) : -log(ldexp((double)x + 0.5, -bits));
}

/* The k-th of the two normal numbers of a radius and an angle. */
static double box_muller(uint64_t radius, uint64_t angle, int bits, int k)
{
    const double right_angle = 1.57079632679489661923;
    const double t = ldexp((double)(angle & UINT64_MAX >> (66 - bits)) + 0.5, 2 - bits) * right_angle;
    const double value = sqrt(2 * minus_log(radius, bits)) * (k == 0 ? sin(t) : cos(t));
    return angle >> (bits - 1 - k) & 1 ? -value : value;
}

/* How far a normal number may be from the C library's: the logarithm is exact to a few units of its last place, and a
 * small radius sees the square root of that. */
static double radius_error(uint64_t radius, int bits)
{
    const double square = 2 * minus_log(radius, bits), error = bits == 32 ? 24 * 0x1p-32 : 64 * 0x1p-57;
    return sqrt(square + error) - sqrt(square) + (bits == 32 ? 1e-6 : 2e-15);
}

static void near(const trial *t, const char *what, size_t i, double found, double expected, double most)
{
    trial_assert(t, fabs(found - expected) <= most, "%s %zu is %.17g, not %.17g", what, i, found, expected);
}

static void check_values(trial *t)
{
    /* The trial's size picks the range. */
    const uint64_t ranges[] = {1, 2, 3, 10, 0xfffffffe, 0xffffffff, 0x100000000, 0x123456789abcdef, UINT64_MAX, 0};
    const size_t count = sizeof ranges / sizeof ranges[0];
    const uint64_t range = ranges[t->n % count];
    sample s = draw(t, t->n, true, range);
    const float *normal = s.output[0], *exponential = s.output[1];
    const double *normal_double = s.output[2], *exponential_double = s.output[3];
    const uint32_t *below = s.output[4];
    const uint64_t *below_64 = s.output[5];
    for (size_t i = 0; i < s.n; ++i) {
        const uint32_t *w = s.word + 4 * i;
        for (size_t k = 0; k < 4; ++k) {
            near(t, "float", 4 * i + k, (double)normal[4 * i + k],
                 box_muller(w[k / 2 * 2], w[k / 2 * 2 + 1], 32, k % 2), radius_error(w[k / 2 * 2], 32));
            near(t, "float", 4 * i + k, (double)exponential[4 * i + k], minus_log(w[k], 32), 2e-6);
            trial_assert(t, exponential[4 * i + k] >= 0, "exponential %zu is negative", i);
        }
        for (size_t k = 0; k < 2; ++k) {
            const uint32_t n = (uint32_t)range;
            near(t, "double", 2 * i + k, normal_double[2 * i + k], box_muller(pair(w), pair(w + 2), 64, (int)k),
                 radius_error(pair(w), 64));
            near(t, "double", 2 * i + k, exponential_double[2 * i + k], minus_log(pair(w + 2 * k), 64), 2e-14);
            trial_assert(t, exponential_double[2 * i + k] >= 0, "exponential %zu is negative", i);
            trial_words_equal(t, i, below[2 * i + k], n == 0 ? w[2 * k] : (uint32_t)((wide)pair(w + 2 * k) * n >> 64));
        }
        const wide upper = (wide)pair(w) * range, lower = (wide)pair(w + 2) * range >> 64;
        trial_words_equal(t, i, below_64[i], range == 0 ? pair(w) : (uint64_t)((upper + lower) >> 64));
    }
    drop(&s);
}

START_TEST(k13_numbers_of_each_distribution_agree_with_the_c_library)
{
    try_kernel("distribution", TRIAL_SIZES(0, 1, 7, 22, 33, 44, 55, 66, 88, 99), trial_any_shape, check_values);
}
END_TEST

/* FNV-1a over words of 32 bits: the same on hosts of either byte order. */
static uint64_t hash(uint64_t h, const void *data, size_t bytes, size_t size)
{
    for (size_t at = 0; at < bytes; at += size) {
        uint64_t word = 0;
        uint32_t half = 0;
        if (size == 4)
            memcpy(&half, (const char *)data + at, size);
        else
            memcpy(&word, (const char *)data + at, size);
        word |= half;
        h = (h ^ (word & UINT32_MAX)) * 0x100000001b3u;
        h = (h ^ word >> 32) * 0x100000001b3u;
    }
    return h;
}

/* Trials of an odd size have words near the edges. */
static void check_bits(trial *t)
{
    static const uint64_t known[2][OUTPUTS] = {{0xf51d45e20fe0c5cb, 0xcc309e44481f20d, 0x142429324c26a0a8,
                                                0x9151c23895f6a532, 0x1e101e20b7740bda, 0x38f78af98b34bf06},
                                               {0xe1670ee759ab7640, 0x572c91e52cb4315, 0xd7f392c0ce042945,
                                                0xa4f0fcb5d2cec3d1, 0xcd9182cad98bdbeb, 0x9cd7f3b95e522640}};
    const size_t size[OUTPUTS] = {4, 4, 8, 8, 4, 8}, run = t->n % 2;
    sample s = draw(t, 20261122, run == 1, 1000003);
    for (size_t k = 0; k < OUTPUTS; ++k) {
        const uint64_t found = hash(0xcbf29ce484222325u, s.output[k], s.bytes[k], size[k]);
        trial_assert(t, found == known[run][k], "output %zu has other bits: hash 0x%llx", k, (unsigned long long)found);
    }
    drop(&s);
}

START_TEST(k13_numbers_of_each_distribution_have_the_same_bits_on_every_backend)
{
    try_kernel("distribution", TRIAL_SIZES(400, 401), trial_line_shapes, check_bits);
}
END_TEST

/* --------------------------------------------------------------------------------------- distribution -- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double normal_cdf(double x)
{
    return 0.5 * erfc(-x / sqrt(2.0));
}
static double exponential_cdf(double x)
{
    return -expm1(-x);
}

/* Mean, variance, skewness and kurtosis lie within five standard errors, and so small a Kolmogorov-Smirnov distance have
 * 99.9 % of samples. */
static void distributed(const trial *t, const char *what, double *x, size_t n, double (*cdf)(double),
                        const double about[4], const double error[4])
{
    double mean = 0, moment[3] = {0, 0, 0}, distance = 0;
    const double count = (double)n;
    for (size_t i = 0; i < n; ++i)
        mean += x[i] / count;
    for (size_t i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k)
            moment[k] += pow(x[i] - mean, k + 2) / count;
    const double found[4] = {mean, moment[0], moment[1] / pow(moment[0], 1.5), moment[2] / (moment[0] * moment[0])};
    for (int k = 0; k < 4; ++k)
        trial_assert(t, fabs(found[k] - about[k]) < 5 * error[k] / sqrt(count), "%s: moment %d is %.6g, not %.6g", what,
                     k + 1, found[k], about[k]);
    qsort(x, n, sizeof *x, ascending);
    for (size_t i = 0; i < n; ++i)
        distance = fmax(distance, fabs(cdf(x[i]) - ((double)i + 0.5) / count) + 0.5 / count);
    trial_assert(t, distance * sqrt(count) < 1.95, "%s: Kolmogorov-Smirnov distance %.6g", what, distance);
}

/* Pearson's chi-square of `range` cells. */
static double chi_square(const uint64_t *count, size_t range, size_t n)
{
    const double expected = (double)n / (double)range;
    double sum = 0;
    for (size_t i = 0; i < range; ++i)
        sum += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
    return sum;
}

static void check_distribution(trial *t)
{
    enum { RANGE = 101 };
    static const double normal[4] = {0, 1, 0, 3}, normal_error[4] = {1, 1.4142, 2.4495, 4.899};
    static const double exponential[4] = {1, 1, 2, 9}, exponential_error[4] = {1, 2.8284, 13, 180};
    sample s = draw(t, 7, false, RANGE);
    double *x = host_memory(4 * s.n * sizeof *x);
    uint64_t cells[RANGE] = {0}, cells_64[RANGE] = {0};
    for (size_t i = 0; i < 4 * s.n; ++i)
        x[i] = (double)((const float *)s.output[0])[i];
    distributed(t, "normal floats", x, 4 * s.n, normal_cdf, normal, normal_error);
    for (size_t i = 0; i < 4 * s.n; ++i)
        x[i] = (double)((const float *)s.output[1])[i];
    distributed(t, "exponential floats", x, 4 * s.n, exponential_cdf, exponential, exponential_error);
    distributed(t, "normal doubles", s.output[2], 2 * s.n, normal_cdf, normal, normal_error);
    distributed(t, "exponential doubles", s.output[3], 2 * s.n, exponential_cdf, exponential, exponential_error);
    for (size_t i = 0; i < 2 * s.n; ++i)
        cells[((const uint32_t *)s.output[4])[i]]++;
    for (size_t i = 0; i < s.n; ++i)
        cells_64[((const uint64_t *)s.output[5])[i]]++;
    /* 100 degrees of freedom: 0.1 % lie below 61.9, 0.1 % above 149.4. */
    const double square = chi_square(cells, RANGE, 2 * s.n), square_64 = chi_square(cells_64, RANGE, s.n);
    trial_assert(t, square > 61.9 && square < 149.4, "range of 32 bits: chi-square %.4g", square);
    trial_assert(t, square_64 > 61.9 && square_64 < 149.4, "range of 64 bits: chi-square %.4g", square_64);
    free(x);
    drop(&s);
}

START_TEST(k13_numbers_are_distributed_as_their_names_say)
{
    static const trial_shape one = {.dims = 1, .blocks = {4}, .threads = {1}, .elems = {1}};
    try_kernel("distribution", TRIAL_SIZES(6000), (trial_shapes){1, &one}, check_distribution);
}
END_TEST

void distribution_tests(Suite *suite)
{
    add(suite, k13_numbers_of_each_distribution_agree_with_the_c_library);
    add(suite, k13_numbers_of_each_distribution_have_the_same_bits_on_every_backend);
    add(suite, k13_numbers_are_distributed_as_their_names_say);
}
