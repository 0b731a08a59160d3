/* Histograms of oriented gradients (Dalal & Triggs, CVPR 2005), computed from the luma at half
   size. */

/* Computes the luma (77 R + 150 G + 29 B) / 256, averaged over 2x2 pixels, exactly. */
static void read_gray(const uint8_t *square, float *gray) {
  for (int y = 0; y < CUPOLA_GRAY_SIDE; y++) {
    const uint8_t *above = square + (size_t)(2 * y) * 3 * CUPOLA_SIDE;
    const uint8_t *below = above + 3 * CUPOLA_SIDE;
    for (int x = 0; x < CUPOLA_GRAY_SIDE; x++, above += 6, below += 6) {
      const int red = above[0] + above[3] + below[0] + below[3];
      const int green = above[1] + above[4] + below[1] + below[4];
      const int blue = above[2] + above[5] + below[2] + below[5];
      *gray++ = (float)(77 * red + 150 * green + 29 * blue) * (1.0f / 1024);
    }
  }
}

/* Central differences without the factor 1/2; 0 across the border. */
static void read_gradients(const float *gray, int side, int y, float *across, float *down) {
  const float *row = gray + (size_t)y * (size_t)side;
  const ptrdiff_t step = y == 0 || y == side - 1 ? 0 : side;
  for (int x = 0; x < side; x++) down[x] = row[x + step] - row[x - step];
  across[0] = across[side - 1] = 0;
  for (int x = 1; x < side - 1; x++) across[x] = row[x + 1] - row[x - 1];
}

/* Adds a row's votes for one bin to the cells above and below. A vote is the gradient's component
   along the bin in a decomposition into the two nearest bin directions. */
static void vote(
    const float *across, const float *down, const float *voter, float *upper, float upper_weight,
    float *lower, float lower_weight) {
  const float a = voter[0], b = voter[1], c = voter[2], d = voter[3];
  for (int x = 0; x < CUPOLA_CELLS * CUPOLA_CELL_SIZE; x++) {
    const float to_next = across[x] * a + down[x] * b;
    const float from_last = across[x] * c + down[x] * d;
    /* The smaller magnitude if both have the same sign, otherwise 0. Avoids comparisons, because
       they prevent vectorization in some compilers. */
    const float both = fabsf(to_next + from_last) - fabsf(to_next - from_last);
    const float share = (both + fabsf(both)) * 0.25f;
    upper[x] += upper_weight * share;
    lower[x] += lower_weight * share;
  }
}

/* The number of pixels before and after a cell that contribute to it. */
#define CUPOLA_REACH (CUPOLA_TRIANGULAR ? CUPOLA_CELL_SIZE / 2 : 0)

/* Sums along a row, either weighted by a triangular window two cells wide around each cell's
   center, or over the cell's own pixels. */
static void gather_cells(const float *sums, float *cells) {
  const int width = CUPOLA_CELLS * CUPOLA_CELL_SIZE;
  const int taps = CUPOLA_CELL_SIZE + 2 * CUPOLA_REACH;
  float window[2 * CUPOLA_CELL_SIZE];
  for (int i = 0; i < CUPOLA_CELL_SIZE; i++) {
    const float rising = ((float)i + 0.5f) / CUPOLA_CELL_SIZE;
    window[i] = CUPOLA_TRIANGULAR ? rising : 1;
    window[2 * CUPOLA_CELL_SIZE - 1 - i] = rising;
  }
  for (int bin = 0; bin < CUPOLA_ORIENTATIONS; bin++, sums += CUPOLA_GRAY_SIDE) {
    for (int cell = 0; cell < CUPOLA_CELLS; cell++) {
      const int start = cell * CUPOLA_CELL_SIZE - CUPOLA_REACH;
      const int first = start < 0 ? -start : 0;
      const int end = start + taps > width ? width - start : taps;
      float total = 0;
      for (int i = first; i < end; i++) total += sums[start + i] * window[i];
      cells[cell * CUPOLA_ORIENTATIONS + bin] = total / (CUPOLA_CELL_SIZE * CUPOLA_CELL_SIZE);
    }
  }
}

