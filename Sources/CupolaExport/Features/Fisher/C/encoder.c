/* The encoder for one kind of patch descriptors: a projection and a Gaussian mixture (Perronnin et
   al., ECCV 2010). */
struct encoder {
  /* The number of values per patch: before projection, after projection, and with the position. */
  int inputs, kept, dimensions;
  /* The distances between matrix rows, in floats. */
  size_t kept_row, augmented_row;
  float *projection, *factors, *constants;
  float *patches, *projected, *augmented;
  float *sums, *occupancy;
};

#define CUPOLA_COMPONENT_ROW CUPOLA_STRIDE(CUPOLA_COMPONENTS)

#define CUPOLA_ENCODER(part, inputs, kept)                                                        \
  {                                                                                               \
    inputs, kept, (kept) + 2, CUPOLA_STRIDE(kept), CUPOLA_STRIDE(2 * ((kept) + 2)),               \
        (part).projection, (part).factors, (part).constants, (part).patches, (part).projected,    \
        (part).augmented, (part).sums, (part).occupancy                                           \
  }

static int filled(int columns) { return (columns + 15) / 16 * 16; }

/* Computes the factors of [z, z^2] and the constants for log densities. */
#define CUPOLA_START_MIXTURE(encoder, name)                                                       \
  for (int component = 0; component < CUPOLA_COMPONENTS; component++) {                           \
    const float weight = CUPOLA_AT(name##_mixture_weights, component);                            \
    double constant = log(weight > 1e-12f ? weight : 1e-12f);                                     \
    for (int i = 0; i < (encoder).dimensions; i++) {                                              \
      const int index = component * (encoder).dimensions + i;                                     \
      const double mean = CUPOLA_AT(name##_mixture_means, index);                                 \
      const double variance = CUPOLA_AT(name##_mixture_variances, index);                         \
      float *factors = (encoder).factors + component;                                             \
      factors[i * CUPOLA_COMPONENT_ROW] = (float)(mean / variance);                               \
      factors[((encoder).dimensions + i) * CUPOLA_COMPONENT_ROW] = (float)(-0.5 / variance);      \
      constant -= 0.5 * (mean * mean / variance + log(6.28318530717958647692 * variance));        \
    }                                                                                             \
    (encoder).constants[component] = (float)constant;                                             \
  }

#define CUPOLA_START_PROJECTION(encoder, name)                                                    \
  for (int i = 0; i < (encoder).kept * (encoder).inputs; i++) {                                   \
    const size_t row = (size_t)(i / (encoder).inputs), column = (size_t)(i % (encoder).inputs);   \
    (encoder).projection[column * (encoder).kept_row + row] = CUPOLA_AT(name##_projection, i);    \
  }

/* Projects a batch of patches, appends their positions, and writes rows of [z, z^2]. */
static void project(struct encoder *encoder, const float *offset, float places[][2]) {
  const struct steps steps = {(size_t)encoder->inputs, 1};
  memset(
      encoder->projected, 0, CUPOLA_BATCH * encoder->kept_row * sizeof *encoder->projected);
  add_product(
      encoder->patches, steps, encoder->projection, encoder->kept_row, encoder->projected,
      encoder->kept_row, CUPOLA_BATCH, encoder->inputs, filled(encoder->kept));
  for (size_t patch = 0; patch < CUPOLA_BATCH; patch++) {
    const float *projected = encoder->projected + patch * encoder->kept_row;
    float *z = encoder->augmented + patch * encoder->augmented_row;
    for (int i = 0; i < encoder->kept; i++) z[i] = projected[i] - offset[i];
    z[encoder->kept] = places[patch][0];
    z[encoder->kept + 1] = places[patch][1];
    for (int i = 0; i < encoder->dimensions; i++) z[encoder->dimensions + i] = z[i] * z[i];
  }
}

/* exp(x) for x <= 0, accurate to 2 ULP. Values below exp(-69), about 1e-30, become 0, because their
   products would be subnormal, which is up to 75 times slower on some processors. Splits x = n log
   2 + r, rounding by adding a large number. Computes exp(r) with a polynomial (Cephes) and 2^n from
   its bits. Loops over this function vectorize. */
static inline float exponential(float x) {
  const float rounder = 12582912.0f;
  union bits clamped, shifted, power;
  /* Compare as an integer, because compilers do not vectorize comparisons that can trap. */
  clamped.number = x;
  clamped.integer &= 0x7fffffff;
  const uint32_t kept = (int32_t)clamped.integer > 0x428a0000 ? 0 : 0xffffffffu;
  if ((int32_t)clamped.integer > 0x42ae0000) clamped.integer = 0x42ae0000;
  x = -clamped.number;
  shifted.number = x * 1.442695f + rounder;
  const float n = shifted.number - rounder;
  const float r = (x - n * 0.693359375f) - n * -2.1219444e-4f;
  float p = 1.9875692e-4f;
  p = p * r + 1.3982e-3f;
  p = p * r + 8.333452e-3f;
  p = p * r + 4.1665796e-2f;
  p = p * r + 0.16666666f;
  p = p * r + 0.5f;
  power.integer = ((shifted.integer - 0x4b400000u + 127) << 23) & kept;
  return (p * (r * r) + r + 1) * power.number;
}

/* Converts scores to component posteriors, multiplied by the patch's weight. */
static void share_patch(float *shares, const float *constants, float weight, float *occupancy) {
  float largest[8], sums[8] = {0};
  for (int i = 0; i < 8; i++) largest[i] = -INFINITY;
  for (int at = 0; at < CUPOLA_COMPONENTS; at += 8) {
    for (int i = 0; i < 8; i++) {
      shares[at + i] += constants[at + i];
      largest[i] = most(largest[i], shares[at + i]);
    }
  }
  for (int i = 1; i < 8; i++) largest[0] = most(largest[0], largest[i]);
  for (int i = 0; i < CUPOLA_COMPONENTS; i++) shares[i] = exponential(shares[i] - largest[0]);
  for (int at = 0; at < CUPOLA_COMPONENTS; at += 8) {
    for (int i = 0; i < 8; i++) sums[i] += shares[at + i];
  }
  for (int i = 1; i < 8; i++) sums[0] += sums[i];
  const float scale = weight / sums[0];
  for (int i = 0; i < CUPOLA_COMPONENTS; i++) {
    shares[i] *= scale;
    occupancy[i] += shares[i];
  }
}

/* Adds a batch of projected patches to the sums. */
static void add_batch(
    struct encoder *encoder, const float *weights, float *shares) {
  const struct steps rows = {encoder->augmented_row, 1}, columns = {1, CUPOLA_COMPONENT_ROW};
  memset(shares, 0, CUPOLA_BATCH * CUPOLA_COMPONENT_ROW * sizeof *shares);
  add_product(
      encoder->augmented, rows, encoder->factors, CUPOLA_COMPONENT_ROW, shares,
      CUPOLA_COMPONENT_ROW, CUPOLA_BATCH, 2 * encoder->dimensions, filled(CUPOLA_COMPONENTS));
  for (int patch = 0; patch < CUPOLA_BATCH; patch++) {
    share_patch(
        shares + patch * CUPOLA_COMPONENT_ROW, encoder->constants, weights[patch],
        encoder->occupancy);
  }
  add_product(
      shares, columns, encoder->augmented, encoder->augmented_row, encoder->sums,
      encoder->augmented_row, CUPOLA_COMPONENTS, CUPOLA_BATCH, filled(2 * encoder->dimensions));
}

