/* Products of matrices. Compilers with GNU vectors compute a tile of the result in registers; for
   others a vector is a single number. */
#if defined(__GNUC__) && !defined(CUPOLA_PLAIN)
#if defined(__AVX512F__)
#define CUPOLA_LANES 16
#define CUPOLA_TILE_ROWS 8
#define CUPOLA_TILE_VECTORS 1
#elif defined(__AVX__)
#define CUPOLA_LANES 8
#define CUPOLA_TILE_ROWS 4
#define CUPOLA_TILE_VECTORS 2
#elif defined(__aarch64__)
#define CUPOLA_LANES 4
#define CUPOLA_TILE_ROWS 4
#define CUPOLA_TILE_VECTORS 4
#else
#define CUPOLA_LANES 4
#define CUPOLA_TILE_ROWS 4
#define CUPOLA_TILE_VECTORS 2
#endif
typedef float lanes __attribute__((vector_size(4 * CUPOLA_LANES)));
#define CUPOLA_UNROLL _Pragma("GCC unroll 16")
#else
#define CUPOLA_LANES 1
#define CUPOLA_TILE_ROWS 4
#define CUPOLA_TILE_VECTORS 4
typedef float lanes;
#define CUPOLA_UNROLL
#endif

#define CUPOLA_TILE_COLUMNS (CUPOLA_TILE_VECTORS * CUPOLA_LANES)

/* Steps from one value of a matrix to the next row and to the next column. */
struct steps {
  size_t row, column;
};

/* Adds to the tile at `c` the product of as many rows of `a` with as many columns of `b`. */
static inline void add_tile(
    const float *a, struct steps a_steps, const float *b, size_t b_row, float *c, size_t c_row,
    int depth) {
  lanes sums[CUPOLA_TILE_ROWS][CUPOLA_TILE_VECTORS];
  CUPOLA_UNROLL
  for (int row = 0; row < CUPOLA_TILE_ROWS; row++) {
    CUPOLA_UNROLL
    for (int part = 0; part < CUPOLA_TILE_VECTORS; part++) {
      memcpy(&sums[row][part], c + (size_t)row * c_row + part * CUPOLA_LANES, sizeof(lanes));
    }
  }
  for (int k = 0; k < depth; k++, a += a_steps.column, b += b_row) {
    lanes right[CUPOLA_TILE_VECTORS];
    CUPOLA_UNROLL
    for (int part = 0; part < CUPOLA_TILE_VECTORS; part++) {
      memcpy(&right[part], b + part * CUPOLA_LANES, sizeof(lanes));
    }
    CUPOLA_UNROLL
    for (int row = 0; row < CUPOLA_TILE_ROWS; row++) {
      const float left = a[(size_t)row * a_steps.row];
      CUPOLA_UNROLL
      for (int part = 0; part < CUPOLA_TILE_VECTORS; part++) sums[row][part] += left * right[part];
    }
  }
  CUPOLA_UNROLL
  for (int row = 0; row < CUPOLA_TILE_ROWS; row++) {
    CUPOLA_UNROLL
    for (int part = 0; part < CUPOLA_TILE_VECTORS; part++) {
      memcpy(c + (size_t)row * c_row + part * CUPOLA_LANES, &sums[row][part], sizeof(lanes));
    }
  }
}

/* c += a b, where `b` and `c` have rows of so many floats and the columns are filled up to a multiple
   of 16. `rows` is a multiple of 8. */
static void add_product(
    const float *a, struct steps a_steps, const float *b, size_t b_row, float *c, size_t c_row,
    int rows, int depth, int columns) {
  for (int column = 0; column < columns; column += CUPOLA_TILE_COLUMNS) {
    for (int row = 0; row < rows; row += CUPOLA_TILE_ROWS) {
      add_tile(
          a + (size_t)row * a_steps.row, a_steps, b + column, b_row,
          c + (size_t)row * c_row + column, c_row, depth);
    }
  }
}

