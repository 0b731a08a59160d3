/* Private memory for the features. Matrix rows are an odd number of 64-byte cache lines apart, so
   that a column of many rows fits in the cache. */
#define CUPOLA_STRIDE(columns) (((((columns) + 15) / 16) | 1) * 16)

/* The number of patches per batch. */
#define CUPOLA_BATCH 48

#define CUPOLA_ENCODER_WORKSPACE(inputs, kept)                                                    \
  float projection[(inputs) * CUPOLA_STRIDE(kept)];                                               \
  float factors[2 * ((kept) + 2) * CUPOLA_STRIDE(CUPOLA_COMPONENTS)];                             \
  float constants[CUPOLA_COMPONENTS];                                                             \
  float patches[CUPOLA_BATCH * (inputs)];                                                         \
  float projected[CUPOLA_BATCH * CUPOLA_STRIDE(kept)];                                            \
  float augmented[CUPOLA_BATCH * CUPOLA_STRIDE(2 * ((kept) + 2))];                                \
  float sums[CUPOLA_COMPONENTS * CUPOLA_STRIDE(2 * ((kept) + 2))];                                \
  float occupancy[CUPOLA_COMPONENTS]

struct cupola_features_workspace {
  float planes[3][CUPOLA_SIDE * CUPOLA_SIDE];
  float row[3 * CUPOLA_SIDE];
  float gradients[2][CUPOLA_SIDE];
  float votes[2][8][CUPOLA_SIDE / 2 + 8];
  float ring[8][8][CUPOLA_SIDE / 2 + 1];
  float pooled[8][CUPOLA_SIDE / 2 + 1];
  float colors[2][6][CUPOLA_SIDE / 2];
  float hog_cells[8 * CUPOLA_HOG_CELLS];
  float color_cells[6 * CUPOLA_COLOR_CELLS];
  float weights[CUPOLA_PATCHES];
  float shares[CUPOLA_BATCH * CUPOLA_STRIDE(CUPOLA_COMPONENTS)];
  float batch_places[CUPOLA_BATCH][2];
  float batch_weights[CUPOLA_BATCH];
  struct {
    CUPOLA_ENCODER_WORKSPACE(128, CUPOLA_HOG_DIMENSIONS);
  } hog;
  struct {
    CUPOLA_ENCODER_WORKSPACE(96, CUPOLA_COLOR_DIMENSIONS);
  } color;
};

