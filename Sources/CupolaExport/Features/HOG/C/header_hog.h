/* Private memory for the features. */
struct cupola_features_workspace {
  float gray[CUPOLA_GRAY_SIDE * CUPOLA_GRAY_SIDE];
  float across[CUPOLA_GRAY_SIDE];
  float down[CUPOLA_GRAY_SIDE];
  float sums[2][CUPOLA_ORIENTATIONS * CUPOLA_GRAY_SIDE];
  float cells[CUPOLA_CELLS * CUPOLA_CELLS * CUPOLA_ORIENTATIONS];
};

