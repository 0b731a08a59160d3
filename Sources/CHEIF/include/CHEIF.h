// The only caller of libheif, and empty without the trait HEIF. No memory of libheif's outlives a call.
#ifndef CHEIF_H
#define CHEIF_H

#include <stddef.h>
#include <stdint.h>

enum { CHEIF_MESSAGE_SIZE = 200 };

typedef enum {
  CHEIF_OK = 0,
  CHEIF_DAMAGED = 1,     // libheif's own error; the message says which
  CHEIF_OUT_OF_SPACE = 2 // the caller's buffer is too small
} cheif_status;

typedef struct {
  int width; // upright: the file's own turns are done
  int height;
  int channels;         // samples a pixel: 3 RGB, 4 with alpha
  int primaries;        // ISO/IEC 23091-2, 0 unknown
  size_t exif_count;    // bytes of the EXIF item, as it stands in the file
  size_t profile_count; // bytes of the ICC profile
  char message[CHEIF_MESSAGE_SIZE];
} cheif_picture;

// Reads all that stands before the pixels of the main picture.
cheif_status cheif_open(const uint8_t *data, size_t count, cheif_picture *picture);

// Copies the EXIF item and the ICC profile into buffers of the sizes that cheif_open told.
cheif_status cheif_read(const uint8_t *data, size_t count, uint8_t *exif, uint8_t *profile,
                        cheif_picture *picture);

// Decodes to interleaved 8-bit samples, rows from the top, into a buffer of `capacity` bytes.
cheif_status cheif_decode(const uint8_t *data, size_t count, uint8_t *samples, size_t capacity,
                          cheif_picture *picture);

#endif
