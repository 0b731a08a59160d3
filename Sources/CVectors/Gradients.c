#include "Vectors.h"

VARIANTS
void cvec_add_votes(const float *x, const float *y, size_t count, const float *forms, size_t bins,
                    float above, float below, float *restrict upper, float *restrict lower) {
  for (size_t bin = 0; bin < bins; bin++, forms += 4, upper += count, lower += count) {
    for (size_t at = 0; at < count; at++) {
      const float to_next = x[at] * forms[0] + y[at] * forms[1];
      const float from_last = x[at] * forms[2] + y[at] * forms[3];
      // The gradient, its opposite, or neither lies between the adjacent bins.
      const float least = to_next < from_last ? to_next : from_last;
      const float most = to_next < from_last ? from_last : to_next;
      const float vote = (least > 0 ? least : 0) - (most < 0 ? most : 0);
      upper[at] += above * vote;
      lower[at] += below * vote;
    }
  }
}

VARIANTS
void cvec_signed_votes(const float *x, const float *y, size_t count, const void *forms, size_t first, void *votes) {
  const eight *form = forms;
  eight *vote = (eight *)votes + first;
  for (size_t at = 0; at < count; at++) {
    const eight next = form[0] * x[at] + form[1] * y[at], last = form[2] * x[at] + form[3] * y[at];
    const mask is_less = next < last;
    const eight least = (eight)(((mask)next & is_less) | ((mask)last & ~is_less));
    vote[at] = (eight)((mask)least & (least > 0));
  }
}

VARIANTS
void cvec_pool(const void *cells, const size_t starts[7], size_t step, size_t first, size_t count,
               void *pooled) {
  const eight *cell = cells, *a = cell + starts[0], *b = cell + starts[1], *c = cell + starts[2];
  const eight *d = cell + starts[3], *e = cell + starts[4], *f = cell + starts[5], *g = cell + starts[6];
  eight *result = (eight *)pooled + first;
  for (size_t at = 0; at < count; at++) {
    const size_t own = at * step;
    const eight near = c[own] + e[own], middle = b[own] + f[own], far = a[own] + g[own];
    result[at] = d[own] + near * 0.75f + middle * 0.5f + far * 0.25f;
  }
}

// Sums the lanes in order, as Swift does.
INLINE float sum_of(const eight *lanes) {
  float sum = (*lanes)[0];
  for (int lane = 1; lane < 8; lane++) sum += (*lanes)[lane];
  return sum;
}

VARIANTS
void cvec_patches(const void *cells, const size_t *starts, size_t count, size_t across, size_t down, float clip,
                  float epsilon, float *descriptors) {
  const eight limit = {clip, clip, clip, clip, clip, clip, clip, clip};
  for (size_t patch = 0; patch < count; patch++, descriptors += 128) {
    const eight *cell = (const eight *)cells + starts[patch];
    eight own[16], squares = {0}, sums = {0};
    for (size_t at = 0; at < 16; at++) {
      own[at] = cell[at / 4 * down + at % 4 * across];
      squares += own[at] * own[at];
    }
    const float scale = 1 / (__builtin_sqrtf(sum_of(&squares)) + epsilon);
    for (size_t at = 0; at < 16; at++) {
      const eight scaled = own[at] * scale;
      const mask is_less = scaled < limit;
      own[at] = (eight)(((mask)scaled & is_less) | ((mask)limit & ~is_less));
      sums += own[at];
    }
    const float share = 1 / (sum_of(&sums) + 1e-6f);
    for (size_t at = 0; at < 16; at++) *(eight *)(descriptors + 8 * at) = __builtin_elementwise_sqrt(own[at] * share);
  }
}
