// The only caller of libjpeg. It is C because libjpeg reports errors by longjmp, which must not
// cross Swift frames. No allocation of ours, no global state; errors come back as values.
#ifndef CJPEG_H
#define CJPEG_H

#include <stddef.h>
#include <stdint.h>

enum { CJPEG_MESSAGE_SIZE = 200 };

typedef enum {
  CJPEG_OK = 0,
  CJPEG_DAMAGED = 1,     // libjpeg's own fatal error; the message says which
  CJPEG_OUT_OF_SPACE = 2 // the caller's buffer is too small for the picture
} cjpeg_status;

typedef struct {
  int width;      // of the scaled picture, in pixels
  int height;
  int components; // samples a pixel in the output: 3 RGB, 4 CMYK
  int inverted;   // 1 when CMYK samples are stored inverted, as Adobe does
  long warnings;  // libjpeg "succeeds" on truncated data: this tells
  char message[CJPEG_MESSAGE_SIZE];
} cjpeg_picture;

// Decodes, scaled by scale/8 (scale in 1...8), to interleaved 8-bit samples, rows from the top, into a buffer of
// `capacity` bytes.
cjpeg_status cjpeg_decode(const uint8_t *data, size_t count, int scale, uint8_t *samples,
                          size_t capacity, cjpeg_picture *picture);

// Encodes RGB samples as a baseline JPEG, with an APP1 segment when `app1_count` > 0.
// `*written` receives the size; CJPEG_OUT_OF_SPACE when it exceeds `capacity`.
cjpeg_status cjpeg_encode(const uint8_t *rgb, int width, int height, int quality,
                          const uint8_t *app1, size_t app1_count, uint8_t *output,
                          size_t capacity, size_t *written, char *message);

#endif
