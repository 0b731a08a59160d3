#include "Vectors.h"

enum { PANEL = CVEC_PANEL };

// Vectors of this kind are made of one number, which a processor does while it loads it.
typedef float sixteen __attribute__((ext_vector_type(16), aligned(4), may_alias));

INLINE void write_panel(float *result, const sixteen *sums, size_t columns) {
  if (columns >= PANEL) {
    *(sixteen *)result = *sums;
  } else {
    for (size_t at = 0; at < columns; at++) result[at] = (*sums)[at];
  }
}

// Some rows by one or two panels: as many sums as there are registers for. Where `fused`, a product and its addition are
// rounded once: then every number is the same whatever the vectors' width. All loops but that over what is summed are
// unrolled, or the sums would be in memory.
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

// All rows by one or two panels, most of them `height` at a time, then four, then one.
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
  // So many rows stay in the second cache while all panels pass; a multiple of all heights.
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

// Without the second attribute vectors are split in halves.
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
