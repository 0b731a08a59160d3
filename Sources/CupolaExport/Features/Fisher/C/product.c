/* Matrix products. With GNU vector extensions, a tile of the result is kept in registers. With
   other compilers, a vector is a single number. */
#if defined(__GNUC__) && !defined(CUPOLA_PLAIN)
#if defined(__AVX512F__)
#define CUPOLA_LANES 16
#define CUPOLA_TILE_ROWS 8
#define CUPOLA_TILE_VECTORS 1
#elif defined(__x86_64__)
#define CUPOLA_LANES 8
#define CUPOLA_TILE_VECTORS 2
#elif defined(__aarch64__)
#define CUPOLA_LANES 4
#define CUPOLA_TILE_VECTORS 4
#else
#define CUPOLA_LANES 4
#define CUPOLA_TILE_VECTORS 2
#endif
#define CUPOLA_UNROLL _Pragma("GCC unroll 8")
#define CUPOLA_INLINE static inline __attribute__((always_inline))
typedef float lanes __attribute__((vector_size(4 * CUPOLA_LANES)));
#else
#define CUPOLA_LANES 1
#define CUPOLA_TILE_VECTORS 4
#define CUPOLA_UNROLL
#define CUPOLA_INLINE static inline
typedef float lanes;
#endif

#if !defined(CUPOLA_TILE_ROWS)
#define CUPOLA_TILE_ROWS 4
#endif

/* The distances to a matrix's next row and next column. */
struct steps {
  size_t row, column;
};

/* Adds the product of some rows of `a` and some columns of `b` to a tile of `c`, which is `vectors`
   vectors wide. */
CUPOLA_INLINE void add_tile(
    const float *a, struct steps a_steps, const float *b, size_t b_row, float *c, size_t c_row,
    int depth, const int vectors) {
  lanes sums[CUPOLA_TILE_ROWS][CUPOLA_TILE_VECTORS], right[CUPOLA_TILE_VECTORS];
  CUPOLA_UNROLL
  for (int row = 0; row < CUPOLA_TILE_ROWS; row++) {
    CUPOLA_UNROLL
    for (int part = 0; part < vectors; part++) {
      memcpy(&sums[row][part], c + (size_t)row * c_row + part * CUPOLA_LANES, sizeof(lanes));
    }
  }
  for (int k = 0; k < depth; k++, a += a_steps.column, b += b_row) {
    CUPOLA_UNROLL
    for (int part = 0; part < vectors; part++) {
      memcpy(&right[part], b + part * CUPOLA_LANES, sizeof(lanes));
    }
    CUPOLA_UNROLL
    for (int row = 0; row < CUPOLA_TILE_ROWS; row++) {
      const float left = a[(size_t)row * a_steps.row];
      CUPOLA_UNROLL
      for (int part = 0; part < vectors; part++) sums[row][part] += left * right[part];
    }
  }
  CUPOLA_UNROLL
  for (int row = 0; row < CUPOLA_TILE_ROWS; row++) {
    CUPOLA_UNROLL
    for (int part = 0; part < vectors; part++) {
      memcpy(c + (size_t)row * c_row + part * CUPOLA_LANES, &sums[row][part], sizeof(lanes));
    }
  }
}

CUPOLA_INLINE void add_tiles(
    const float *a, struct steps a_steps, const float *b, size_t b_row, float *c, size_t c_row,
    int rows, int depth, int columns, const int vectors) {
  for (int column = 0; column < columns; column += vectors * CUPOLA_LANES) {
    for (int row = 0; row < rows; row += CUPOLA_TILE_ROWS) {
      add_tile(
          a + (size_t)row * a_steps.row, a_steps, b + column, b_row,
          c + (size_t)row * c_row + column, c_row, depth, vectors);
    }
  }
}

#if defined(__GNUC__) && defined(__x86_64__) && !defined(__AVX__) && !defined(CUPOLA_PLAIN)
#define CUPOLA_ASKS_PROCESSOR

__attribute__((target("avx2,fma"))) static void add_product_wide(
    const float *a, struct steps a_steps, const float *b, size_t b_row, float *c, size_t c_row,
    int rows, int depth, int columns) {
  add_tiles(a, a_steps, b, b_row, c, c_row, rows, depth, columns, CUPOLA_TILE_VECTORS);
}
#endif

/* c += a b. Rows of `b` and `c` have the given lengths. `rows` is a multiple of 8 and `columns`
   a multiple of 16. */
static void add_product(
    const float *a, struct steps a_steps, const float *b, size_t b_row, float *c, size_t c_row,
    int rows, int depth, int columns) {
#if defined(CUPOLA_ASKS_PROCESSOR)
  /* The code is compiled for any x86-64 processor, but nearly all of them have 8-float vectors. */
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    add_product_wide(a, a_steps, b, b_row, c, c_row, rows, depth, columns);
    return;
  }
  /* Each vector takes two of the 16 registers. */
  add_tiles(a, a_steps, b, b_row, c, c_row, rows, depth, columns, 1);
#else
  add_tiles(a, a_steps, b, b_row, c, c_row, rows, depth, columns, CUPOLA_TILE_VECTORS);
#endif
}

