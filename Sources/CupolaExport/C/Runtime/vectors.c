/* Use independent sums, because a single chain of additions would be limited by latency. */
static float dot(const float *a, const float *b, int count) {
  float sums[16] = {0};
  int i = 0;
  for (; i + 16 <= count; i += 16) {
    for (int lane = 0; lane < 16; lane++) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (int width = 8; width > 0; width /= 2) {
    for (int lane = 0; lane < width; lane++) sums[lane] += sums[lane + width];
  }
  float sum = sums[0];
  for (; i < count; i++) sum += a[i] * b[i];
  return sum;
}

/* Scales a vector to norm 1. A zero vector is unchanged. */
static void make_unit(float *vector, int count) {
  const float norm = sqrtf(dot(vector, vector, count));
  if (!(norm > 0)) return;
  for (int i = 0; i < count; i++) vector[i] /= norm;
}

