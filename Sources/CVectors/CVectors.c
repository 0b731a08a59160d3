#include "CVectors.h"

#pragma STDC FP_CONTRACT OFF

// ThreadSanitizer cannot be asked before it has begun, as the choice of a variant would.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CVEC_PLAIN
#endif
#endif

#if defined(__x86_64__) && defined(__linux__) && !defined(CVEC_PLAIN)
#define VARIANTS __attribute__((target_clones("default", "avx2")))
#else
#define VARIANTS
#endif

// exp(x) for x <= 0 as `FastMath.exponential`, operation by operation.
static inline __attribute__((always_inline)) float power(float x) {
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

VARIANTS
void cvec_powers(float *scores, const float *constants, size_t count, float *largest, float *sums) {
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
