// The only caller of libpng, and empty without the trait PNG. It is C because libpng reports errors by longjmp, which
// must not cross Swift frames.
#ifndef CPNG_H
#define CPNG_H

#include <stddef.h>
#include <stdint.h>

enum { CPNG_MESSAGE_SIZE = 200 };

typedef enum {
  CPNG_OK = 0,
  CPNG_DAMAGED = 1,     // libpng's own error; the message says which
  CPNG_OUT_OF_SPACE = 2 // the caller's buffer is too small
} cpng_status;

typedef struct {
  int width;
  int height;
  int channels;         // samples a pixel: 3 RGB, 4 with alpha
  int rows;             // that were decoded before an error, if only by the first pass of an interlaced picture
  size_t profile_count; // bytes of the ICC profile
  char message[CPNG_MESSAGE_SIZE];
} cpng_picture;

// Reads what stands before the picture data.
cpng_status cpng_open(const uint8_t *data, size_t count, cpng_picture *picture);

// Decodes to interleaved 8-bit samples, rows from the top, into a buffer of `capacity` bytes, and the ICC profile into
// one of the size that cpng_open told.
cpng_status cpng_decode(const uint8_t *data, size_t count, uint8_t *samples, size_t capacity, uint8_t *profile,
                        cpng_picture *picture);

#endif
