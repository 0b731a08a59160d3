#ifdef CUPOLA_PNG

#include "CPNG.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <png.h>

// Chunks that are larger than this after decompression are skipped, because profiles and texts can be decompression
// bombs too.
enum { MOST_CHUNK_BYTES = 8 << 20 };

typedef struct {
  const uint8_t *data;
  size_t count;
  size_t at;
  cpng_picture *picture;
} source;

static void fail(png_structp png, png_const_charp message) {
  source *from = png_get_error_ptr(png);
  snprintf(from->picture->message, CPNG_MESSAGE_SIZE, "%s", message);
  png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp message) {
  (void)png, (void)message;
}

static void read_bytes(png_structp png, png_bytep to, size_t count) {
  source *from = png_get_io_ptr(png);
  if (count > from->count - from->at) png_error(png, "incomplete data");
  memcpy(to, from->data + from->at, count);
  from->at += count;
}

// For these chunks, libpng allocates the declared size even if it exceeds the limit.
static const uint8_t unread_chunks[] = "bKGD\0eXIf\0hIST\0iTXt\0oFFs\0pCAL\0pHYs\0sCAL\0sPLT\0tEXt\0tIME\0zTXt";

// Converts to 8-bit RGB samples.
static void read_header(png_structp png, png_infop info, cpng_picture *picture) {
  png_set_chunk_malloc_max(png, MOST_CHUNK_BYTES);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, unread_chunks, sizeof unread_chunks / 5);
  png_read_info(png, info);
  png_set_expand(png);
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  picture->width = (int)png_get_image_width(png, info);
  picture->height = (int)png_get_image_height(png, info);
  const int has_alpha =
      png_get_color_type(png, info) & PNG_COLOR_MASK_ALPHA || png_get_valid(png, info, PNG_INFO_tRNS);
  picture->channels = has_alpha ? 4 : 3;
}

static size_t find_profile(png_structp png, png_infop info, const uint8_t **bytes) {
  png_charp name;
  png_bytep profile;
  png_uint_32 count = 0;
  int compression;
  if (!png_get_iCCP(png, info, &name, &compression, &profile, &count)) return 0;
  *bytes = profile;
  return count;
}

// Reads the image if `samples` is set, otherwise only the header.
static cpng_status read_file(const uint8_t *data, size_t count, uint8_t *samples, size_t capacity, uint8_t *profile,
                             cpng_picture *picture) {
  source from = {data, count, 0, picture};
  const size_t expected = picture->profile_count;
  memset(picture, 0, sizeof *picture);
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &from, fail, ignore);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info) {
    png_destroy_read_struct(&png, NULL, NULL);
    return CPNG_OUT_OF_SPACE;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_read_struct(&png, &info, NULL);
    return CPNG_DAMAGED;
  }
  png_set_read_fn(png, &from, read_bytes);
  read_header(png, info, picture);
  const uint8_t *bytes = NULL;
  picture->profile_count = find_profile(png, info, &bytes);
  const size_t row = (size_t)picture->width * (size_t)picture->channels;
  if (samples && (row * (size_t)picture->height > capacity || picture->profile_count != expected)) {
    png_destroy_read_struct(&png, &info, NULL);
    return CPNG_OUT_OF_SPACE;
  }
  if (samples && bytes) memcpy(profile, bytes, picture->profile_count);
  const int passes = samples ? png_set_interlace_handling(png) : 0;
  if (samples) png_read_update_info(png, info);
  // Later passes of an incomplete interlaced image keep the coarse pixels of earlier ones.
  for (int pass = 0; pass < passes; pass++) {
    for (int y = 0; y < picture->height; y++) {
      png_read_row(png, NULL, samples + row * (size_t)y);
      if (picture->rows <= y) picture->rows = y + 1;
    }
  }
  png_destroy_read_struct(&png, &info, NULL);
  return CPNG_OK;
}

cpng_status cpng_open(const uint8_t *data, size_t count, cpng_picture *picture) {
  return read_file(data, count, NULL, 0, NULL, picture);
}

cpng_status cpng_decode(const uint8_t *data, size_t count, uint8_t *samples, size_t capacity, uint8_t *profile,
                        cpng_picture *picture) {
  return read_file(data, count, samples, capacity, profile, picture);
}

#endif
