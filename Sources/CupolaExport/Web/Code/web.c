
/* Functions for JavaScript, which writes an image into memory and reads one number per call. */
#define EXPORT(name) __attribute__((export_name("cupola_web_" #name))) web_##name

static struct cupola_workspace web_workspace;
static uint8_t web_square[3 * CUPOLA_SIDE * CUPOLA_SIDE];
static float web_image[CUPOLA_LABELS];

/* The reason for an answer, as in the library. */
static enum {
  RECOGNIZED, BY_PLACE_ONLY, TOO_CLOSE, CONTRADICTED, BACKGROUND, UNKNOWN_BUILDING, UNFAMILIAR, NO_BUILDINGS
} reason;
static int buildings[2];
/* The probabilities of the buildings or of the reason. */
static double shares[2];

void EXPORT(start)(void) { cupola_start(&web_workspace); }
float *EXPORT(probabilities)(void) { return web_image; }
int EXPORT(label_count)(void) { return CUPOLA_LABELS; }

/* Computes the probabilities of an image in RGBA rows, as canvases provide them. Overwrites the image. */
int EXPORT(look)(uint8_t *pixels, int width, int height) {
  for (int pixel = 1; pixel < width * height; pixel++) {
    for (int channel = 0; channel < 3; channel++) pixels[3 * pixel + channel] = pixels[4 * pixel + channel];
  }
  if (cupola_resize(pixels, width, height, &web_workspace, web_square) != 0) return -1;
  cupola_classify(web_square, &web_workspace, web_image);
  return 0;
}

int EXPORT(off_campus)(double latitude, double longitude, double error) {
  return cupola_off_campus(latitude, longitude, error);
}

/* Whether the image is rejected, given the probability of the best building and the total of all
   others. `unknown` is the part of the latter for unknown buildings, and `shown` the probability of
   the best building in the answer. */
static int rejects(double best, double others, double unknown, double shown) {
  if (!(CUPOLA_HAS_BACKGROUND || CUPOLA_HAS_UNKNOWN)) return 0;
  if (log(best) - log(others) >= CUPOLA_LEAST_ODDS) return 0;
  reason = unknown > others / 2 ? UNKNOWN_BUILDING : BACKGROUND;
  shares[0] = others, shares[1] = shown;
  return 1;
}

/* Explains a verdict. `all` contains the probabilities of `count` buildings, and `known` is the
   probability that the building is not unknown. */
static void explain(enum cupola_verdict verdict, const double *all, int count, double known) {
  double total = 0, best = 0, second = 0;
  for (int i = 0; i < count; i++) {
    total += fmax(all[i], 0);
    second = fmax(second, fmin(best, all[i]));
    best = fmax(best, all[i]);
  }
  for (int i = 0; i < 2; i++) shares[i] = buildings[i] < 0 || known <= 0 ? 0 : fmax(all[buildings[i]], 0) / known;
  const double share = total > 0 ? best / total : 0, next = total > 0 ? second / total : 0;
  const int is_close = share < CUPOLA_LEAST_SHARE && share + next >= CUPOLA_LEAST_SHARE;
  switch (verdict) {
    case CUPOLA_BUILDING: reason = RECOGNIZED; break;
    case CUPOLA_MAPPED_BUILDING: reason = BY_PLACE_ONLY; break;
    case CUPOLA_UNSURE: reason = is_close && all[buildings[0]] >= best ? TOO_CLOSE : CONTRADICTED; break;
    case CUPOLA_NOT_A_CAMPUS_BUILDING:
      reason = UNFAMILIAR, shares[0] = share, shares[1] = CUPOLA_LEAST_SHARE;
  }
}

/* Computes the answer. Invalid degrees or a negative error mean that the position is unknown. */
void EXPORT(answer)(double latitude, double longitude, double error, double heading, double view) {
  double seen[CUPOLA_BUILDINGS + 1], best = 0, unknown = 0;
  buildings[0] = buildings[1] = -1, reason = NO_BUILDINGS, shares[0] = shares[1] = 0;
  for (int i = 0; i < CUPOLA_BUILDINGS; i++) best = fmax(best, seen[i] = (double)web_image[i + 1]);
#if CUPOLA_HAS_UNKNOWN
  unknown = (double)web_image[CUPOLA_LABELS - 1];
#endif
  const double others = (double)web_image[0] + unknown;
#if CUPOLA_PLACES > 0
  if (fabs(latitude) <= 90 && fabs(longitude) <= 180 && error >= 0) {
    const struct cupola_place place = {latitude, longitude, error, heading, view};
    const struct cupola_place_answer answer = cupola_answer_at(web_image, place);
    double total = 0, greatest_share = 0, rest = unknown;
    for (int i = 0; i < CUPOLA_PLACES; i++) {
      total += fmax(answer.probabilities[i], 0);
      greatest_share = fmax(greatest_share, answer.probabilities[i]);
      /* Nearby buildings without training photos replace the label for unknown buildings. */
      if (i >= CUPOLA_BUILDINGS && answer.probabilities[i] > -INFINITY) rest = 0;
    }
    const double missing = fmax(1 - total, 0), part = others > 0 ? rest / others : 0, known = 1 - unknown + rest;
    buildings[0] = answer.building, buildings[1] = answer.other;
    if (answer.verdict == CUPOLA_NOT_A_CAMPUS_BUILDING) {
      if (rejects(greatest_share, missing, missing * part, greatest_share)) return;
      if (rejects(best / known, (others - unknown + rest) / known, rest / known, greatest_share)) return;
    }
    explain(answer.verdict, answer.probabilities, CUPOLA_PLACES, 1);
    return;
  }
#endif
  const struct cupola_answer answer = cupola_answer(web_image);
  if (answer.label == 0) return;
  buildings[0] = answer.label - 1, buildings[1] = answer.other - 1;
  if (answer.verdict == CUPOLA_NOT_A_CAMPUS_BUILDING && rejects(best, others, unknown, best)) return;
  explain(answer.verdict, seen, CUPOLA_BUILDINGS, 1 - unknown);
}

int EXPORT(reason)(void) { return (int)reason; }
int EXPORT(building)(int index) { return buildings[index]; }
double EXPORT(share)(int index) { return shares[index]; }

/* Labels and names of buildings by index from 0: those of the model, then the others of the map. */
#if CUPOLA_PLACES > 0
static const char *const *const web_labels = cupola_place_labels, *const *const web_names = cupola_place_names;
#else
static const char *const *const web_labels = cupola_labels + 1, *const *const web_names = cupola_names + 1;
#endif

const char *EXPORT(label)(int building) { return web_labels[building]; }
const char *EXPORT(name)(int building) { return web_names[building]; }
