#include "CVectors.h"

#pragma STDC FP_CONTRACT OFF

// ThreadSanitizer cannot be asked before it has begun, as the choice of a variant would.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CVEC_PLAIN
#endif
#endif

#if defined(__x86_64__) && defined(__linux__) && !defined(CVEC_PLAIN)
#define VARIANTS __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define VARIANTS
#endif

#define INLINE static inline __attribute__((always_inline))

// Eight floats, wherever they lie.
typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef float quad __attribute__((vector_size(16), aligned(4), may_alias));
typedef int quad_mask __attribute__((vector_size(16), aligned(4)));
typedef unsigned four __attribute__((vector_size(16), aligned(4), may_alias));
typedef int four_signed __attribute__((vector_size(16)));
typedef double four_doubles __attribute__((vector_size(32)));
// All ones where a comparison of such is true.
typedef int mask __attribute__((vector_size(32), aligned(4)));

// exp(x) for x <= 0 as `FastMath.exponential`, operation by operation.
INLINE float power(float x) {
  const float clamped = x > -87 ? x : -87;
  const float rounder = 12582912;
  const float shifted = clamped * 1.442695f + rounder;
  const float n = shifted - rounder;
  const float r = (clamped - n * 0.693359375f) - n * -2.1219444e-4f;
  float p = 1.9875692e-4f;
  p = p * r + 1.3982e-3f;
  p = p * r + 8.333452e-3f;
  p = p * r + 4.1665796e-2f;
  p = p * r + 0.16666666f;
  p = p * r + 0.5f;
  const float result = p * (r * r) + r + 1;
  union {
    float number;
    unsigned bits;
  } scale = {shifted};
  scale.bits = (scale.bits - 0x4B400000u + 127) << 23;
  return result * scale.number;
}

// Makes scores their powers; tells the largest score and the sums of every eighth power.
INLINE void find_powers(float *scores, const float *constants, size_t count, float *largest, float *sums) {
  float lanes[8];
  for (int lane = 0; lane < 8; lane++) lanes[lane] = -__builtin_inff();
  for (size_t at = 0; at < count; at += 8) {
    for (int lane = 0; lane < 8; lane++) {
      const float score = scores[at + lane] + constants[at + lane];
      scores[at + lane] = score;
      lanes[lane] = lanes[lane] > score ? lanes[lane] : score;
    }
  }
  float top = lanes[0];
  for (int lane = 1; lane < 8; lane++) top = top > lanes[lane] ? top : lanes[lane];
  for (size_t at = 0; at < count; at++) scores[at] = power(scores[at] - top);
  for (int lane = 0; lane < 8; lane++) lanes[lane] = 0;
  for (size_t at = 0; at < count; at += 8) {
    for (int lane = 0; lane < 8; lane++) lanes[lane] += scores[at + lane];
  }
  *largest = top;
  for (int lane = 0; lane < 8; lane++) sums[lane] = lanes[lane];
}

VARIANTS
void cvec_powers(float *scores, const float *constants, size_t count, float *largest, float *sums) {
  find_powers(scores, constants, count, largest, sums);
}

VARIANTS
void cvec_shares(float *scores, const float *constants, size_t count, const float *weights, size_t patches,
                 float least, float *restrict occupancy) {
  for (size_t patch = 0; patch < patches; patch++, scores += count) {
    float top, lanes[8];
    find_powers(scores, constants, count, &top, lanes);
    float sum = lanes[0];
    for (int lane = 1; lane < 8; lane++) sum += lanes[lane];
    const float scale = 1 / sum;
    for (size_t at = 0; at < count; at++) {
      const float share = scores[at] * scale * weights[patch];
      scores[at] = share < least * occupancy[at] ? 0 : share;
      occupancy[at] += scores[at];
    }
  }
}

// Adds rows, each times its factor, to some columns of a row of sums: vectors of eight, then four more or none.
INLINE void add_rows(unsigned long long chosen, const float *factors, size_t step, const float *rows, size_t stride,
                     float *sums, const int vectors, const int more) {
  eight own[9];
  quad rest = {0};
  for (int at = 0; at < vectors; at++) own[at] = *(const eight *)(sums + 8 * at);
  if (more) rest = *(const quad *)(sums + 8 * vectors);
  for (; chosen; chosen &= chosen - 1) {
    const size_t row = (size_t)__builtin_ctzll(chosen);
    const float factor = factors[row * step], *values = rows + row * stride;
    for (int at = 0; at < vectors; at++) own[at] += *(const eight *)(values + 8 * at) * factor;
    if (more) rest += *(const quad *)(values + 8 * vectors) * factor;
  }
  for (int at = 0; at < vectors; at++) *(eight *)(sums + 8 * at) = own[at];
  if (more) *(quad *)(sums + 8 * vectors) = rest;
}

