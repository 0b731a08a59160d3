#include <math.h>
#include <stddef.h>
#include <string.h>

/* With -O2, the default in many projects, GCC vectorizes only the simplest loops, and the code is
   several times slower than with -O3. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#pragma GCC optimize("O3")
#endif

/* Tables consist of 64-bit words, which compilers read quickly. They are used without copying. Each
   word has its first value in the lowest bits. */
#define CUPOLA_I8 8
#define CUPOLA_F16 16
#define CUPOLA_F32 32

#define CUPOLA_TABLE(name, type, rows, columns)                                                   \
  enum { name##_type = CUPOLA_##type };                                                           \
  static const union {                                                                            \
    uint64_t words[((size_t)(rows) * (columns) * CUPOLA_##type + 63) / 64];                       \
    int8_t bytes[((size_t)(rows) * (columns) * CUPOLA_##type + 63) / 64 * 8];                     \
    uint16_t halves[((size_t)(rows) * (columns) * CUPOLA_##type + 63) / 64 * 4];                  \
    float floats[((size_t)(rows) * (columns) * CUPOLA_##type + 63) / 64 * 2];                     \
  } name

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) &&                                   \
    __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define CUPOLA_IN_WORD(last) last
#else
#define CUPOLA_IN_WORD(last) 0
#endif

/* Returns value `index` from a table of single-precision or half-precision numbers. */
#define CUPOLA_AT(name, index)                                                                    \
  (name##_type == CUPOLA_F32 ? name.floats[(index) ^ CUPOLA_IN_WORD(1)]                           \
                             : from_half(name.halves[(index) ^ CUPOLA_IN_WORD(3)]))

union bits {
  uint32_t integer;
  float number;
};

/* Converts half precision to float, exactly for every finite value: shifts the bits into position
   and corrects the exponent with a multiplication. */
static inline float from_half(uint16_t half) {
  union bits bits;
  bits.integer = (uint32_t)(half & 0x7fff) << 13;
  bits.number *= 0x1p112f;
  bits.integer |= (uint32_t)(half & 0x8000) << 16;
  return bits.number;
}

