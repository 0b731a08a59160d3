#include "Vectors.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Returns the inner product of a row of nibbles and a vector. In each block of 64 values, the low halves of the bytes
// come first. Integer sums are exact, so all variants return the same result.
INLINE int32_t multiply_nibbles(const uint8_t *row, const int8_t *vector, size_t count) {
  int32_t sum = 0;
  for (size_t at = 0; at < count; at += 64, row += 32, vector += 64) {
    for (int i = 0; i < 32; i++) sum += (row[i] & 15) * vector[i] + (row[i] >> 4) * vector[32 + i];
  }
  return sum;
}

INLINE int32_t multiply_bytes(const int8_t *row, const int8_t *vector, size_t count) {
  int32_t sum = 0;
  for (size_t at = 0; at < count; at++) sum += row[at] * vector[at];
  return sum;
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) static int32_t sum_of_lanes(__m256i lanes) {
  int32_t values[8];
  _mm256_storeu_si256((__m256i *)values, lanes);
  int32_t sum = 0;
  for (int lane = 0; lane < 8; lane++) sum += values[lane];
  return sum;
}

__attribute__((target("avx2"))) static int32_t multiply_nibbles_avx2(const uint8_t *row, const int8_t *vector,
                                                                     size_t count) {
  const __m256i low = _mm256_set1_epi8(15), ones = _mm256_set1_epi16(1);
  __m256i sums = _mm256_setzero_si256();
  for (size_t at = 0; at < count; at += 64, row += 32, vector += 64) {
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)row);
    const __m256i first = _mm256_maddubs_epi16(_mm256_and_si256(bytes, low),
                                               _mm256_loadu_si256((const __m256i *)vector));
    const __m256i second = _mm256_maddubs_epi16(_mm256_and_si256(_mm256_srli_epi16(bytes, 4), low),
                                                _mm256_loadu_si256((const __m256i *)(vector + 32)));
    // Four products of at most 15 * 127 fit in 16 bits.
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_add_epi16(first, second), ones));
  }
  return sum_of_lanes(sums);
}

__attribute__((target("avx2"))) static int32_t multiply_bytes_avx2(const int8_t *row, const int8_t *vector,
                                                                   size_t count) {
  __m256i sums = _mm256_setzero_si256();
  size_t at = 0;
  for (; at + 16 <= count; at += 16) {
    const __m256i left = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(row + at)));
    const __m256i right = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(vector + at)));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(left, right));
  }
  return sum_of_lanes(sums) + multiply_bytes(row + at, vector + at, count - at);
}

#endif

void cvec_nibble_products(const uint8_t *rows, size_t number, const int8_t *vector, size_t count, int32_t *sums) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    for (size_t row = 0; row < number; row++) sums[row] = multiply_nibbles_avx2(rows + row * count / 2, vector, count);
    return;
  }
#endif
  for (size_t row = 0; row < number; row++) sums[row] = multiply_nibbles(rows + row * count / 2, vector, count);
}

void cvec_byte_products(const int8_t *rows, size_t number, const int8_t *vector, size_t count, int32_t *sums) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    for (size_t row = 0; row < number; row++) sums[row] = multiply_bytes_avx2(rows + row * count, vector, count);
    return;
  }
#endif
  for (size_t row = 0; row < number; row++) sums[row] = multiply_bytes(rows + row * count, vector, count);
}
