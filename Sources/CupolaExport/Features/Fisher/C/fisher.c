/* Computes the Fisher vectors of both kinds of patch descriptors. */

static struct encoder hog_encoder(struct cupola_features_workspace *part) {
  const struct encoder encoder = CUPOLA_ENCODER(part->hog, 128, CUPOLA_HOG_DIMENSIONS);
  return encoder;
}

static struct encoder color_encoder(struct cupola_features_workspace *part) {
  const struct encoder encoder = CUPOLA_ENCODER(part->color, 96, CUPOLA_COLOR_DIMENSIONS);
  return encoder;
}

static void start_features(struct cupola_features_workspace *part) {
  memset(part, 0, sizeof *part);
  const struct encoder hog = hog_encoder(part), color = color_encoder(part);
  CUPOLA_START_PROJECTION(hog, fisher_hog)
  CUPOLA_START_MIXTURE(hog, fisher_hog)
  CUPOLA_START_PROJECTION(color, fisher_colour)
  CUPOLA_START_MIXTURE(color, fisher_colour)
}

static float signed_root(float value) { return value < 0 ? -sqrtf(-value) : sqrtf(value); }

/* Takes signed square roots, and divides each component by a power of its norm. */
static void flatten(float *vector, int dimensions) {
  const int half = CUPOLA_COMPONENTS * dimensions;
  for (int component = 0; component < CUPOLA_COMPONENTS; component++, vector += dimensions) {
    /* The squares of the signed square roots are the magnitudes. */
    float square = 0;
    for (int i = 0; i < dimensions; i++) square += fabsf(vector[i]) + fabsf(vector[half + i]);
    if (!(square > 0)) continue;
    const float scale = powf(square, -0.5f * CUPOLA_FLATTENING);
    for (int i = 0; i < dimensions; i++) {
      vector[i] = signed_root(vector[i]) * scale;
      vector[half + i] = signed_root(vector[half + i]) * scale;
    }
  }
}

/* Computes the gradients with respect to a component's means and deviations from the sums of w q, w
   q z and w q z^2. */
static void read_gradients_of(
    const struct encoder *encoder, int component, float weight, const float *means,
    const float *variances, float total, float *mean_part, float *variance_part) {
  const float share = encoder->occupancy[component];
  const float *first = encoder->sums + (size_t)component * encoder->augmented_row;
  const float *second = first + encoder->dimensions;
  const float scale = 1 / (total * sqrtf(weight)), variance_scale = scale * sqrtf(0.5f);
  for (int i = 0; i < encoder->dimensions; i++) {
    const float mean = means[i], variance = variances[i];
    mean_part[i] = (first[i] - share * mean) / sqrtf(variance) * scale;
    const float spread = second[i] - 2 * mean * first[i] + (mean * mean - variance) * share;
    variance_part[i] = spread / variance * variance_scale;
  }
}

