/* Compares the answers for the photos in golden with Cupola's answers: PROGRAM FOLDER

   Reads the uncompressed PNG files that Cupola writes, and golden/expected.txt. Omits the rotated
   photo, because this code has no EXIF reader. The exit code is 1 if a photo fails. */
#include "cupola.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct cupola_workspace workspace;
static uint8_t square[3 * CUPOLA_SIDE * CUPOLA_SIDE];

static size_t big_endian(const uint8_t *bytes) {
  return (size_t)bytes[0] << 24 | (size_t)bytes[1] << 16 | (size_t)bytes[2] << 8 | bytes[3];
}

/* Returns the content of a file, and its size. */
static uint8_t *read_file(const char *path, size_t *size) {
  static uint8_t bytes[4 << 20];
  FILE *file = fopen(path, "rb");
  if (file == NULL) return NULL;
  *size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return bytes;
}

/* Copies the pixels of an uncompressed PNG file to its start. Returns NULL for other files. */
static uint8_t *pixels_of(uint8_t *png, size_t size, int *width, int *height) {
  size_t at = 8, count = 0, row = 0, length = 0;
  if (size < 33 || memcmp(png + 12, "IHDR", 4) != 0 || memcmp(png + 24, "\10\2", 2) != 0) return NULL;
  *width = (int)big_endian(png + 16), *height = (int)big_endian(png + 20);
  while (at + 12 <= size && memcmp(png + at + 4, "IDAT", 4) != 0) at += 12 + big_endian(png + at);
  at += 10; /* the chunk's length and name, and the zlib header */
  if (*width < 1 || *height < 1 || *width > 4096 || *height > 4096) return NULL;
  const size_t wanted = (size_t)*width * (size_t)*height * 3, line = (size_t)*width * 3;
  while (count < wanted && at < size) {
    if (length == 0) { /* the header of a block */
      if (at + 5 > size || png[at] > 1) return NULL;
      length = (size_t)png[at + 1] | (size_t)png[at + 2] << 8;
      at += 5;
      continue;
    }
    if (row++ > 0) { /* each row starts with the number of its filter, 0 */
      png[count++] = png[at];
      if (row > line) row = 0;
    } else if (png[at] != 0) {
      return NULL;
    }
    at++, length--;
  }
  return count == wanted ? png : NULL;
}

/* Compares the answer for one line of expected.txt. */
static int passes(const char *folder, FILE *expected, const char *name) {
  char path[4096];
  float probabilities[CUPOLA_LABELS];
  double tolerance, log_tolerance, latitude, longitude, difference = 0, logarithm = 0;
  int width, height, is_off;
  size_t size = 0;
  if (fscanf(expected, "%lf %lf %d %lf %lf", &tolerance, &log_tolerance, &is_off, &latitude, &longitude) != 5) return 0;
  snprintf(path, sizeof path, "%s/golden/%s", folder, name);
  uint8_t *file = read_file(path, &size), *rgb = file == NULL ? NULL : pixels_of(file, size, &width, &height);
  if (rgb != NULL) {
    cupola_resize(rgb, width, height, &workspace, square);
    cupola_classify(square, &workspace, probabilities);
  }
  for (int label = 0; label < CUPOLA_LABELS; label++) {
    double wanted;
    if (fscanf(expected, "%lf", &wanted) != 1) return 0;
    if (rgb == NULL) continue;
    const double found = (double)probabilities[label];
    difference = fmax(difference, fabs(found - wanted));
    logarithm = fmax(logarithm, fabs(log(fmax(found, 1e-30) / fmax(wanted, 1e-30))));
  }
  const int holds = rgb != NULL && difference <= tolerance && logarithm <= log_tolerance &&
                    (!is_off || cupola_off_campus(latitude, longitude, 10));
  printf("%s: %s, difference %.1e, of logarithms %.1e\n", holds ? "passed" : "FAILED", name, difference, logarithm);
  return holds;
}

int main(int count, char **arguments) {
  const char *folder = count > 1 ? arguments[1] : ".";
  char path[4096], name[64];
  int failures = 0, photos = 0;
  snprintf(path, sizeof path, "%s/golden/expected.txt", folder);
  FILE *expected = fopen(path, "r");
  if (expected == NULL) {
    fprintf(stderr, "%s: missing\n", path);
    return 66;
  }
  cupola_start(&workspace);
  for (; fscanf(expected, "%63s", name) == 1; photos++) failures += !passes(folder, expected, name);
  fclose(expected);
  return failures > 0 || photos == 0;
}
