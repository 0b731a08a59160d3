/* Means and deviations of three opponent colors (van de Sande et al., PAMI 2010) for the 4x4 pixels
   around every second pixel of every second row. */

/* Sums the opponent colors and their squares over 2x2 pixels. */
static void sum_pairs(
    const struct cupola_features_workspace *part, int side, int row,
    float sums[6][CUPOLA_SIDE / 2]) {
  memset(sums, 0, 6 * sizeof sums[0]);
  for (int corner = 0; corner < 4; corner++) {
    const size_t start = (size_t)(2 * row + corner / 2) * (size_t)side + (size_t)(corner % 2);
    const float *red = part->planes[0] + start, *green = part->planes[1] + start;
    const float *blue = part->planes[2] + start;
    for (int x = 0; x < side / 2; x++) {
      const float r = red[2 * x], g = green[2 * x], b = blue[2 * x];
      const float level = (r + g + b) * (1.0f / (3 * 255));
      const float red_green = (r - g) * (1.0f / (255 * 1.4142135f));
      const float yellow_blue = (r + g - 2 * b) * (1.0f / (255 * 2.4494898f));
      sums[0][x] += level;
      sums[1][x] += red_green;
      sums[2][x] += yellow_blue;
      sums[3][x] += level * level;
      sums[4][x] += red_green * red_green;
      sums[5][x] += yellow_blue * yellow_blue;
    }
  }
}

/* Three means and three deviations per cell. Cells at the top and left edges contain only 2 rows or
   columns, which count twice. */
static void read_color_cells(struct cupola_features_workspace *part, int side, float *cells) {
  const int half = side / 2;
  for (int row = 0; row < half; row++) {
    const int last = row == 0 ? 0 : (row - 1) & 1;
    float (*above)[CUPOLA_SIDE / 2] = part->colors[last], (*here)[CUPOLA_SIDE / 2] =
        part->colors[row & 1];
    sum_pairs(part, side, row, here);
    for (int x = 0; x < half; x++, cells += 6) {
      const int left = x == 0 ? 0 : x - 1;
      for (int i = 0; i < 3; i++) {
        const float mean =
            ((above[i][left] + above[i][x]) + (here[i][left] + here[i][x])) * (1.0f / 16);
        const float square = ((above[i + 3][left] + above[i + 3][x]) +
                                 (here[i + 3][left] + here[i + 3][x])) *
            (1.0f / 16);
        const float variance = square - mean * mean;
        cells[i] = mean;
        cells[i + 3] = variance > 0 ? sqrtf(variance) : 0;
      }
    }
  }
}

