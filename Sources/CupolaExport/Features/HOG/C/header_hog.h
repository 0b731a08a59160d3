/* Memory for the features; private. */
struct cupola_features_workspace {
  float grey[CUPOLA_GREY_SIDE * CUPOLA_GREY_SIDE];
  float across[CUPOLA_GREY_SIDE];
  float down[CUPOLA_GREY_SIDE];
  float sums[2][CUPOLA_ORIENTATIONS * CUPOLA_GREY_SIDE];
  float cells[CUPOLA_CELLS * CUPOLA_CELLS * CUPOLA_ORIENTATIONS];
};

