/* Resamples an axis from m to n samples. If m >= n, the weight of source sample i for output j is
   the overlap of [i n, (i+1) n) and [j m, (j+1) m); the weights sum to m. If m < n, the two nearest
   source samples are interpolated between pixel centers; their weights sum to 2 n. */
struct axis {
  int from, to;
};

static double axis_total(struct axis axis) { return axis.from >= axis.to ? axis.from : 2.0 * axis.to; }

/* Returns the first source sample for output j, or -1 before the edge. Sets `last` to the last
   source sample. */
static int axis_first(struct axis axis, int j, int *last) {
  const int64_t m = axis.from, n = axis.to;
  if (m >= n) {
    *last = (int)(((j + 1) * m - 1) / n);
    return (int)(j * m / n);
  }
  const int64_t position = (2 * (int64_t)j + 1) * m - n;
  const int lower = position < 0 ? -1 : (int)(position / (2 * n));
  *last = lower + 1;
  return lower;
}

static uint32_t axis_weight(struct axis axis, int i, int j) {
  const int64_t m = axis.from, n = axis.to;
  if (m >= n) {
    const int64_t start = i * n > j * m ? i * n : j * m;
    const int64_t end = (i + 1) * n < (j + 1) * m ? (i + 1) * n : (j + 1) * m;
    return (uint32_t)(end - start);
  }
  const int64_t position = (2 * (int64_t)j + 1) * m - n;
  const int64_t lower = position < 0 ? -1 : position / (2 * n);
  const int64_t fraction = position - lower * 2 * n;
  return (uint32_t)(i == lower ? 2 * n - fraction : fraction);
}

/* Samples beyond the edge repeat the sample at the edge. */
static int axis_sample(struct axis axis, int i) {
  return i < 0 ? 0 : i >= axis.from ? axis.from - 1 : i;
}

static void resize_row(const uint8_t *row, struct axis columns, uint32_t *sums) {
  for (int j = 0; j < columns.to; j++) {
    uint32_t red = 0, green = 0, blue = 0;
    int last;
    for (int i = axis_first(columns, j, &last); i <= last; i++) {
      const uint8_t *pixel = row + 3 * (size_t)axis_sample(columns, i);
      const uint32_t weight = axis_weight(columns, i, j);
      red += weight * pixel[0];
      green += weight * pixel[1];
      blue += weight * pixel[2];
    }
    sums[3 * j] = red;
    sums[3 * j + 1] = green;
    sums[3 * j + 2] = blue;
  }
}

/* The part of the image that fills the square. */
struct region {
  int x, y, width, height;
};

static struct region region_of(int width, int height) {
  struct region region;
#if CUPOLA_CENTER_CROP
  region.width = region.height = width < height ? width : height;
  region.x = (width - region.width) / 2;
  region.y = (height - region.height) / 2;
#else
  region.x = width * CUPOLA_WINDOW_LEFT / 100;
  region.y = height * CUPOLA_WINDOW_TOP / 100;
  region.width = width * CUPOLA_WINDOW_WIDTH / 100;
  region.height = height * CUPOLA_WINDOW_HEIGHT / 100;
  if (region.width < 1) region.width = 1;
  if (region.height < 1) region.height = 1;
#endif
  return region;
}

int cupola_resize(
    const uint8_t *rgb, int width, int height, struct cupola_workspace *workspace,
    uint8_t *square) {
  if (width < 1 || height < 1 || width > 65500 || height > 65500) return -1;
  const struct region region = region_of(width, height);
  const struct axis columns = {region.width, CUPOLA_SIDE}, rows = {region.height, CUPOLA_SIDE};
  const double scale = 1 / (axis_total(columns) * axis_total(rows));
  uint64_t *sums = workspace->resize_sums;
  /* Adjacent output rows share source rows, so keep the last even and the last odd source row. */
  int kept[2] = {-1, -1};
  for (int j = 0; j < CUPOLA_SIDE; j++) {
    memset(sums, 0, sizeof workspace->resize_sums);
    int last;
    for (int i = axis_first(rows, j, &last); i <= last; i++) {
      const int sample = axis_sample(rows, i);
      const uint64_t weight = axis_weight(rows, i, j);
      uint32_t *row = workspace->resize_rows[sample & 1];
      if (kept[sample & 1] != sample) {
        const size_t start = (size_t)(region.y + sample) * (size_t)width + (size_t)region.x;
        resize_row(rgb + 3 * start, columns, row);
        kept[sample & 1] = sample;
      }
      for (int x = 0; x < 3 * CUPOLA_SIDE; x++) sums[x] += weight * row[x];
    }
    /* Round half up. Adding 1e-9 makes ties round up and is too small to affect other values. */
    for (int x = 0; x < 3 * CUPOLA_SIDE; x++) {
      *square++ = (uint8_t)((double)sums[x] * scale + 0.500000001);
    }
  }
  return 0;
}

