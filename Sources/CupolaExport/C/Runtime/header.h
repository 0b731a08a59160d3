/* Three calls process a picture: cupola_resize makes the model's square input, cupola_classify
   returns one probability per label, and cupola_answer interprets them.

   No function allocates memory or has global state. Threads can run in parallel, each with its
   own workspace. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All memory except for the caller's pictures. Large: make it static or allocate it once. The
   members are private. */
struct cupola_workspace {
  uint64_t resize_sums[3 * CUPOLA_SIDE];
  uint32_t resize_rows[2][3 * CUPOLA_SIDE];
  float features[CUPOLA_FEATURES];
  double scores[CUPOLA_ROWS];
  struct cupola_features_workspace part;
};

/* The result for a picture. */
enum cupola_verdict {
  /* The building of the answer's label. */
  CUPOLA_BUILDING,
  /* No campus building that the model can recognize. */
  CUPOLA_NOT_A_CAMPUS_BUILDING,
  /* A campus building, but two are too close to call, or position and picture disagree. */
  CUPOLA_UNSURE,
  /* Probably a building on the map without training photos; based only on position and direction. */
  CUPOLA_MAPPED_BUILDING
};

struct cupola_answer {
  enum cupola_verdict verdict;
  /* The most probable building; 0 if the model has none. */
  int label;
  /* Its probability, 0 to 1, assuming that the picture does not show an unknown building. */
  float probability;
};

/* The model's labels in UTF-8. Label 0 is everything that is not a campus building. Label
   CUPOLA_BUILDINGS + 1, if it exists, is a building without training photos. */
extern const char *const cupola_labels[CUPOLA_LABELS];

/* The display names of the labels in UTF-8: the name on the map, or the label itself. */
extern const char *const cupola_names[CUPOLA_LABELS];

/* Prepares a workspace. Call once. */
void cupola_start(struct cupola_workspace *workspace);

/* Makes the model's square input from an upright picture of 8-bit sRGB samples: rows from the
   top, 3 samples per pixel, no padding. Uses exact area averaging in integers, so every machine
   gets the same bytes. The square has 3 * CUPOLA_SIDE * CUPOLA_SIDE bytes.

   Returns 0, or -1 if a side is not 1 to 65500 pixels. */
int cupola_resize(
    const uint8_t *rgb, int width, int height, struct cupola_workspace *workspace,
    uint8_t *square);

/* Computes the CUPOLA_LABELS probabilities of a square. */
void cupola_classify(
    const uint8_t *square, struct cupola_workspace *workspace, float *probabilities);

/* Interprets probabilities using the model's calibrated thresholds. */
struct cupola_answer cupola_answer(const float *probabilities);

/* Whether a place, in degrees WGS 84, is on the campus or its boundary. Always 1 if the model
   has no map; 0 for invalid coordinates. */
int cupola_fence_contains(double latitude, double longitude);

/* The position error in meters to assume if it is unknown. */
#define CUPOLA_USUAL_ERROR 15.0

/* Whether a place is outside of the campus by more than the position error in meters. 0 if the
   model has no map, for invalid coordinates, and for negative errors, which phones report if
   they have no position. */
int cupola_off_campus(double latitude, double longitude, double error);

#if CUPOLA_PLACES > 0

/* The position and direction of a photo. */
struct cupola_place {
  /* Degrees (WGS 84), and the position error in meters; CUPOLA_USUAL_ERROR if unknown. */
  double latitude, longitude, error;
  /* Heading in degrees clockwise from true north (convert magnetic headings first), and the
     horizontal field of view in degrees. NAN if unknown. */
  double heading, view;
};

struct cupola_place_answer {
  enum cupola_verdict verdict;
  /* The building of the verdict, and the second one if there are two; -1 for none. */
  int building, other;
  /* The probability of each building, 0 to 1; -INFINITY for distant buildings without training
     photos. */
  double probabilities[CUPOLA_PLACES];
};

/* Labels and names of these buildings: those of the model in its order, then other buildings on
   the map. */
extern const char *const cupola_place_labels[CUPOLA_PLACES];
extern const char *const cupola_place_names[CUPOLA_PLACES];

/* Interprets probabilities at a place that is not off the campus. For invalid coordinates or a
   negative error, use cupola_answer. */
struct cupola_place_answer cupola_answer_at(const float *probabilities, struct cupola_place place);

#endif

#ifdef __cplusplus
}
#endif

#endif