#define CUPOLA_FINISH(encoder, name, total, vector)                                               \
  for (int component = 0; component < CUPOLA_COMPONENTS; component++) {                           \
    float means[128 + 2], variances[128 + 2];                                                     \
    const int start = component * (encoder).dimensions;                                           \
    for (int i = 0; i < (encoder).dimensions; i++) {                                              \
      means[i] = CUPOLA_AT(name##_mixture_means, start + i);                                      \
      variances[i] = CUPOLA_AT(name##_mixture_variances, start + i);                              \
    }                                                                                             \
    read_gradients_of(                                                                            \
        &(encoder), component, CUPOLA_AT(name##_mixture_weights, component), means, variances,    \
        total, (vector) + start, (vector) + CUPOLA_COMPONENTS * (encoder).dimensions + start);    \
  }

/* Encodes the gathered patches. Patches beyond `count` get weight 0. */
static void finish_batch(
    struct cupola_features_workspace *part, struct encoder *hog, struct encoder *color, int count) {
  float hog_offset[CUPOLA_HOG_DIMENSIONS], color_offset[CUPOLA_COLOR_DIMENSIONS];
  for (int i = 0; i < CUPOLA_HOG_DIMENSIONS; i++) hog_offset[i] = CUPOLA_AT(fisher_hog_offset, i);
  for (int i = 0; i < CUPOLA_COLOR_DIMENSIONS; i++) {
    color_offset[i] = CUPOLA_AT(fisher_colour_offset, i);
  }
  for (int i = count; i < CUPOLA_BATCH; i++) part->batch_weights[i] = 0;
  project(hog, hog_offset, part->batch_places);
  add_batch(hog, part->batch_weights, part->shares);
  project(color, color_offset, part->batch_places);
  add_batch(color, part->batch_weights, part->shares);
}

/* Encodes the patches with positive weights. Returns the sum of the weights. */
static float encode_patches(
    struct cupola_features_workspace *part, struct encoder *hog, struct encoder *color) {
  const float *hog_cells = part->hog_cells, *color_cells = part->color_cells;
  const float *weight = part->weights;
  double total = 0;
  int batch = 0;
  for (int scale = 0; scale < CUPOLA_SCALES; scale++) {
    const int side = scale_sides[scale], count = patch_count(side);
    const int hog_half = (side + 1) / 2, color_half = side / 2;
    for (int index = 0; index < count * count; index++, weight++) {
      if (!(*weight > 0)) continue;
      const int row = index / count, column = index % count;
      gather_hog(hog_cells, hog_half, row, column, hog->patches + batch * 128);
      gather_color(color_cells, color_half, row, column, color->patches + batch * 96);
      part->batch_places[batch][0] = patch_center(column, side);
      part->batch_places[batch][1] = patch_center(row, side);
      part->batch_weights[batch] = *weight;
      total += (double)*weight;
      if (++batch == CUPOLA_BATCH) {
        finish_batch(part, hog, color, batch);
        batch = 0;
      }
    }
    hog_cells += (size_t)hog_half * (size_t)hog_half * 8;
    color_cells += (size_t)color_half * (size_t)color_half * 6;
  }
  if (batch > 0) finish_batch(part, hog, color, batch);
  return (float)total;
}

static void read_all_cells(const uint8_t *square, struct cupola_features_workspace *part) {
  float *hog_cells = part->hog_cells, *color_cells = part->color_cells;
  for (int scale = 0; scale < CUPOLA_SCALES; scale++) {
    const int side = scale_sides[scale];
    read_planes(square, side, part);
    read_color_cells(part, side, color_cells);
    make_luma(side, part);
    read_hog_cells(part, side, hog_cells);
    hog_cells += (size_t)((side + 1) / 2) * (size_t)((side + 1) / 2) * 8;
    color_cells += (size_t)(side / 2) * (size_t)(side / 2) * 6;
  }
}

static void clear_sums(struct encoder *encoder) {
  memset(
      encoder->sums, 0, CUPOLA_COMPONENTS * encoder->augmented_row * sizeof *encoder->sums);
  memset(encoder->occupancy, 0, CUPOLA_COMPONENTS * sizeof *encoder->occupancy);
}

static void read_features(
    const uint8_t *square, struct cupola_features_workspace *part, float *features) {
  struct encoder hog = hog_encoder(part), color = color_encoder(part);
  const int hog_count = 2 * CUPOLA_COMPONENTS * hog.dimensions;
  const int color_count = 2 * CUPOLA_COMPONENTS * color.dimensions;
  float *color_features = features + hog_count;
  clear_sums(&hog);
  clear_sums(&color);
  read_all_cells(square, part);
  weigh_patches(part);
  const float total = encode_patches(part, &hog, &color);
  memset(features, 0, CUPOLA_FEATURES * sizeof *features);
  if (!(total > 0)) return;
  CUPOLA_FINISH(hog, fisher_hog, total, features)
  CUPOLA_FINISH(color, fisher_colour, total, color_features)
  flatten(features, hog.dimensions);
  flatten(color_features, color.dimensions);
  make_unit(features, hog_count);
  make_unit(color_features, color_count);
  for (int i = 0; i < color_count; i++) color_features[i] *= CUPOLA_COLOR_WEIGHT;
  make_unit(features, CUPOLA_FEATURES);
}