#define ADD_ROWS(vectors)                                                                          \
  case 2 * vectors: add_rows(chosen, factors, step, rows, stride, sums, vectors, 0); break;        \
  case 2 * vectors + 1: add_rows(chosen, factors, step, rows, stride, sums, vectors, 1); break;

// The same for all columns.
INLINE void add_chosen_rows(unsigned long long chosen, const float *factors, size_t step, const float *rows,
                            size_t stride, float *sums) {
  size_t left = stride;
  // As many sums as there are registers for, and never a few columns alone.
  for (; left >= 80; left -= 64, rows += 64, sums += 64)
    add_rows(chosen, factors, step, rows, stride, sums, 8, 0);
  switch (left / 4) {
    ADD_ROWS(0) ADD_ROWS(1) ADD_ROWS(2) ADD_ROWS(3) ADD_ROWS(4)
    ADD_ROWS(5) ADD_ROWS(6) ADD_ROWS(7) ADD_ROWS(8) ADD_ROWS(9)
  }
  for (size_t at = left & ~(size_t)3; at < left; at++) {
    for (unsigned long long some = chosen; some; some &= some - 1) {
      const size_t row = (size_t)__builtin_ctzll(some);
      sums[at] += rows[row * stride + at] * factors[row * step];
    }
  }
}

VARIANTS
void cvec_add_transposed_products(const float *shares, size_t count, const float *rows, size_t stride, size_t number,
                                  float *restrict sums) {
  for (size_t first = 0; first < number; first += 64, shares += 64 * count, rows += 64 * stride) {
    const size_t some = number - first < 64 ? number - first : 64;
    for (size_t column = 0; column < count; column += 8) {
      unsigned long long chosen[8] = {0};
      for (size_t row = 0; row < some; row++) {
        const float *own = shares + row * count + column;
        for (int lane = 0; lane < 8; lane++) chosen[lane] |= (unsigned long long)(own[lane] != 0) << row;
      }
      for (size_t lane = 0; lane < 8; lane++) {
        const size_t at = column + lane;
        if (chosen[lane]) add_chosen_rows(chosen[lane], shares + at, count, rows, stride, sums + at * stride);
      }
    }
  }
}

VARIANTS
void cvec_add_votes(const float *x, const float *y, size_t count, const float *forms, size_t bins,
                    float above, float below, float *restrict upper, float *restrict lower) {
  for (size_t bin = 0; bin < bins; bin++, forms += 4, upper += count, lower += count) {
    for (size_t at = 0; at < count; at++) {
      const float to_next = x[at] * forms[0] + y[at] * forms[1];
      const float from_last = x[at] * forms[2] + y[at] * forms[3];
      // Either the gradient or its opposite lies between the neighboring bins, or neither.
      const float least = to_next < from_last ? to_next : from_last;
      const float most = to_next < from_last ? from_last : to_next;
      const float vote = (least > 0 ? least : 0) - (most < 0 ? most : 0);
      upper[at] += above * vote;
      lower[at] += below * vote;
    }
  }
}

VARIANTS
void cvec_signed_votes(const float *x, const float *y, size_t count, const void *forms, size_t first, void *votes) {
  const eight *form = forms;
  eight *vote = (eight *)votes + first;
  for (size_t at = 0; at < count; at++) {
    const eight next = form[0] * x[at] + form[1] * y[at], last = form[2] * x[at] + form[3] * y[at];
    const mask is_less = next < last;
    const eight least = (eight)(((mask)next & is_less) | ((mask)last & ~is_less));
    vote[at] = (eight)((mask)least & (least > 0));
  }
}

VARIANTS
void cvec_pool(const void *cells, const size_t starts[7], size_t step, size_t first, size_t count,
               void *pooled) {
  const eight *cell = cells, *a = cell + starts[0], *b = cell + starts[1], *c = cell + starts[2];
  const eight *d = cell + starts[3], *e = cell + starts[4], *f = cell + starts[5], *g = cell + starts[6];
  eight *result = (eight *)pooled + first;
  for (size_t at = 0; at < count; at++) {
    const size_t own = at * step;
    const eight near = c[own] + e[own], middle = b[own] + f[own], far = a[own] + g[own];
    result[at] = d[own] + near * 0.75f + middle * 0.5f + far * 0.25f;
  }
}

// One lane after the other, as Swift does.
INLINE float sum_of(const eight *lanes) {
  float sum = (*lanes)[0];
  for (int lane = 1; lane < 8; lane++) sum += (*lanes)[lane];
  return sum;
}

