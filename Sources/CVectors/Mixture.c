#include "Vectors.h"

// Returns exp(x) for x <= 0, and 0 below -69, using the same operations as `FastMath.exponential`.
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
  return x < -69 ? 0 : result * scale.number;
}

// Replaces scores with exponentials. Returns the maximum, and eight sums that each include every eighth exponential.
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

// Adds rows multiplied by factors to some columns of a row of sums, using vectors of eight and an optional vector of
// four.
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

// Adds rows multiplied by factors to all columns.
INLINE void add_chosen_rows(unsigned long long chosen, const float *factors, size_t step, const float *rows,
                            size_t stride, float *sums) {
  size_t left = stride;
  // This width uses all registers for sums and leaves no narrow remainder.
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
void cvec_augment(const float *restrict rows, size_t columns, size_t number, float *restrict both) {
  for (size_t row = 0; row < number; row++, rows += columns, both += 2 * columns) {
    for (size_t at = 0; at < columns; at++) both[at] = rows[at];
    for (size_t at = 0; at < columns; at++) both[columns + at] = rows[at] * rows[at];
  }
}

VARIANTS
float cvec_magnitudes(const float *values, size_t count) {
  float lanes[8] = {0}, sum = 0;
  const size_t whole = count & ~(size_t)7;
  for (size_t at = 0; at < whole; at += 8) {
    for (int lane = 0; lane < 8; lane++) lanes[lane] += __builtin_fabsf(values[at + lane]);
  }
  for (int lane = 0; lane < 8; lane++) sum += lanes[lane];
  for (size_t at = whole; at < count; at++) sum += __builtin_fabsf(values[at]);
  return sum;
}

VARIANTS
void cvec_signed_roots(float *values, size_t count, float scale) {
  for (size_t at = 0; at < count; at++) {
    const float root = __builtin_elementwise_sqrt(__builtin_fabsf(values[at]));
    values[at] = __builtin_copysignf(root, values[at]) * scale;
  }
}

VARIANTS
void cvec_products(const float *rows, size_t stride, size_t first, size_t number, const float *vector, size_t count,
                   void *sums) {
  eight *result = sums;
  size_t row = 0;
  rows += first * stride;
  // Four independent sums let the processor add in parallel.
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

// Products with packed matrices

enum { PANEL = CVEC_PANEL };

// A scalar of this type is broadcast while it is loaded.
typedef float sixteen __attribute__((ext_vector_type(16), aligned(4), may_alias));

INLINE void write_panel(float *result, const sixteen *sums, size_t columns) {
  if (columns >= PANEL) {
    *(sixteen *)result = *sums;
  } else {
    for (size_t at = 0; at < columns; at++) result[at] = (*sums)[at];
  }
}

// Multiplies rows by one or two panels, using as many sums as there are registers. If `fused`, results do not depend on
// the vector width, because each multiply-add is rounded once. All other loops are unrolled, which keeps the sums in
// registers.
INLINE void multiply_tile(const float *rows, size_t inner, const float *panels, size_t columns, size_t stride,
                          float *result, const int height, const int width, const int fused) {
  sixteen sums[12][2];
#pragma unroll
  for (int row = 0; row < height; row++) {
#pragma unroll
    for (int panel = 0; panel < width; panel++) sums[row][panel] = (sixteen)(0.0f);
  }
  for (size_t at = 0; at < inner; at++) {
    sixteen own[2];
#pragma unroll
    for (int panel = 0; panel < width; panel++)
      own[panel] = *(const sixteen *)(panels + (panel * inner + at) * PANEL);
#pragma unroll
    for (int row = 0; row < height; row++) {
      const sixteen factor = (sixteen)(rows[row * inner + at]);
#pragma unroll
      for (int panel = 0; panel < width; panel++)
        sums[row][panel] = fused ? __builtin_elementwise_fma(factor, own[panel], sums[row][panel])
                                 : factor * own[panel] + sums[row][panel];
    }
  }
#pragma unroll
  for (int row = 0; row < height; row++) {
    write_panel(result + row * stride, &sums[row][0], columns);
    if (width > 1) write_panel(result + row * stride + PANEL, &sums[row][1], columns - PANEL);
  }
}

// Multiplies all rows by one or two panels, in blocks of `height`, four, and one rows.
INLINE void multiply_panels(const float *rows, size_t number, size_t inner, const float *panels, size_t columns,
                            size_t stride, float *result, const int height, const int width, const int fused) {
  size_t row = 0;
  for (; row + height <= number; row += height)
    multiply_tile(rows + row * inner, inner, panels, columns, stride, result + row * stride, height, width, fused);
  for (; row + 4 <= number; row += 4)
    multiply_tile(rows + row * inner, inner, panels, columns, stride, result + row * stride, 4, width, fused);
  for (; row < number; row++)
    multiply_tile(rows + row * inner, inner, panels, columns, stride, result + row * stride, 1, width, fused);
}

INLINE void multiply_packed(const float *rows, size_t number, size_t inner, const float *panels, size_t columns,
                            float *result, const int height, const int width, const int fused) {
  // The number of rows that fit in the level 2 cache while all panels are processed; a multiple of all heights.
  enum { BLOCK = 264 };
  for (size_t first = 0; first < number; first += BLOCK) {
    const size_t some = number - first < BLOCK ? number - first : BLOCK;
    const float *own = rows + first * inner;
    float *target = result + first * columns;
    size_t column = 0;
    for (; width > 1 && column + PANEL < columns; column += 2 * PANEL)
      multiply_panels(own, some, inner, panels + column * inner, columns - column, columns, target + column, height,
                      2, fused);
    for (; column < columns; column += PANEL)
      multiply_panels(own, some, inner, panels + column * inner, columns - column, columns, target + column, height,
                      1, fused);
  }
}

#if defined(__x86_64__)

__attribute__((target("avx2,fma"))) static void multiply_avx2(const float *rows, size_t number, size_t inner,
                                                              const float *panels, size_t columns, float *result) {
  multiply_packed(rows, number, inner, panels, columns, result, 6, 1, 1);
}

// Without the second attribute, the compiler splits vectors into halves.
__attribute__((target("arch=x86-64-v4"), min_vector_width(512))) static void multiply_avx512(
    const float *rows, size_t number, size_t inner, const float *panels, size_t columns, float *result) {
  multiply_packed(rows, number, inner, panels, columns, result, 12, 2, 1);
}

int cvec_widest_product(void) {
  if (__builtin_cpu_supports("x86-64-v4")) return 2;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 1 : 0;
}

bool cvec_fuses(void) { return cvec_widest_product() > 0; }

void cvec_multiply_packed(int width, const float *rows, size_t number, size_t inner, const float *panels,
                          size_t columns, float *result) {
  switch (width) {
  case 2: multiply_avx512(rows, number, inner, panels, columns, result); break;
  case 1: multiply_avx2(rows, number, inner, panels, columns, result); break;
  default: multiply_packed(rows, number, inner, panels, columns, result, 3, 1, 0);
  }
}

#else

int cvec_widest_product(void) { return 0; }
bool cvec_fuses(void) { return true; }

void cvec_multiply_packed(int width, const float *rows, size_t number, size_t inner, const float *panels,
                          size_t columns, float *result) {
  (void)width;
  multiply_packed(rows, number, inner, panels, columns, result, 6, 1, 1);
}

#endif
