// Calls libpng. Empty if the PNG trait is disabled. Written in C because libpng reports errors with longjmp, which must
// not cross Swift frames.
#ifndef CPNG_H
#define CPNG_H

#include <stddef.h>
#include <stdint.h>

enum { CPNG_MESSAGE_SIZE = 200 };

typedef enum {
  CPNG_OK = 0,
  CPNG_DAMAGED = 1,     // error of libpng; see the message
  CPNG_OUT_OF_SPACE = 2 // the buffer is too small
} cpng_status;

typedef struct {
  int width;
  int height;
  int channels;         // samples per pixel: 3 for RGB, 4 with alpha
  int rows;             // decoded before an error, at least by the first pass of an interlaced image
  size_t profile_count; // size of the ICC profile in bytes
  char message[CPNG_MESSAGE_SIZE];
} cpng_picture;

// Reads the header.
cpng_status cpng_open(const uint8_t *data, size_t count, cpng_picture *picture);

// Decodes interleaved 8-bit samples into a buffer of `capacity` bytes, and copies the ICC profile into a buffer, whose
// size cpng_open returns. Rows run from top to bottom.
cpng_status cpng_decode(const uint8_t *data, size_t count, uint8_t *samples, size_t capacity, uint8_t *profile,
                        cpng_picture *picture);

#endif
