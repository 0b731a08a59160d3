// Row functions that pay with wider vectors than every x86-64 has. They are C because Swift compiles a function for
// one kind of processor only: here the loader takes the variant that fits. All variants give the same bits: none
// contracts products and sums, and lanes are summed in the same order. Products of matrices are apart: their variant is
// chosen at each call, and all but the plain one fuse.
#ifndef CVECTORS_H
#define CVECTORS_H

#include <stdbool.h>
#include <stddef.h>

// Adds constants to scores and makes them exp(score - the largest score); tells the largest and the sums of every
// eighth power. `count` is a multiple of 8.
void cvec_powers(float *scores, const float *constants, size_t count, float *largest, float *sums);

// How much of patches belongs to each component of a mixture, times their weights. `scores` has a row of `count` a patch:
// made powers as `cvec_powers` does, each divided by their sum, times the patch's weight; 0 where that is below `least`
// times what the component has in `occupancy`, to which each row is added. `count` is a multiple of 8.
void cvec_shares(float *scores, const float *constants, size_t count, const float *weights, size_t patches,
                 float least, float *restrict occupancy);

// Adds to each of `count` rows of sums `number` rows, `stride` long, each times its share of that one: shares of 0 cost
// nothing. `shares` has a row of `count` for each of the rows. `count` is a multiple of 8.
void cvec_add_transposed_products(const float *shares, size_t count, const float *rows, size_t stride, size_t number,
                                  float *restrict sums);

// Rows twice as long: as they are, and their squares.
void cvec_augment(const float *restrict rows, size_t columns, size_t number, float *restrict both);

// The sum of the magnitudes of values: every eighth one's, then those.
float cvec_magnitudes(const float *values, size_t count);

// Makes values their signed square roots times a scale.
void cvec_signed_roots(float *values, size_t count, float scale);

// Adds the votes of a row of gradients for the bins of HOG to two rows of sums a bin, times `above` and `below`. `forms`
// has for each bin what makes the share before the next bin's center, of x and of y, and that behind the last one's.
void cvec_add_votes(const float *x, const float *y, size_t count, const float *forms, size_t bins, float above,
                    float below, float *restrict upper, float *restrict lower);

// The votes of a row of gradients for eight bins over the whole circle, eight floats a pixel from place `first` on: the
// lesser of two linear forms, or 0. `forms` are the factors of x and of y for each bin, of the one and of the other.
void cvec_signed_votes(const float *x, const float *y, size_t count, const void *forms, size_t first, void *votes);

// Pools cells of eight floats with weights 1/4, 1/2, 3/4, 1, 3/4, 1/2, 1/4. `starts` are the seven for the first
// result, and `step` is how far on those for the next one are; results go to place `first` and on.
void cvec_pool(const void *cells, const size_t starts[7], size_t step, size_t first, size_t count, void *pooled);

// Writes the descriptors of patches of HOG, 128 floats each: of 4x4 cells of eight floats, `across` and `down` from each
// other, of which the first is given for each patch. Scaled to L2 norm 1, where `epsilon` is added to the norm, cut at
// `clip`, scaled to sum 1, square roots.
void cvec_patches(const void *cells, const size_t *starts, size_t count, size_t across, size_t down, float clip,
                  float epsilon, float *descriptors);

// Sums over 2x2 pixels, from the one at `first` on and two by two, of three opponent colors (lanes 0 to 2 of eight) and
// of their squares (lanes 4 to 6), for places `at` and on. Rows of the planes are `width` long.
void cvec_opponent_sums(const float *red, const float *green, const float *blue, size_t width, size_t first,
                        size_t count, void *sums, size_t at);

// From such sums in two rows to means (lanes 0 to 2) and deviations (lanes 3 to 5) of each with its neighbors above and
// to the left, the first one's own counting twice, for places `row` and on.
void cvec_color_cells(const void *sums, size_t above, size_t row, size_t count, void *cells);

// Makes pixels of three samples planes.
void cvec_read_planes(const unsigned char *pixels, size_t count, float *restrict red, float *restrict green,
                      float *restrict blue);

// Writes sums of samples times weights, from place `first` of a plane on. `sources` and `weights` have a row of `count`
// for each of `taps`.
void cvec_gather_sums(const float *samples, const unsigned *sources, const float *weights, size_t taps, size_t count,
                      size_t first, float *restrict plane);

// Adds a row of samples, from the `first` on, each times a weight, to sums.
void cvec_add_bytes(const unsigned char *bytes, size_t first, size_t count, unsigned weight, unsigned *restrict sums);

// Writes a row of pixels from the `first` on: for each, three neighboring sums at each of its sources, times weights,
// added, times `scale`, rounded half up (a little more than half is added; see AreaResampler). One more sum than is used
// is read at the end of the row; no total reaches 2^32, no sample 256.
void cvec_gather_pixels(const unsigned *sums, const size_t *starts, const size_t *sources, const unsigned *weights,
                        size_t count, double scale, size_t first, unsigned char *pixels);

// For each of `number` rows from the `first` on, `stride` long, the eight sums of every eighth of the first `count`
// products with a vector. `count` is a multiple of 8.
void cvec_products(const float *rows, size_t stride, size_t first, size_t number, const float *vector, size_t count,
                   void *sums);

// Rows of a matrix side by side in a panel.
enum { CVEC_PANEL = 16 };

// The widest variant of the next function that the processor has: 0 is plain, 1 takes AVX2, 2 takes AVX-512.
int cvec_widest_product(void);

// Writes `number` rows, `inner` long, times the transpose of a matrix of `columns` rows, which is given in panels: of
// `CVEC_PANEL` of its rows (of zeros where there are none left) first all first numbers, then all second ones, and so on.
// Every number of the result is summed in order.
void cvec_multiply_packed(int width, const float *rows, size_t number, size_t inner, const float *panels,
                          size_t columns, float *result);

// Whether the widest variant rounds each product and its addition once, as IEEE 754's fusedMultiplyAdd.
bool cvec_fuses(void);

#endif
