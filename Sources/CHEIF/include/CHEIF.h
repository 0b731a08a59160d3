// Calls libheif. Empty if the HEIF trait is disabled. Functions free all libheif memory before they return.
#ifndef CHEIF_H
#define CHEIF_H

#include <stddef.h>
#include <stdint.h>

enum { CHEIF_MESSAGE_SIZE = 200 };

typedef enum {
  CHEIF_OK = 0,
  CHEIF_DAMAGED = 1,     // error of libheif; see the message
  CHEIF_OUT_OF_SPACE = 2 // the buffer is too small
} cheif_status;

typedef struct {
  int width; // after rotation
  int height;
  int channels;         // samples per pixel: 3 for RGB, 4 with alpha
  int primaries;        // ISO/IEC 23091-2; 0 if unknown
  size_t exif_count;    // size of the EXIF item in bytes
  size_t profile_count; // size of the ICC profile in bytes
  char message[CHEIF_MESSAGE_SIZE];
} cheif_picture;

// Reads the primary image's header.
cheif_status cheif_open(const uint8_t *data, size_t count, cheif_picture *picture);

// Copies the EXIF item and the ICC profile into buffers, whose sizes cheif_open returns.
cheif_status cheif_read(const uint8_t *data, size_t count, uint8_t *exif, uint8_t *profile,
                        cheif_picture *picture);

// Decodes interleaved 8-bit samples into a buffer of `capacity` bytes. Rows run from top to bottom.
cheif_status cheif_decode(const uint8_t *data, size_t count, uint8_t *samples, size_t capacity,
                          cheif_picture *picture);

#endif
