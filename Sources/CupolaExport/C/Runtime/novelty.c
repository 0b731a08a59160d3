#if CUPOLA_HAS_NOVELTY
/* Rounds a vector to integers, so that the largest magnitude becomes 8127. Returns the scale. */
static float round_vector(const float *vector, int count, int16_t *integers) {
  float largest = 0;
  for (int i = 0; i < count; i++) {
    const float magnitude = fabsf(vector[i]);
    if (magnitude > largest) largest = magnitude;
  }
  const float factor = largest > 1e-30f ? 8127 / largest : 0;
  for (int i = 0; i < count; i++) integers[i] = (int16_t)lrintf(vector[i] * factor);
  return largest / 8127;
}

/* Multiplies a row of 4-bit integers with a vector. Each integer has 8 added to it. In each block of
   64, the first 32 are in the low halves of the bytes. */
static int64_t multiply_nibbles(int row, const int16_t *vector) {
  int64_t sum = 0;
  size_t start = (size_t)row * (CUPOLA_NOVELTY_COLUMNS / 2);
  for (int at = 0; at < CUPOLA_NOVELTY_COLUMNS; at += 64, start += 32) {
    int32_t part = 0;
    for (int i = 0; i < 32; i++) {
      const int byte = (uint8_t)novelty_projection.bytes[(start + (size_t)i) ^ CUPOLA_IN_WORD(7)];
      part += (byte & 15) * vector[at + i] + (byte >> 4) * vector[at + 32 + i];
    }
    sum += part;
  }
  return sum;
}

/* Returns the product of a stored view with a direction, divided by the length of the view. */
static double view_product(int view, const int16_t *direction) {
  int64_t product = 0, length = 0;
  const size_t start = (size_t)view * CUPOLA_NOVELTY_DIMENSIONS;
  for (int i = 0; i < CUPOLA_NOVELTY_DIMENSIONS; i++) {
    const int32_t value = novelty_views.bytes[(start + (size_t)i) ^ CUPOLA_IN_WORD(7)];
    product += value * direction[i];
    length += value * value;
  }
  return length > 0 ? (double)product / sqrt((double)length) : 0;
}

/* Returns the log odds that the image shows a building or background with training photos. */
static double known_log_odds(struct cupola_workspace *workspace) {
  float direction[CUPOLA_NOVELTY_DIMENSIONS];
  int16_t rounded[CUPOLA_NOVELTY_DIMENSIONS], *query = workspace->query;
  memset(query, 0, sizeof workspace->query);
  const float scale = round_vector(workspace->features, CUPOLA_FEATURES, query);
  int64_t total = 0;
  for (int i = 0; i < CUPOLA_NOVELTY_COLUMNS; i++) total += query[i];
  for (int row = 0; row < CUPOLA_NOVELTY_DIMENSIONS; row++) {
    const float sum = (float)(multiply_nibbles(row, query) - 8 * total);
    direction[row] = sum * (CUPOLA_AT(novelty_scale, row) * scale) + CUPOLA_AT(novelty_offset, row);
  }
  round_vector(direction, CUPOLA_NOVELTY_DIMENSIONS, rounded);
  int64_t squares = 0;
  for (int i = 0; i < CUPOLA_NOVELTY_DIMENSIONS; i++) {
    squares += (int32_t)rounded[i] * rounded[i];
  }
  const double inverse = squares > 0 ? 1 / sqrt((double)squares) : 0;
  double building = -1, background = -1;
  int view = 0, has_background = 0;
  for (int row = 0; row < CUPOLA_ROWS; row++) {
    for (; view < novelty_ends[row]; view++) {
      const double cosine = view_product(view, rounded) * inverse;
      if (label_of_row[row] != 0) {
        if (cosine > building) building = cosine;
      } else {
        has_background = 1;
        if (cosine > background) background = cosine;
      }
    }
  }
  const double score = building - (has_background ? background : 0);
  return CUPOLA_NOVELTY_INTERCEPT + CUPOLA_NOVELTY_SLOPE * score;
}
#endif