VARIANTS
void cvec_patches(const void *cells, const size_t *starts, size_t count, size_t across, size_t down, float clip,
                  float epsilon, float *descriptors) {
  const eight limit = {clip, clip, clip, clip, clip, clip, clip, clip};
  for (size_t patch = 0; patch < count; patch++, descriptors += 128) {
    const eight *cell = (const eight *)cells + starts[patch];
    eight own[16], squares = {0}, sums = {0};
    for (size_t at = 0; at < 16; at++) {
      own[at] = cell[at / 4 * down + at % 4 * across];
      squares += own[at] * own[at];
    }
    const float scale = 1 / (__builtin_sqrtf(sum_of(&squares)) + epsilon);
    for (size_t at = 0; at < 16; at++) {
      const eight scaled = own[at] * scale;
      const mask is_less = scaled < limit;
      own[at] = (eight)(((mask)scaled & is_less) | ((mask)limit & ~is_less));
      sums += own[at];
    }
    const float share = 1 / (sum_of(&sums) + 1e-6f);
    for (size_t at = 0; at < 16; at++) *(eight *)(descriptors + 8 * at) = __builtin_elementwise_sqrt(own[at] * share);
  }
}

VARIANTS
void cvec_opponent_sums(const float *red, const float *green, const float *blue, size_t width, size_t first,
                        size_t count, void *sums, size_t at) {
  const quad weights = {1.0f / (3 * 255), 1 / (255 * 1.4142135f), 1 / (255 * 2.4494898f), 0};
  eight *result = (eight *)sums + at;
  for (size_t column = 0; column < count; column++) {
    eight sum = {0};
    for (size_t corner = 0; corner < 4; corner++) {
      const size_t pixel = first + corner / 2 * width + 2 * column + corner % 2;
      const float r = red[pixel], g = green[pixel], b = blue[pixel];
      const quad colors = (quad){(r + g) + b, r - g, (r + g) - 2 * b, 0} * weights;
      sum += __builtin_shufflevector(colors, colors * colors, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    result[column] = sum;
  }
}

VARIANTS
void cvec_color_cells(const void *sums, size_t above, size_t row, size_t count, void *cells) {
  const eight *upper = (const eight *)sums + above, *lower = (const eight *)sums + row;
  eight *cell = (eight *)cells + row;
  for (size_t at = 0; at < count; at++) {
    const size_t left = at > 0 ? at - 1 : 0;
    const eight moments = ((upper[left] + upper[at]) + (lower[left] + lower[at])) * 0.0625f;
    const quad means = __builtin_shufflevector(moments, moments, 0, 1, 2, 3);
    const quad spreads = __builtin_shufflevector(moments, moments, 4, 5, 6, 7) - means * means;
    const quad variances = (quad)((quad_mask)spreads & ~(spreads < 0));
    // The fourth lanes are 0.
    cell[at] = __builtin_shufflevector(means, __builtin_elementwise_sqrt(variances), 0, 1, 2, 4, 5, 6, 7, 7);
  }
}

VARIANTS
void cvec_add_bytes(const unsigned char *bytes, size_t first, size_t count, unsigned weight,
                    unsigned *restrict sums) {
  bytes += first;
  for (size_t at = 0; at < count; at++) sums[at] += weight * bytes[at];
}

VARIANTS
void cvec_gather_pixels(const unsigned *sums, const size_t *starts, const size_t *sources, const unsigned *weights,
                        size_t count, double scale, size_t first, unsigned char *pixels) {
  pixels += 3 * first;
  for (size_t at = 0; at < count; at++, pixels += 3) {
    four sum = {0};
    for (size_t tap = starts[at]; tap < starts[at + 1]; tap++) {
      sum += *(const four *)(sums + 3 * sources[tap]) * weights[tap];
    }
    const four_doubles share = __builtin_convertvector(sum, four_doubles) * scale + 0.500000001;
    const four_signed rounded = __builtin_convertvector(share, four_signed);
    for (int channel = 0; channel < 3; channel++) pixels[channel] = (unsigned char)rounded[channel];
  }
}

VARIANTS
void cvec_products(const float *rows, size_t stride, size_t first, size_t number, const float *vector, size_t count,
                   void *sums) {
  eight *result = sums;
  size_t row = 0;
  rows += first * stride;
  // Four at a time: one chain of sums would wait for itself.
  for (; row + 4 <= number; row += 4, rows += 4 * stride) {
    eight first = {0}, second = {0}, third = {0}, fourth = {0};
    for (size_t at = 0; at < count; at += 8) {
      const eight own = *(const eight *)(vector + at);
      first += *(const eight *)(rows + at) * own;
      second += *(const eight *)(rows + stride + at) * own;
      third += *(const eight *)(rows + 2 * stride + at) * own;
      fourth += *(const eight *)(rows + 3 * stride + at) * own;
    }
    result[row] = first, result[row + 1] = second, result[row + 2] = third, result[row + 3] = fourth;
  }
  for (; row < number; row++, rows += stride) {
    eight lanes = {0};
    for (size_t at = 0; at < count; at += 8) lanes += *(const eight *)(rows + at) * *(const eight *)(vector + at);
    result[row] = lanes;
  }
}