static void read_cells(struct cupola_features_workspace *part) {
  const double width = 3.14159265358979323846 / CUPOLA_ORIENTATIONS;
  float voters[CUPOLA_ORIENTATIONS][4];
  for (int bin = 0; bin < CUPOLA_ORIENTATIONS; bin++) {
    const double next = (bin + 1.5) * width, last = (bin - 0.5) * width;
    voters[bin][0] = (float)(sin(next) / sin(width));
    voters[bin][1] = (float)(-cos(next) / sin(width));
    voters[bin][2] = (float)(-sin(last) / sin(width));
    voters[bin][3] = (float)(cos(last) / sin(width));
  }
  /* Votes contribute to the rows of cells whose centers are above and below, or to one row. */
  float *upper = part->sums[0], *lower = part->sums[1];
  int upper_row = CUPOLA_TRIANGULAR ? -1 : 0;
  memset(part->sums, 0, sizeof part->sums);
  for (int y = 0; y <= CUPOLA_CELLS * CUPOLA_CELL_SIZE; y++) {
    const int shifted = y + CUPOLA_REACH;
    const int is_end = y == CUPOLA_CELLS * CUPOLA_CELL_SIZE;
    if (is_end || shifted / CUPOLA_CELL_SIZE - CUPOLA_TRIANGULAR != upper_row) {
      if (upper_row >= 0) {
        gather_cells(upper, part->cells + (size_t)upper_row * CUPOLA_CELLS * CUPOLA_ORIENTATIONS);
      }
      upper_row++;
      float *const done = upper;
      upper = lower;
      lower = done;
      memset(lower, 0, sizeof part->sums[0]);
    }
    if (is_end) break;
    const float into = ((float)(shifted % CUPOLA_CELL_SIZE) + 0.5f) / CUPOLA_CELL_SIZE;
    const float below = CUPOLA_TRIANGULAR ? into : 0;
    read_gradients(part->gray, CUPOLA_GRAY_SIDE, y, part->across, part->down);
    for (int bin = 0; bin < CUPOLA_ORIENTATIONS; bin++) {
      vote(
          part->across, part->down, voters[bin], upper + (size_t)bin * CUPOLA_GRAY_SIDE, 1 - below,
          lower + (size_t)bin * CUPOLA_GRAY_SIDE, below);
    }
  }
}

/* Scales a block to norm 1, clips it, and scales it again. */
static void normalize_block(float *block) {
  const int count = CUPOLA_BLOCK_SIZE * CUPOLA_BLOCK_SIZE * CUPOLA_ORIENTATIONS;
  const float first =
      1 / sqrtf(dot(block, block, count) + CUPOLA_FIRST_EPSILON * CUPOLA_FIRST_EPSILON);
  for (int i = 0; i < count; i++) {
    const float value = block[i] * first;
    block[i] = value < CUPOLA_CLIP ? value : CUPOLA_CLIP;
  }
  const float second =
      1 / sqrtf(dot(block, block, count) + CUPOLA_SECOND_EPSILON * CUPOLA_SECOND_EPSILON);
  for (int i = 0; i < count; i++) block[i] *= second;
}

static void start_features(struct cupola_features_workspace *part) { (void)part; }

static void read_features(
    const uint8_t *square, struct cupola_features_workspace *part, float *features) {
  const int blocks = CUPOLA_CELLS - CUPOLA_BLOCK_SIZE + 1;
  const int length = CUPOLA_BLOCK_SIZE * CUPOLA_ORIENTATIONS;
  read_gray(square, part->gray);
  read_cells(part);
  float *block = features;
  for (int row = 0; row < blocks; row++) {
    for (int column = 0; column < blocks; column++, block += CUPOLA_BLOCK_SIZE * length) {
      for (int line = 0; line < CUPOLA_BLOCK_SIZE; line++) {
        const int cell = (row + line) * CUPOLA_CELLS + column;
        memcpy(
            block + line * length, part->cells + (size_t)cell * CUPOLA_ORIENTATIONS,
            (size_t)length * sizeof *block);
      }
      normalize_block(block);
    }
  }
  make_unit(features, CUPOLA_FEATURES);
}

