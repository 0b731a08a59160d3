/* Functions of a C export for JavaScript, which writes a frame to cupola_web_pixels and reads one number per call. */
#include "cupola.h"

#include <math.h>

/* The maximum number of pixels; the page reduces larger frames. */
#define MOST_PIXELS (1280 * 1280)

#define EXPORT(name) __attribute__((export_name(#name))) name

static struct cupola_workspace workspace;
static uint8_t pixels[4 * MOST_PIXELS];
static uint8_t square[3 * CUPOLA_SIDE * CUPOLA_SIDE];
static float probabilities[CUPOLA_LABELS];
static enum cupola_verdict verdict;
static int first, second;
static double probability;

void EXPORT(cupola_web_start)(void) { cupola_start(&workspace); }
int EXPORT(cupola_web_most_pixels)(void) { return MOST_PIXELS; }
uint8_t *EXPORT(cupola_web_pixels)(void) { return pixels; }
float *EXPORT(cupola_web_probabilities)(void) { return probabilities; }
int EXPORT(cupola_web_labels)(void) { return CUPOLA_LABELS; }

/* Computes the probabilities of a frame in RGBA rows, as canvases provide them. */
int EXPORT(cupola_web_look)(int width, int height) {
  if (width < 1 || height < 1 || (long long)width * height > MOST_PIXELS) return -1;
  for (int pixel = 1; pixel < width * height; pixel++) {
    for (int channel = 0; channel < 3; channel++) pixels[3 * pixel + channel] = pixels[4 * pixel + channel];
  }
  if (cupola_resize(pixels, width, height, &workspace, square) != 0) return -1;
  cupola_classify(square, &workspace, probabilities);
  return 0;
}

int EXPORT(cupola_web_off_campus)(double latitude, double longitude, double error) {
  return cupola_off_campus(latitude, longitude, error);
}

/* Computes the answer. Invalid degrees or a negative error mean that the position is unknown. */
void EXPORT(cupola_web_answer)(double latitude, double longitude, double error, double heading, double view) {
#if CUPOLA_PLACES > 0
  if (fabs(latitude) <= 90 && fabs(longitude) <= 180 && error >= 0) {
    const struct cupola_place place = {latitude, longitude, error, heading, view};
    const struct cupola_place_answer answer = cupola_answer_at(probabilities, place);
    verdict = answer.verdict;
    first = answer.building;
    second = answer.other;
    probability = first < 0 ? 0 : fmax(answer.probabilities[first], 0);
    return;
  }
#endif
  const struct cupola_answer answer = cupola_answer(probabilities);
  verdict = answer.verdict;
  first = answer.label - 1;
  probability = answer.probability;
  second = answer.other - 1;
}

int EXPORT(cupola_web_verdict)(void) { return (int)verdict; }
int EXPORT(cupola_web_first)(void) { return first; }
int EXPORT(cupola_web_second)(void) { return second; }
double EXPORT(cupola_web_probability)(void) { return probability; }

/* Labels and names of buildings by index from 0: those of the model, then the others of the map. */
#if CUPOLA_PLACES > 0
static const char *const *const labels = cupola_place_labels, *const *const names = cupola_place_names;
#else
static const char *const *const labels = cupola_labels + 1, *const *const names = cupola_names + 1;
#endif

const char *EXPORT(cupola_web_building_label)(int building) { return labels[building]; }
const char *EXPORT(cupola_web_building_name)(int building) { return names[building]; }
