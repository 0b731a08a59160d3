/* Patches of 4x4 cells, 4 pixels apart, on a grid for each scale. */

static const int scale_sides[CUPOLA_SCALES] = CUPOLA_SIDES;

/* The number of patches along a side. */
static int patch_count(int side) {
  const int last = side - 14;
  return last <= 2 ? 0 : (last - 2 + CUPOLA_STEP - 1) / CUPOLA_STEP;
}

/* The index of a patch's first cell. */
static int patch_cell(int index) { return (2 + index * CUPOLA_STEP) / 2; }

/* The center of a patch relative to the side, -0.5 to 0.5. */
static float patch_center(int index, int side) {
  return (float)(2 + index * CUPOLA_STEP + 6) / (float)side - 0.5f;
}

/* Patch weights: 0 for flat patches, 1 for patches with edges. A patch's contrast is the mean
   gray-level deviation of its cells, relative to the mean gray level of the whole image. */
static void weigh_patches(struct cupola_features_workspace *part) {
  const float *cells = part->color_cells;
  double total = 0;
  int patches = 0;
  for (int scale = 0; scale < CUPOLA_SCALES; scale++) {
    const int side = scale_sides[scale], half = side / 2, count = patch_count(side);
    for (int row = 0; row < count; row++) {
      for (int column = 0; column < count; column++) {
        float mean = 0, deviation = 0;
        for (int cell = 0; cell < 16; cell++) {
          const int y = patch_cell(row) + cell / 4 * 2, x = patch_cell(column) + cell % 4 * 2;
          mean += cells[6 * (y * half + x)];
          deviation += cells[6 * (y * half + x) + 3];
        }
        part->weights[patches++] = deviation;
        total += (double)mean;
      }
    }
    cells += (size_t)half * (size_t)half * 6;
  }
  /* The small term avoids dividing by 0 for black images. */
  const float level = (float)total / (float)(patches > 0 ? patches : 1) + 0.02f * 16;
  const float slope = 1 / (level * (CUPOLA_FULL_CONTRAST - CUPOLA_FLAT_CONTRAST));
  for (int i = 0; i < patches; i++) {
    const float share = (part->weights[i] - CUPOLA_FLAT_CONTRAST * level) * slope;
    part->weights[i] = share < 0 ? 0 : share > 1 ? 1 : share;
  }
}

/* Scales the votes of 16 cells to norm 1, clips them, scales them to sum 1, and takes square roots. */
static void gather_hog(const float *cells, int half, int row, int column, float *patch) {
  float squares[8] = {0}, sums[8] = {0};
  for (int cell = 0; cell < 16; cell++) {
    const int y = patch_cell(row) + cell / 4 * 2, x = patch_cell(column) + cell % 4 * 2;
    const float *votes = cells + 8 * (size_t)(y * half + x);
    for (int i = 0; i < 8; i++) {
      patch[8 * cell + i] = votes[i];
      squares[i] += votes[i] * votes[i];
    }
  }
  float square = 0, sum = 0;
  for (int i = 0; i < 8; i++) square += squares[i];
  const float scale = 1 / (sqrtf(square) + 0.01f);
  for (int cell = 0; cell < 16; cell++) {
    for (int i = 0; i < 8; i++) {
      const float value = least(patch[8 * cell + i] * scale, 0.2f);
      patch[8 * cell + i] = value;
      sums[i] += value;
    }
  }
  for (int i = 0; i < 8; i++) sum += sums[i];
  const float share = 1 / (sum + 1e-6f);
  for (int i = 0; i < 128; i++) patch[i] = sqrtf(patch[i] * share);
}

static void gather_color(const float *cells, int half, int row, int column, float *patch) {
  for (int cell = 0; cell < 16; cell++) {
    const int y = patch_cell(row) + cell / 4 * 2, x = patch_cell(column) + cell % 4 * 2;
    memcpy(patch + 6 * cell, cells + 6 * (size_t)(y * half + x), 6 * sizeof *patch);
  }
}

