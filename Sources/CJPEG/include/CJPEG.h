// Calls libjpeg. Written in C because libjpeg reports errors with longjmp, which must not cross Swift frames. The
// functions allocate no memory, have no global state, and return errors as values.
#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

enum { CJPEG_MESSAGE_SIZE = 200 };

typedef enum {
  CJPEG_OK = 0,
  CJPEG_DAMAGED = 1,     // fatal error of libjpeg; see the message
  CJPEG_OUT_OF_SPACE = 2 // the buffer is too small for the image
} cjpeg_status;

typedef struct {
  int width;      // of the scaled image in pixels
  int height;
  int components; // samples per pixel in the output: 3 for RGB, 4 for CMYK
  int inverted;   // 1 if CMYK samples are inverted, as in Adobe files
  long warnings;  // warnings about missing pixels, such as those of truncated data
  char message[CJPEG_MESSAGE_SIZE];
} cjpeg_picture;

// Decodes interleaved 8-bit samples, scaled by scale/8 (scale is 1 to 8), into a buffer of `capacity` bytes. Rows run
// from top to bottom.
cjpeg_status cjpeg_decode(const uint8_t *data, size_t count, int scale, uint8_t *samples,
                          size_t capacity, cjpeg_picture *picture);

// Encodes RGB samples as a baseline JPEG, with an APP1 segment if `app1_count` > 0. Sets `*written` to the file size.
// Returns CJPEG_OUT_OF_SPACE if the size exceeds `capacity`.
cjpeg_status cjpeg_encode(const uint8_t *rgb, int width, int height, int quality,
                          const uint8_t *app1, size_t app1_count, uint8_t *output,
                          size_t capacity, size_t *written, char *message);

#endif
