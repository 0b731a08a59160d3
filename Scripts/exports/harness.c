/* Tests a C export: HARNESS MODE ARGUMENTS, with images on standard input.

   texts              labels, then names, each as the hexadecimal digits of its bytes
   classify           the probabilities, verdict and label of each square
   time N             the median of N times of the first square in milliseconds
   resize W H         the square of an image as bytes
   fence LAT LON ...  0 or 1 for each position: whether it is inside the fence
   off LAT LON ERROR ...  0 or 1 for each position: whether it is off the campus */
#define _POSIX_C_SOURCE 199309L
#include "cupola.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct cupola_workspace workspace;
static uint8_t square[3 * CUPOLA_SIDE * CUPOLA_SIDE];

static void print_texts(const char *const *texts) {
  for (int i = 0; i < CUPOLA_LABELS; i++) {
    for (const char *c = texts[i]; *c != 0; c++) printf("%02x", (unsigned)(unsigned char)*c);
    putchar('\n');
  }
}

static void classify(void) {
  float probabilities[CUPOLA_LABELS];
  while (fread(square, 1, sizeof square, stdin) == sizeof square) {
    cupola_classify(square, &workspace, probabilities);
    for (int i = 0; i < CUPOLA_LABELS; i++) printf("%.9g ", probabilities[i]);
    const struct cupola_answer answer = cupola_answer(probabilities);
    printf("%d %d %.9g\n", (int)answer.verdict, answer.label, (double)answer.probability);
  }
}

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static int measure(int count) {
  float probabilities[CUPOLA_LABELS];
  double *times = malloc((size_t)count * sizeof *times);
  if (times == NULL || fread(square, 1, sizeof square, stdin) != sizeof square) return 1;
  for (int i = 0; i < count; i++) {
    const double start = milliseconds();
    cupola_classify(square, &workspace, probabilities);
    times[i] = milliseconds() - start;
  }
  qsort(times, (size_t)count, sizeof *times, compare);
  printf("%.4f\n", times[count / 2]);
  free(times);
  return 0;
}

static int resize(int width, int height) {
  const size_t size = (size_t)width * (size_t)height * 3;
  uint8_t *rgb = malloc(size);
  int status = rgb == NULL || fread(rgb, 1, size, stdin) != size;
  status = status || cupola_resize(rgb, width, height, &workspace, square) != 0;
  if (!status) fwrite(square, 1, sizeof square, stdout);
  free(rgb);
  return status;
}

int main(int count, char **arguments) {
  const char *mode = count > 1 ? arguments[1] : "";
  cupola_start(&workspace);
  if (strcmp(mode, "texts") == 0) {
    print_texts(cupola_labels);
    print_texts(cupola_names);
    return 0;
  }
  if (strcmp(mode, "classify") == 0) {
    classify();
    return 0;
  }
  if (strcmp(mode, "time") == 0 && count == 3) return measure(atoi(arguments[2]));
  if (strcmp(mode, "resize") == 0 && count == 4) {
    return resize(atoi(arguments[2]), atoi(arguments[3]));
  }
  if (strcmp(mode, "fence") == 0) {
    for (int i = 2; i + 1 < count; i += 2) {
      printf("%d\n", cupola_fence_contains(strtod(arguments[i], NULL), strtod(arguments[i + 1], NULL)));
    }
    return 0;
  }
  if (strcmp(mode, "off") == 0) {
    for (int i = 2; i + 2 < count; i += 3) {
      const double latitude = strtod(arguments[i], NULL), longitude = strtod(arguments[i + 1], NULL);
      printf("%d\n", cupola_off_campus(latitude, longitude, strtod(arguments[i + 2], NULL)));
    }
    return 0;
  }
  return 64;
}
