// Calls libwebp. Empty if the WebP trait is disabled.
#ifndef CWEBP_H
#define CWEBP_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
  CWEBP_OK = 0,
  CWEBP_DAMAGED = 1,
  CWEBP_TRUNCATED = 2,   // incomplete data
  CWEBP_ANIMATION = 3,   // animation
  CWEBP_OUT_OF_SPACE = 4 // the buffer is too small
} cwebp_status;

typedef struct {
  int width;
  int height;
  int channels; // samples per pixel: 3 for RGB, 4 with alpha
} cwebp_picture;

// Reads the header.
cwebp_status cwebp_open(const uint8_t *data, size_t count, cwebp_picture *picture);

// Decodes interleaved 8-bit samples into a buffer of `capacity` bytes. Rows run from top to bottom.
cwebp_status cwebp_decode(const uint8_t *data, size_t count, uint8_t *samples, size_t capacity,
                          cwebp_picture *picture);

#endif
