/* Three planes of floats, in gray levels, at the size of a scale. Smaller sizes are computed by
   area averaging without rounding. */
static void read_planes(const uint8_t *square, int side, struct cupola_features_workspace *part) {
  if (side == CUPOLA_SIDE) {
    for (int i = 0; i < CUPOLA_SIDE * CUPOLA_SIDE; i++) {
      part->planes[0][i] = square[3 * i];
      part->planes[1][i] = square[3 * i + 1];
      part->planes[2][i] = square[3 * i + 2];
    }
    return;
  }
  const struct axis axis = {CUPOLA_SIDE, side};
  const float scale = 1.0f / CUPOLA_SIDE;
  float *row = part->row;
  for (int j = 0; j < side; j++) {
    memset(row, 0, sizeof part->row);
    int last;
    for (int i = axis_first(axis, j, &last); i <= last; i++) {
      const float weight = (float)axis_weight(axis, i, j) * scale;
      const uint8_t *samples = square + (size_t)i * 3 * CUPOLA_SIDE;
      for (int x = 0; x < 3 * CUPOLA_SIDE; x++) row[x] += weight * samples[x];
    }
    for (int x = 0; x < side; x++) {
      float red = 0, green = 0, blue = 0;
      for (int i = axis_first(axis, x, &last); i <= last; i++) {
        const float weight = (float)axis_weight(axis, i, x) * scale;
        red += row[3 * i] * weight;
        green += row[3 * i + 1] * weight;
        blue += row[3 * i + 2] * weight;
      }
      part->planes[0][j * side + x] = red;
      part->planes[1][j * side + x] = green;
      part->planes[2][j * side + x] = blue;
    }
  }
}

/* Replaces the first plane with the luma. */
static void make_luma(int side, struct cupola_features_workspace *part) {
  float *red = part->planes[0];
  const float *green = part->planes[1], *blue = part->planes[2];
  for (int i = 0; i < side * side; i++) {
    red[i] = (77 * red[i] + 150 * green[i] + 29 * blue[i]) * (1.0f / 256);
  }
}

