/* Runs a C export. Reads cases in the format of python/answer.py from stdin and prints one answer per line.
   The answers to photos are in the words of `cupola classify`. */
#include "cupola.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const verdicts[] = {"building", "not_a_campus_building", "unsure", "mapped_building"};

/* Reads a number; "?" is NAN. */
static double number(void) {
  char word[64];
  if (scanf("%63s", word) != 1) exit(1);
  return strcmp(word, "?") == 0 ? NAN : atof(word);
}

#if CUPOLA_PLACES > 0
static void print_here(const float *probabilities, struct cupola_place place) {
  struct cupola_place_answer answer = cupola_answer_at(probabilities, place);
  printf("%s ", verdicts[answer.verdict]);
  if (answer.building >= 0) printf("%s", cupola_place_labels[answer.building]);
  if (answer.other >= 0) printf(",%s", cupola_place_labels[answer.other]);
  for (int count = 0; count < 3; count++) {
    int best = 0;
    for (int b = 1; b < CUPOLA_PLACES; b++) {
      if (answer.probabilities[b] > answer.probabilities[best]) best = b;
    }
    if (answer.probabilities[best] < 0) break;
    printf(" %s=%.17g", cupola_place_labels[best], answer.probabilities[best]);
    answer.probabilities[best] = -INFINITY;
  }
  puts("");
}
#else
struct cupola_place {
  double latitude, longitude, error, heading, view;
};

static void print_here(const float *probabilities, struct cupola_place place) {
  (void)probabilities, (void)place;
}
#endif

static void here(void) {
  float probabilities[CUPOLA_LABELS];
  struct cupola_place place;
  place.latitude = number(), place.longitude = number(), place.error = number();
  place.heading = number(), place.view = number();
  for (int i = 0; i < CUPOLA_LABELS; i++) probabilities[i] = (float)number();
  if (isnan(place.error)) place.error = CUPOLA_USUAL_ERROR;
  if (place.error < 0) {
    puts(verdicts[cupola_answer(probabilities).verdict]);
  } else if (cupola_off_campus(place.latitude, place.longitude, place.error)) {
    puts("not_on_campus");
  } else {
    print_here(probabilities, place);
  }
}

static void print(const struct cupola_answer answer) {
  switch (answer.verdict) {
    case CUPOLA_BUILDING:
      printf("%s (%.1f%%)\n", cupola_names[answer.label], 100 * (double)answer.probability);
      break;
    case CUPOLA_UNSURE: printf("Unsure: %s or %s\n", cupola_names[answer.label], cupola_names[answer.other]); break;
    default: puts("Not a Campus Building"); break;
  }
}

int main(void) {
  float probabilities[CUPOLA_LABELS] = {0};
  char kind[5], error[32];
  while (scanf("%4s", kind) == 1) {
    if (strcmp(kind, "here") == 0) {
      here();
    } else if (strcmp(kind, "p") == 0) {
      for (int i = 0; i < CUPOLA_LABELS; i++) {
        if (scanf("%f", &probabilities[i]) != 1) return 1;
      }
      print(cupola_answer(probabilities));
    } else {
      double latitude, longitude;
      if (scanf("%lf %lf %31s", &latitude, &longitude, error) != 3) return 1;
      const double meters = strcmp(error, "?") == 0 ? CUPOLA_USUAL_ERROR : atof(error);
      if (cupola_off_campus(latitude, longitude, meters)) {
        puts("Not on Campus");
      } else {
        print(cupola_answer(probabilities));
      }
    }
  }
  return 0;
}
