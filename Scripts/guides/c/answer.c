/* Asks a C export: its cases, as python/answer.py has them, on stdin; an answer a line. Of two buildings
   that are too close to call, C tells the first. */
#include "cupola.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const struct cupola_answer answer) {
  switch (answer.verdict) {
    case CUPOLA_BUILDING: printf("building: %s\n", cupola_names[answer.label]); break;
    case CUPOLA_UNSURE: printf("unsure: %s\n", cupola_names[answer.label]); break;
    case CUPOLA_NOT_A_CAMPUS_BUILDING: puts("not_a_campus_building"); break;
  }
}

int main(void) {
  float probabilities[CUPOLA_LABELS] = {0};
  char kind[3], error[32];
  while (scanf("%2s", kind) == 1) {
    if (strcmp(kind, "p") == 0) {
      for (int i = 0; i < CUPOLA_LABELS; i++) {
        if (scanf("%f", &probabilities[i]) != 1) return 1;
      }
      print(cupola_answer(probabilities));
    } else {
      double latitude, longitude;
      if (scanf("%lf %lf %31s", &latitude, &longitude, error) != 3) return 1;
      const double meters = strcmp(error, "?") == 0 ? CUPOLA_USUAL_ERROR : atof(error);
      if (cupola_off_campus(latitude, longitude, meters)) {
        puts("not_on_campus");
      } else {
        print(cupola_answer(probabilities));
      }
    }
  }
  return 0;
}
