#include "Vectors.h"

VARIANTS
void cvec_gather_sums(const float *samples, const unsigned *sources, const float *weights, size_t taps, size_t count,
                      size_t first, float *restrict plane) {
  float *restrict row = plane + first;
  for (size_t at = 0; at < count; at++) row[at] = 0;
  for (size_t tap = 0; tap < taps; tap++, sources += count, weights += count) {
    for (size_t at = 0; at < count; at++) row[at] += samples[sources[at]] * weights[at];
  }
}

VARIANTS
void cvec_read_planes(const unsigned char *pixels, size_t count, float *restrict red, float *restrict green,
                      float *restrict blue) {
  for (size_t at = 0; at < count; at++) {
    red[at] = pixels[3 * at];
    green[at] = pixels[3 * at + 1];
    blue[at] = pixels[3 * at + 2];
  }
}

VARIANTS
void cvec_opponent_sums(const float *red, const float *green, const float *blue, size_t width, size_t first,
                        size_t count, void *sums, size_t at) {
  const quad weights = {1.0f / (3 * 255), 1 / (255 * 1.4142135f), 1 / (255 * 2.4494898f), 0};
  eight *result = (eight *)sums + at;
  for (size_t column = 0; column < count; column++) {
    eight sum = {0};
    for (size_t corner = 0; corner < 4; corner++) {
      const size_t pixel = first + corner / 2 * width + 2 * column + corner % 2;
      const float r = red[pixel], g = green[pixel], b = blue[pixel];
      const quad colors = (quad){(r + g) + b, r - g, (r + g) - 2 * b, 0} * weights;
      sum += __builtin_shufflevector(colors, colors * colors, 0, 1, 2, 3, 4, 5, 6, 7);
    }
    result[column] = sum;
  }
}

VARIANTS
void cvec_color_cells(const void *sums, size_t above, size_t row, size_t count, void *cells) {
  const eight *upper = (const eight *)sums + above, *lower = (const eight *)sums + row;
  eight *cell = (eight *)cells + row;
  for (size_t at = 0; at < count; at++) {
    const size_t left = at > 0 ? at - 1 : 0;
    const eight moments = ((upper[left] + upper[at]) + (lower[left] + lower[at])) * 0.0625f;
    const quad means = __builtin_shufflevector(moments, moments, 0, 1, 2, 3);
    const quad spreads = __builtin_shufflevector(moments, moments, 4, 5, 6, 7) - means * means;
    const quad variances = (quad)((quad_mask)spreads & ~(spreads < 0));
    // The fourth lane of each vector is 0.
    cell[at] = __builtin_shufflevector(means, __builtin_elementwise_sqrt(variances), 0, 1, 2, 4, 5, 6, 7, 7);
  }
}

VARIANTS
void cvec_add_bytes(const unsigned char *bytes, size_t first, size_t count, unsigned weight,
                    unsigned *restrict sums) {
  bytes += first;
  for (size_t at = 0; at < count; at++) sums[at] += weight * bytes[at];
}

VARIANTS
void cvec_gather_pixels(const unsigned *sums, const size_t *starts, const size_t *sources, const unsigned *weights,
                        size_t count, double scale, size_t first, unsigned char *pixels) {
  pixels += 3 * first;
  for (size_t at = 0; at < count; at++, pixels += 3) {
    four sum = {0};
    for (size_t tap = starts[at]; tap < starts[at + 1]; tap++) {
      sum += *(const four *)(sums + 3 * sources[tap]) * weights[tap];
    }
    const four_doubles share = __builtin_convertvector(sum, four_doubles) * scale + 0.500000001;
    const four_signed rounded = __builtin_convertvector(share, four_signed);
    for (int channel = 0; channel < 3; channel++) pixels[channel] = (unsigned char)rounded[channel];
  }
}
