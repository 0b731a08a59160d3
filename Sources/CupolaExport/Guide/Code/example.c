/* Names the building in an image: PROGRAM PICTURE.ppm [LATITUDE LONGITUDE [ERROR [HEADING]]]

   You can use any decoder, for example stb_image or libjpeg-turbo. This program reads PPM, the
   simplest format. Rotate the image upright first, using its EXIF orientation. */
#include "cupola.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct cupola_workspace workspace;
static uint8_t square[3 * CUPOLA_SIDE * CUPOLA_SIDE];

static uint8_t *read_ppm(const char *path, int *width, int *height) {
  FILE *file = fopen(path, "rb");
  uint8_t *rgb = NULL;
  int end = 0; /* of the header; 0 if it is invalid */
  if (file == NULL) return NULL;
  if (fscanf(file, "P6 %6d %6d 255%n", width, height, &end) == 2 && end > 0 && isspace(fgetc(file)) &&
      *width > 0 && *height > 0 && *width <= 65500 && *height <= 65500 &&
      (size_t)*width <= SIZE_MAX / 3 / (size_t)*height) {
    const size_t size = (size_t)*width * (size_t)*height * 3;
    rgb = malloc(size);
    if (rgb != NULL && fread(rgb, 1, size, file) != size) {
      free(rgb);
      rgb = NULL;
    }
  }
  fclose(file);
  return rgb;
}

/* Prints the answer in the words of `cupola classify`. */
static void print(enum cupola_verdict verdict, const char *name, const char *other, double probability) {
  switch (verdict) {
    case CUPOLA_BUILDING: printf("%s (%.1f%%)\n", name, 100 * probability); break;
    case CUPOLA_MAPPED_BUILDING: printf("Probably %s\n", name); break;
    case CUPOLA_UNSURE: printf("Unsure: %s or %s\n", name, other); break;
    case CUPOLA_NOT_A_CAMPUS_BUILDING: puts("Not a Campus Building"); break;
  }
}

int main(int count, char **arguments) {
  float probabilities[CUPOLA_LABELS];
  int width, height;
  if (count < 2 || count == 3 || count > 6) return 64;
  const double error = count > 4 ? atof(arguments[4]) : CUPOLA_USUAL_ERROR;
  if (count > 2 && cupola_off_campus(atof(arguments[2]), atof(arguments[3]), error)) {
    puts("Not on Campus");
    return 0;
  }
  uint8_t *rgb = read_ppm(arguments[1], &width, &height);
  if (rgb == NULL) {
    fprintf(stderr, "%s: not a PPM file (P6)\n", arguments[1]);
    return 65;
  }
  cupola_start(&workspace);
  cupola_resize(rgb, width, height, &workspace, square);
  cupola_classify(square, &workspace, probabilities);
  free(rgb);
#if CUPOLA_PLACES > 0
  const double heading = count > 5 ? atof(arguments[5]) : NAN;
  /* The horizontal field of view of a phone. NAN assumes that the phone is held in landscape
     orientation. */
  const double view = width < height ? 51.42 : NAN;
  const struct cupola_place place = {
      count > 2 ? atof(arguments[2]) : NAN, count > 2 ? atof(arguments[3]) : NAN, error, heading, view};
  /* A negative error means that there is no position. */
  if (fabs(place.latitude) <= 90 && fabs(place.longitude) <= 180 && error >= 0) {
    const struct cupola_place_answer found = cupola_answer_at(probabilities, place);
    const int first = found.building < 0 ? 0 : found.building, second = found.other < 0 ? first : found.other;
    print(found.verdict, cupola_place_names[first], cupola_place_names[second], found.probabilities[first]);
    return 0;
  }
#endif
  const struct cupola_answer answer = cupola_answer(probabilities);
  print(answer.verdict, cupola_names[answer.label], cupola_names[answer.other], (double)answer.probability);
  return 0;
}
