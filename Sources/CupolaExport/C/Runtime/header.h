/* Three calls process an image: cupola_resize creates the model's square input, cupola_classify
   returns one probability per label, and cupola_answer interprets the probabilities.

   No function allocates memory or uses global state. Threads can run in parallel if each has its
   own workspace. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* All memory that the functions need in addition to the caller's images. It is large, so make it
   static or allocate it once. The members are private. */
struct cupola_workspace {
  uint64_t resize_sums[3 * CUPOLA_SIDE];
  uint32_t resize_rows[2][3 * CUPOLA_SIDE];
  float features[CUPOLA_FEATURES];
  double scores[CUPOLA_ROWS];
  struct cupola_features_workspace part;
};

/* The result for an image. */
enum cupola_verdict {
  /* A building; see the answer's label. */
  CUPOLA_BUILDING,
  /* Not a campus building that the model can recognize. */
  CUPOLA_NOT_A_CAMPUS_BUILDING,
  /* A campus building, but two are too close to call, or position and image disagree. */
  CUPOLA_UNSURE,
  /* Probably a building that is on the map but has no training photos, based only on position and
     heading. */
  CUPOLA_MAPPED_BUILDING
};

struct cupola_answer {
  enum cupola_verdict verdict;
  /* The most probable building; 0 if the model has none. */
  int label;
  /* Its probability, 0 to 1, assuming that the image does not show an unknown building. */
  float probability;
  /* For CUPOLA_UNSURE, the other of the two buildings; otherwise 0. */
  int other;
};

/* The model's labels in UTF-8. Label 0 stands for everything that is not a campus building. Label
   CUPOLA_BUILDINGS + 1, if it exists, stands for buildings without training photos. */
extern const char *const cupola_labels[CUPOLA_LABELS];

/* The labels' display names in UTF-8: the name on the map, or the label itself. */
extern const char *const cupola_names[CUPOLA_LABELS];

/* Prepares a workspace. Call it once per workspace. */
void cupola_start(struct cupola_workspace *workspace);

/* Creates the model's square input from an upright image with 8-bit sRGB samples: rows from top to
   bottom, 3 samples per pixel, no padding. Uses exact area averaging in integer arithmetic, so
   every machine produces the same bytes. The square has 3 * CUPOLA_SIDE * CUPOLA_SIDE bytes.

   Returns 0, or -1 if a side is outside 1 to 65500 pixels. */
int cupola_resize(
    const uint8_t *rgb, int width, int height, struct cupola_workspace *workspace,
    uint8_t *square);

/* Computes the CUPOLA_LABELS probabilities for a square. */
void cupola_classify(
    const uint8_t *square, struct cupola_workspace *workspace, float *probabilities);

/* Interprets probabilities using the model's calibrated thresholds. */
struct cupola_answer cupola_answer(const float *probabilities);

/* Whether a position (WGS 84 degrees) is on the campus or its boundary. Always 1 if the model has
   no map; 0 for invalid coordinates. */
int cupola_fence_contains(double latitude, double longitude);

/* The position error in meters to assume if it is unknown. */
#define CUPOLA_USUAL_ERROR 15.0

/* Whether a position is outside the campus by more than its error in meters. 0 if the model has no
   map, if the coordinates are invalid, or if the error is negative, which means that the phone has
   no position. */
int cupola_off_campus(double latitude, double longitude, double error);

#if CUPOLA_PLACES > 0

/* The camera's position and heading. */
struct cupola_place {
  /* WGS 84 degrees, and the position error in meters (CUPOLA_USUAL_ERROR if unknown). */
  double latitude, longitude, error;
  /* The heading in degrees clockwise from true north (convert magnetic headings first), and the
     horizontal field of view in degrees. Use NAN for unknown values. */
  double heading, view;
};

struct cupola_place_answer {
  enum cupola_verdict verdict;
  /* The verdict's building, and a second building if the verdict is between two; -1 if there is
     none. */
  int building, other;
  /* Each building's probability, 0 to 1; -INFINITY for distant buildings without training photos. */
  double probabilities[CUPOLA_PLACES];
};

/* The labels and names of these buildings: the model's buildings in the same order, then the other
   buildings on the map. */
extern const char *const cupola_place_labels[CUPOLA_PLACES];
extern const char *const cupola_place_names[CUPOLA_PLACES];

/* Interprets probabilities together with a position that is not off campus. For invalid coordinates
   or a negative error, use cupola_answer. */
struct cupola_place_answer cupola_answer_at(const float *probabilities, struct cupola_place place);

#endif

#ifdef __cplusplus
}
#endif

#endif
