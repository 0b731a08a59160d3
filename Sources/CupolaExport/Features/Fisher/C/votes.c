/* Votes for 8 signed orientations, pooled with a 7x7 triangular window around every second pixel of
   every second row. */

/* Central differences without the factor 1/2; 0 across the border. */
static void read_gradients(const float *luma, int side, int y, float *across, float *down) {
  const float *row = luma + (size_t)y * (size_t)side;
  const ptrdiff_t step = y == 0 || y == side - 1 ? 0 : side;
  for (int x = 0; x < side; x++) down[x] = row[x + step] - row[x - step];
  across[0] = across[side - 1] = 0;
  for (int x = 1; x < side - 1; x++) across[x] = row[x + 1] - row[x - 1];
}

static inline float least(float a, float b) { return a < b ? a : b; }

static inline float most(float a, float b) { return a > b ? a : b; }

/* Votes for every second pixel. With unit vectors u(k) along the bin directions and c(k) = g x u(k)
   / sin 45, bin k receives max(0, min(c(k + 1), -c(k - 1))). Opposite directions have opposite
   signs. */
static void vote(
    const float *across, const float *down, int count, float votes[8][CUPOLA_SIDE / 2 + 8]) {
  const float root = 1.41421356f;
  for (int i = 0; i < count; i++) {
    const float right = across[2 * i], below = down[2 * i];
    const float c0 = -root * below, c1 = right - below, c2 = root * right, c3 = right + below;
    votes[0][i + 4] = most(least(c1, c3), 0);
    votes[1][i + 4] = most(least(c2, -c0), 0);
    votes[2][i + 4] = most(least(c3, -c1), 0);
    votes[3][i + 4] = most(least(-c0, -c2), 0);
    votes[4][i + 4] = most(least(-c1, -c3), 0);
    votes[5][i + 4] = most(least(-c2, c0), 0);
    votes[6][i + 4] = most(least(-c3, c1), 0);
    votes[7][i + 4] = most(least(c0, c2), 0);
  }
}

/* Pools a row of votes around every second pixel. Pixels outside the image count as 0. */
static void pool_row(struct cupola_features_workspace *part, int side, int y) {
  const int half = (side + 1) / 2;
  read_gradients(part->planes[0], side, y, part->gradients[0], part->gradients[1]);
  memset(part->votes, 0, sizeof part->votes);
  vote(part->gradients[0], part->gradients[1], half, part->votes[0]);
  vote(part->gradients[0] + 1, part->gradients[1] + 1, side / 2, part->votes[1]);
  for (int bin = 0; bin < 8; bin++) {
    const float *even = part->votes[0][bin] + 4, *odd = part->votes[1][bin] + 4;
    float *pooled = part->ring[y & 7][bin];
    for (int x = 0; x < half; x++) {
      const float near = odd[x - 1] + odd[x], middle = even[x - 1] + even[x + 1];
      const float far = odd[x - 2] + odd[x + 1];
      pooled[x] = even[x] + near * 0.75f + middle * 0.5f + far * 0.25f;
    }
  }
}

/* Pools 7 rows around row `y` into a row of cells. */
static void pool_column(struct cupola_features_workspace *part, int side, int y, float *cells) {
  const int half = (side + 1) / 2;
  for (int bin = 0; bin < 8; bin++) {
    const float *a = part->ring[(y - 3) & 7][bin], *b = part->ring[(y - 2) & 7][bin];
    const float *c = part->ring[(y - 1) & 7][bin], *d = part->ring[y & 7][bin];
    const float *e = part->ring[(y + 1) & 7][bin], *f = part->ring[(y + 2) & 7][bin];
    const float *g = part->ring[(y + 3) & 7][bin];
    for (int x = 0; x < half; x++) {
      const float near = c[x] + e[x], middle = b[x] + f[x], far = a[x] + g[x];
      part->pooled[bin][x] = d[x] + near * 0.75f + middle * 0.5f + far * 0.25f;
    }
  }
  for (int x = 0; x < half; x++) {
    for (int bin = 0; bin < 8; bin++) cells[8 * x + bin] = part->pooled[bin][x];
  }
}

/* Computes the cells, with 8 votes each, from the luma in the first plane. */
static void read_hog_cells(struct cupola_features_workspace *part, int side, float *cells) {
  const int half = (side + 1) / 2;
  memset(part->ring, 0, sizeof part->ring);
  for (int y = 0; y < side + 3; y++) {
    if (y < side) {
      pool_row(part, side, y);
    } else {
      memset(part->ring[y & 7], 0, sizeof part->ring[0]);
    }
    if (y >= 3 && (y - 3) % 2 == 0) {
      pool_column(part, side, y - 3, cells + (size_t)((y - 3) / 2) * 8 * (size_t)half);
    }
  }
}

