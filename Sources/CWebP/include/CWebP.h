// The only caller of libwebp, and empty without the trait WebP.
#ifndef CWEBP_H
#define CWEBP_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
  CWEBP_OK = 0,
  CWEBP_DAMAGED = 1,
  CWEBP_TRUNCATED = 2,   // the data end early
  CWEBP_ANIMATION = 3,   // several pictures
  CWEBP_OUT_OF_SPACE = 4 // the caller's buffer is too small
} cwebp_status;

typedef struct {
  int width;
  int height;
  int channels; // samples a pixel: 3 RGB, 4 with alpha
} cwebp_picture;

// Reads the size.
cwebp_status cwebp_open(const uint8_t *data, size_t count, cwebp_picture *picture);

// Decodes to interleaved 8-bit samples, rows from the top, into a buffer of `capacity` bytes.
cwebp_status cwebp_decode(const uint8_t *data, size_t count, uint8_t *samples, size_t capacity,
                          cwebp_picture *picture);

#endif
