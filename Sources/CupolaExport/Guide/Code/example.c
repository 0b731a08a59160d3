/* Names the building in a picture: PROGRAM PICTURE.ppm [LATITUDE LONGITUDE [ERROR]]

   Any decoder will do, such as stb_image or libjpeg-turbo; this reads the simplest format that
   converters write. Turn the picture upright first, as the orientation in its EXIF says. */
#include "cupola.h"

#include <stdio.h>
#include <stdlib.h>

static struct cupola_workspace workspace;
static uint8_t square[3 * CUPOLA_SIDE * CUPOLA_SIDE];

static uint8_t *read_ppm(const char *path, int *width, int *height) {
  FILE *file = fopen(path, "rb");
  uint8_t *rgb = NULL;
  if (file == NULL) return NULL;
  if (fscanf(file, "P6 %d %d 255", width, height) == 2 && *width > 0 && *height > 0 &&
      *width <= 65500 && *height <= 65500 && fgetc(file) != EOF) {
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

int main(int count, char **arguments) {
  float probabilities[CUPOLA_LABELS];
  int width, height;
  if (count != 2 && count != 4 && count != 5) return 64;
  const double error = count == 5 ? atof(arguments[4]) : CUPOLA_USUAL_ERROR;
  if (count > 2 && cupola_off_campus(atof(arguments[2]), atof(arguments[3]), error)) {
    puts("Not on Campus");
    return 0;
  }
  uint8_t *rgb = read_ppm(arguments[1], &width, &height);
  if (rgb == NULL) {
    fprintf(stderr, "%s: no picture of the format P6\n", arguments[1]);
    return 65;
  }
  cupola_start(&workspace);
  cupola_resize(rgb, width, height, &workspace, square);
  cupola_classify(square, &workspace, probabilities);
  free(rgb);
  const struct cupola_answer answer = cupola_answer(probabilities);
  switch (answer.verdict) {
    case CUPOLA_BUILDING:
      printf("%s (%.0f %%)\n", cupola_names[answer.label], 100 * answer.probability);
      break;
    case CUPOLA_UNSURE: printf("Unsure, perhaps %s\n", cupola_names[answer.label]); break;
    case CUPOLA_NOT_A_CAMPUS_BUILDING: puts("Not a Campus Building"); break;
  }
  return 0;
}
