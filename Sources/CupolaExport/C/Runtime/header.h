/* A picture goes through three calls: cupola_resize makes it the square that the model looks at,
   cupola_classify gives one probability a label, cupola_answer says what they mean.

   Nothing here allocates memory or keeps state of its own: threads work side by side, each with
   its own workspace. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All memory that is needed beside the caller's pictures. It is large: make it static, or allocate
   it once. Its parts are private. */
struct cupola_workspace {
  uint64_t resize_sums[3 * CUPOLA_SIDE];
  uint32_t resize_rows[2][3 * CUPOLA_SIDE];
  float features[CUPOLA_FEATURES];
  double scores[CUPOLA_ROWS];
  struct cupola_features_workspace part;
};

/* What a picture shows. */
enum cupola_verdict {
  /* The building of the answer's label. */
  CUPOLA_BUILDING,
  /* Nothing that the model knows. */
  CUPOLA_NOT_A_CAMPUS_BUILDING,
  /* A building of the campus, but two of them are too close to call, or place and picture say two. */
  CUPOLA_UNSURE,
  /* Probably a building that the map knows and no photo trained, by position and direction only. */
  CUPOLA_MAPPED_BUILDING
};

struct cupola_answer {
  enum cupola_verdict verdict;
  /* The most probable building; 0 when the model knows none. */
  int label;
  /* How probable it is, 0 to 1, if the picture shows nothing unknown. */
  float probability;
};

/* For each label its name in the model, in UTF-8. Label 0 is everything that is no building of the
   campus; label CUPOLA_BUILDINGS + 1, if there is one, is a building that did not train. */
extern const char *const cupola_labels[CUPOLA_LABELS];

/* For each label what people call it, in UTF-8: the map's name, or the label itself. */
extern const char *const cupola_names[CUPOLA_LABELS];

/* Prepares a workspace, once. */
void cupola_start(struct cupola_workspace *workspace);

/* Makes the model's square from an upright picture of 8-bit sRGB samples: rows from the top, three
   samples a pixel, no padding. Exact area averaging in integers: every machine gets the same bytes.
   The square has 3 * CUPOLA_SIDE * CUPOLA_SIDE bytes.

   Returns 0, or -1 when a side is not 1 to 65500. */
int cupola_resize(
    const uint8_t *rgb, int width, int height, struct cupola_workspace *workspace,
    uint8_t *square);

/* Gives the probability of each label, CUPOLA_LABELS in all, for a square. */
void cupola_classify(
    const uint8_t *square, struct cupola_workspace *workspace, float *probabilities);

/* Says what probabilities mean, with the thresholds that the model was calibrated to. */
struct cupola_answer cupola_answer(const float *probabilities);

/* Whether a place, in degrees WGS 84, lies on the campus; its boundary does. 1 for every place when
   the model has no map, and 0 for what is no place. */
int cupola_fence_contains(double latitude, double longitude);

/* The error of a position, in meters, where nobody said. */
#define CUPOLA_USUAL_ERROR 15.0

/* Whether a place surely lies off the campus: outside, and farther from it than the error of the
   position in meters. 0 when the model has no map, and for what is no place or has an error below 0,
   which is how phones say that they have no position. */
int cupola_off_campus(double latitude, double longitude, double error);

#if CUPOLA_PLACES > 0

/* Where a photo was taken. */
struct cupola_place {
  /* Degrees, WGS 84, and meters within which that is right, CUPOLA_USUAL_ERROR where nobody said. */
  double latitude, longitude, error;
  /* Degrees clockwise from true north, so turn magnetic ones first, and degrees that the photo shows from
     left to right; NAN is unknown. */
  double heading, view;
};

struct cupola_place_answer {
  enum cupola_verdict verdict;
  /* The building that the verdict is about, and of two the other; -1 is none. */
  int building, other;
  /* For each building how probable it is, 0 to 1; -INFINITY for those far away that did not train. */
  double probabilities[CUPOLA_PLACES];
};

/* Labels and names of those buildings: the model's in its order, then the others of the map. */
extern const char *const cupola_place_labels[CUPOLA_PLACES];
extern const char *const cupola_place_names[CUPOLA_PLACES];

/* Says what probabilities mean at a place that is not off the campus. For what is no place or has an
   error below 0, ask cupola_answer. */
struct cupola_place_answer cupola_answer_at(const float *probabilities, struct cupola_place place);

#endif

#ifdef __cplusplus
}
#endif

#endif
