#include "Vectors.h"

#if defined(__x86_64__) && defined(__linux__)
#include <immintrin.h>
#endif

// Integer sums are exact, so all variants return the same results.

// Writes the inner products of a row of nibbles with two vectors. In each block of 64 values, the low halves of the
// bytes come first.
INLINE void multiply_nibbles(const unsigned char *row, const signed char *first, const signed char *second,
                             size_t count, int *sums) {
  int one = 0, two = 0;
  for (size_t at = 0; at < count; at += 64, row += 32, first += 64, second += 64) {
    for (int i = 0; i < 32; i++) {
      const int low = row[i] & 15, high = row[i] >> 4;
      one += low * first[i] + high * first[32 + i];
      two += low * second[i] + high * second[32 + i];
    }
  }
  sums[0] = one;
  sums[1] = two;
}

INLINE int multiply_bytes(const signed char *row, const short *vector, size_t count) {
  int sum = 0;
  for (size_t at = 0; at < count; at++) sum += row[at] * vector[at];
  return sum;
}

#if defined(__x86_64__) && defined(__linux__)

#define AVX2 __attribute__((target("avx2")))

AVX2 static int sum_of_lanes(__m256i lanes) {
  int values[8];
  _mm256_storeu_si256((__m256i *)values, lanes);
  int sum = 0;
  for (int lane = 0; lane < 8; lane++) sum += values[lane];
  return sum;
}

// Four products of at most 15 * 128 fit in 16 bits.
AVX2 static __m256i multiply_block(__m256i low, __m256i high, const signed char *vector) {
  const __m256i first = _mm256_maddubs_epi16(low, _mm256_loadu_si256((const __m256i *)vector));
  const __m256i second = _mm256_maddubs_epi16(high, _mm256_loadu_si256((const __m256i *)(vector + 32)));
  return _mm256_madd_epi16(_mm256_add_epi16(first, second), _mm256_set1_epi16(1));
}

AVX2 static void multiply_nibbles_avx2(const unsigned char *row, const signed char *first, const signed char *second,
                                       size_t count, int *sums) {
  const __m256i mask = _mm256_set1_epi8(15);
  __m256i one = _mm256_setzero_si256(), two = one;
  for (size_t at = 0; at < count; at += 64, row += 32) {
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)row);
    const __m256i low = _mm256_and_si256(bytes, mask);
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), mask);
    one = _mm256_add_epi32(one, multiply_block(low, high, first + at));
    two = _mm256_add_epi32(two, multiply_block(low, high, second + at));
  }
  sums[0] = sum_of_lanes(one);
  sums[1] = sum_of_lanes(two);
}

AVX2 static int multiply_bytes_avx2(const signed char *row, const short *vector, size_t count) {
  __m256i sums = _mm256_setzero_si256();
  size_t at = 0;
  for (; at + 16 <= count; at += 16) {
    const __m256i left = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(row + at)));
    const __m256i right = _mm256_loadu_si256((const __m256i *)(vector + at));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(left, right));
  }
  return sum_of_lanes(sums) + multiply_bytes(row + at, vector + at, count - at);
}

#endif

void cvec_nibble_products(const unsigned char *rows, size_t number, const signed char *first,
                          const signed char *second, size_t count, int *sums) {
#if defined(__x86_64__) && defined(__linux__)
  if (__builtin_cpu_supports("avx2")) {
    for (size_t row = 0; row < number; row++)
      multiply_nibbles_avx2(rows + row * count / 2, first, second, count, sums + 2 * row);
    return;
  }
#endif
  for (size_t row = 0; row < number; row++)
    multiply_nibbles(rows + row * count / 2, first, second, count, sums + 2 * row);
}

void cvec_byte_products(const signed char *rows, size_t number, const short *vector, size_t count, int *sums) {
#if defined(__x86_64__) && defined(__linux__)
  if (__builtin_cpu_supports("avx2")) {
    for (size_t row = 0; row < number; row++) sums[row] = multiply_bytes_avx2(rows + row * count, vector, count);
    return;
  }
#endif
  for (size_t row = 0; row < number; row++) sums[row] = multiply_bytes(rows + row * count, vector, count);
}
