/* Returns the dot product of a row of weights and the features. */
static float row_score(int row, const float *features) {
  const size_t start = (size_t)row * CUPOLA_FEATURES;
  if (classifier_weight_type == CUPOLA_F32 && !CUPOLA_IN_WORD(1)) {
    return dot(classifier_weight.floats + start, features, CUPOLA_FEATURES);
  }
  float sum = 0;
  for (int at = 0; at < CUPOLA_FEATURES; at += 1024) {
    float weights[1024];
    const int count = CUPOLA_FEATURES - at < 1024 ? CUPOLA_FEATURES - at : 1024;
    for (int i = 0; i < count; i++) {
      const size_t index = start + (size_t)(at + i);
      weights[i] = classifier_weight_type == CUPOLA_I8
          ? (float)classifier_weight.bytes[index ^ CUPOLA_IN_WORD(7)]
          : CUPOLA_AT(classifier_weight, index);
    }
    sum += dot(weights, features + at, count);
  }
#if CUPOLA_HAS_SCALES
  sum *= CUPOLA_AT(classifier_scale, row);
#endif
  return sum;
}

#if CUPOLA_HAS_NOVELTY
/* Returns the log odds that the image shows a building or background with training photos. The
   directions of the buildings follow the rows of the classifier. */
static double known_log_odds(const float *features) {
  float score = -INFINITY;
  for (int row = CUPOLA_ROWS; row < CUPOLA_ROWS + CUPOLA_NOVELTY_ROWS; row++) {
    const float product = row_score(row, features);
    if (product > score) score = product;
  }
  return CUPOLA_NOVELTY_INTERCEPT + CUPOLA_NOVELTY_SLOPE * (double)score;
}
#endif

void cupola_start(struct cupola_workspace *workspace) { start_features(&workspace->part); }

void cupola_classify(
    const uint8_t *square, struct cupola_workspace *workspace, float *probabilities) {
  double *scores = workspace->scores;
  double largest = -INFINITY, total = 0, sums[CUPOLA_LABELS] = {0};
  read_features(square, &workspace->part, workspace->features);
  for (int row = 0; row < CUPOLA_ROWS; row++) {
    scores[row] = (double)(row_score(row, workspace->features) + CUPOLA_AT(classifier_bias, row));
#if CUPOLA_HAS_NOVELTY
    /* The probability of unknown buildings does not depend on their row. */
    if (label_of_row[row] == CUPOLA_LABELS - 1) scores[row] = -INFINITY;
#endif
    if (scores[row] > largest) largest = scores[row];
  }
  for (int row = 0; row < CUPOLA_ROWS; row++) {
    const double power = exp((scores[row] - largest) / CUPOLA_TEMPERATURE);
    sums[label_of_row[row]] += power;
    total += power;
  }
  for (int label = 0; label < CUPOLA_LABELS; label++) {
    probabilities[label] = (float)(sums[label] / total);
  }
#if CUPOLA_HAS_NOVELTY
  const double odds = known_log_odds(workspace->features);
  const float known = (float)(1 / (1 + exp(-odds)));
  for (int label = 0; label < CUPOLA_LABELS; label++) probabilities[label] *= known;
  probabilities[CUPOLA_LABELS - 1] = (float)(1 / (1 + exp(odds)));
#endif
}

