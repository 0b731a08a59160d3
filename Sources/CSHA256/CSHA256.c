#include "CSHA256.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

// FIPS 180-4, section 4.2.2.
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static int has_instructions(void) {
  // 0 if unknown. Concurrent initialization is harmless.
  static int known;
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == 0) {
    unsigned a, b, c, d;
    const int has_shuffles = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSSE3) && (c & bit_SSE4_1);
    const int has_sha = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & 1u << 29);
    answer = has_shuffles && has_sha ? 1 : -1;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer > 0;
}

__attribute__((target("sha,ssse3,sse4.1"))) static void add(uint32_t *words, const uint8_t *blocks, size_t count) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  // The instructions require the state words in this order.
  __m128i abef = _mm_set_epi32((int)words[0], (int)words[1], (int)words[4], (int)words[5]);
  __m128i cdgh = _mm_set_epi32((int)words[2], (int)words[3], (int)words[6], (int)words[7]);
  for (; count > 0; count--, blocks += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    // Each vector contains four of the last sixteen words of the message schedule.
    __m128i w[4];
    for (int turn = 0; turn < 16; turn++) {
      __m128i next;
      if (turn < 4) {
        next = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)blocks + turn), big_endian);
      } else {
        const __m128i last = w[(turn + 3) % 4];
        const __m128i sevenths = _mm_alignr_epi8(last, w[(turn + 2) % 4], 4);
        next = _mm_sha256msg2_epu32(
            _mm_add_epi32(_mm_sha256msg1_epu32(w[turn % 4], w[(turn + 1) % 4]), sevenths), last);
      }
      w[turn % 4] = next;
      const __m128i sum = _mm_add_epi32(next, _mm_loadu_si128((const __m128i *)constants + turn));
      // Each instruction computes two rounds. Then ABEF becomes CDGH.
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  uint32_t letters[8];
  _mm_storeu_si128((__m128i *)letters, abef);
  _mm_storeu_si128((__m128i *)letters + 1, cdgh);
  words[0] = letters[3], words[1] = letters[2], words[4] = letters[1], words[5] = letters[0];
  words[2] = letters[7], words[3] = letters[6], words[6] = letters[5], words[7] = letters[4];
}

int csha256_add(uint32_t *words, const uint8_t *blocks, size_t count) {
  if (!has_instructions()) return 0;
  add(words, blocks, count);
  return 1;
}
#else
int csha256_add(uint32_t *words, const uint8_t *blocks, size_t count) {
  (void)words, (void)blocks, (void)count;
  return 0;
}
#endif
