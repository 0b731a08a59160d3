// Functions for rows, compiled for several vector widths. Written in C because Swift compiles each function for only
// one processor type; in C, the loader selects the best variant. All variants compute the same bits: they do not
// contract multiply-adds, and they sum lanes in the same order. Matrix products are the exception: their variant is
// chosen at each call, and all variants except the plain one use fused multiply-add.
#ifndef CVECTORS_H
#define CVECTORS_H

#include <stdbool.h>
#include <stddef.h>

// Adds constants to scores and replaces them with exp(score - maximum). Returns the maximum, and eight sums that each
// include every eighth exponential. `count` is a multiple of 8.
void cvec_powers(float *scores, const float *constants, size_t count, float *largest, float *sums);

// Computes the posteriors of mixture components for patches, multiplied by the patches' weights. `scores` has one row
// of `count` values per patch. Values below `least` times the component's `occupancy` become 0. Each row is added to
// `occupancy`. `count` is a multiple of 8.
void cvec_shares(float *scores, const float *constants, size_t count, const float *weights, size_t patches,
                 float least, float *restrict occupancy);

// Adds `number` rows of length `stride`, multiplied by their shares, to each of `count` rows of sums. Shares of 0 cost
// nothing. `shares` has `count` values for each added row. `count` is a multiple of 8.
void cvec_add_transposed_products(const float *shares, size_t count, const float *rows, size_t stride, size_t number,
                                  float *restrict sums);

// Writes rows of double length, which contain the values followed by their squares.
void cvec_augment(const float *restrict rows, size_t columns, size_t number, float *restrict both);

// Returns the sum of magnitudes. First sums every eighth value, then the eight sums.
float cvec_magnitudes(const float *values, size_t count);

// Replaces values with their signed square roots multiplied by a scale.
void cvec_signed_roots(float *values, size_t count, float scale);

// Adds a row's HOG votes to two rows of sums per bin, multiplied by `above` and `below`. `forms` has four factors per
// bin: x and y toward the next bin, and x and y from the previous bin.
void cvec_add_votes(const float *x, const float *y, size_t count, const float *forms, size_t bins, float above,
                    float below, float *restrict upper, float *restrict lower);

// Computes a row's votes for eight bins over 360 degrees: the minimum of two linear forms, but at least 0. Writes eight
// floats per pixel, starting at index `first`. `forms` has the x and y factors for the first form, then for the second.
void cvec_signed_votes(const float *x, const float *y, size_t count, const void *forms, size_t first, void *votes);

// Pools cells of eight floats with weights 1/4, 1/2, 3/4, 1, 3/4, 1/2, 1/4. `starts` has the seven cells for the first
// result, `step` is the distance to the cells for the next result, and results start at index `first`.
void cvec_pool(const void *cells, const size_t starts[7], size_t step, size_t first, size_t count, void *pooled);

// Writes a HOG descriptor of 128 floats for each patch. A patch consists of 4x4 cells of eight floats; adjacent cells
// are `across` apart in a row, and rows are `down` apart. Scales descriptors to L2 norm 1 (with `epsilon`), clips them
// at `clip`, scales them to sum 1, and takes square roots.
void cvec_patches(const void *cells, const size_t *starts, size_t count, size_t across, size_t down, float clip,
                  float epsilon, float *descriptors);

// Sums three opponent colors (lanes 0 to 2 of eight) and their squares (lanes 4 to 6) over 2x2 pixels, starting at
// pixel `first` and index `at`. The planes have rows of length `width`.
void cvec_opponent_sums(const float *red, const float *green, const float *blue, size_t width, size_t first,
                        size_t count, void *sums, size_t at);

// Computes means (lanes 0 to 2) and deviations (lanes 3 to 5) from the sums at each position and its neighbors above
// and to the left, starting at index `row`. The first position in a row counts twice.
void cvec_color_cells(const void *sums, size_t above, size_t row, size_t count, void *cells);

// Splits interleaved pixels into planes.
void cvec_read_planes(const unsigned char *pixels, size_t count, float *restrict red, float *restrict green,
                      float *restrict blue);

// Writes weighted sums of samples from a plane, starting at index `first`. `sources` and `weights` have one row of
// `count` values per tap.
void cvec_gather_sums(const float *samples, const unsigned *sources, const float *weights, size_t taps, size_t count,
                      size_t first, float *restrict plane);

// Adds a row of samples, starting at `first` and multiplied by a weight, to sums.
void cvec_add_bytes(const unsigned char *bytes, size_t first, size_t count, unsigned weight, unsigned *restrict sums);

// Writes a row of pixels, starting at `first`. Each pixel has three weighted totals of sums, multiplied by `scale` and
// rounded half up (by adding slightly more than 0.5; see AreaResampler). One more sum is read at the end of the row,
// but not used. Totals must be below 2^32 and samples below 256.
void cvec_gather_pixels(const unsigned *sums, const size_t *starts, const size_t *sources, const unsigned *weights,
                        size_t count, double scale, size_t first, unsigned char *pixels);

// For each of `number` rows of length `stride`, starting at `first`, multiplies the first `count` values by those of a
// vector. Computes eight sums that each include every eighth product. `count` is a multiple of 8.
void cvec_products(const float *rows, size_t stride, size_t first, size_t number, const float *vector, size_t count,
                   void *sums);

// The number of rows per panel in a packed matrix.
enum { CVEC_PANEL = 16 };

// The widest supported variant of cvec_multiply_packed: 0 for plain code, 1 for AVX2, 2 for AVX-512.
int cvec_widest_product(void);

// Multiplies `number` rows of length `inner` by the transpose of a matrix with `columns` rows, which is stored in
// panels. A panel has `CVEC_PANEL` rows, is padded with zeros and is stored column by column. Every result is summed in
// order.
void cvec_multiply_packed(int width, const float *rows, size_t number, size_t inner, const float *panels,
                          size_t columns, float *result);

// Whether the widest variant uses fused multiply-add (IEEE 754 fusedMultiplyAdd).
bool cvec_fuses(void);

#endif
