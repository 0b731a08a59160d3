#ifdef CUPOLA_HEIF

#include "CHEIF.h"

#include <stdio.h>
#include <string.h>

#include <libheif/heif.h>

// Images with longer sides are rejected while the file is read. Overlays and grids declare their own size; both of
// their sides have this limit, so an image takes at most 1.2 GB.
enum { LONGEST_SIDE = 20000 };

typedef struct {
  struct heif_context *context;
  struct heif_image_handle *handle;
} opened;

static int failed(struct heif_error error, cheif_picture *picture) {
  if (error.code == heif_error_Ok) return 0;
  snprintf(picture->message, CHEIF_MESSAGE_SIZE, "%s", error.message ? error.message : "no reason reported by libheif");
  return 1;
}

static void close_file(opened *file) {
  if (file->handle) heif_image_handle_release(file->handle);
  if (file->context) heif_context_free(file->context);
}

static int find_exif(const opened *file, heif_item_id *item) {
  return heif_image_handle_get_list_of_metadata_block_IDs(file->handle, "Exif", item, 1) == 1;
}

static cheif_status open_file(const uint8_t *data, size_t count, opened *file, cheif_picture *picture) {
  memset(picture, 0, sizeof *picture);
  *file = (opened){heif_context_alloc(), NULL};
  if (!file->context) return CHEIF_OUT_OF_SPACE;
  heif_context_set_maximum_image_size_limit(file->context, LONGEST_SIDE);
  if (failed(heif_context_read_from_memory_without_copy(file->context, data, count, NULL), picture) ||
      failed(heif_context_get_primary_image_handle(file->context, &file->handle), picture)) {
    close_file(file);
    return CHEIF_DAMAGED;
  }
  heif_item_id exif;
  picture->width = heif_image_handle_get_width(file->handle);
  picture->height = heif_image_handle_get_height(file->handle);
  picture->channels = heif_image_handle_has_alpha_channel(file->handle) ? 4 : 3;
  picture->profile_count = heif_image_handle_get_raw_color_profile_size(file->handle);
  if (find_exif(file, &exif)) picture->exif_count = heif_image_handle_get_metadata_size(file->handle, exif);
  struct heif_color_profile_nclx *colors = NULL;
  if (heif_image_handle_get_nclx_color_profile(file->handle, &colors).code == heif_error_Ok && colors) {
    picture->primaries = (int)colors->color_primaries;
    heif_nclx_color_profile_free(colors);
  }
  return CHEIF_OK;
}

cheif_status cheif_open(const uint8_t *data, size_t count, cheif_picture *picture) {
  opened file;
  cheif_status status = open_file(data, count, &file, picture);
  if (status == CHEIF_OK) close_file(&file);
  return status;
}

cheif_status cheif_read(const uint8_t *data, size_t count, uint8_t *exif, uint8_t *profile,
                        cheif_picture *picture) {
  const cheif_picture expected = *picture;
  opened file;
  heif_item_id item;
  cheif_status status = open_file(data, count, &file, picture);
  if (status != CHEIF_OK) return status;
  if (picture->exif_count != expected.exif_count || picture->profile_count != expected.profile_count ||
      (picture->exif_count > 0 && find_exif(&file, &item) &&
       failed(heif_image_handle_get_metadata(file.handle, item, exif), picture)) ||
      (picture->profile_count > 0 &&
       failed(heif_image_handle_get_raw_color_profile(file.handle, profile), picture))) {
    status = CHEIF_DAMAGED;
  }
  close_file(&file);
  return status;
}

static cheif_status copy_rows(const struct heif_image *image, uint8_t *samples, size_t capacity,
                              cheif_picture *picture) {
  int stride = 0;
  const uint8_t *rows = heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride);
  const int width = heif_image_get_width(image, heif_channel_interleaved);
  const int height = heif_image_get_height(image, heif_channel_interleaved);
  const size_t row = (size_t)width * (size_t)picture->channels;
  if (!rows || width != picture->width || height != picture->height || (size_t)stride < row) {
    snprintf(picture->message, CHEIF_MESSAGE_SIZE, "decoded size %dx%d instead of %dx%d", width, height,
             picture->width, picture->height);
    return CHEIF_DAMAGED;
  }
  if (row * (size_t)height > capacity) return CHEIF_OUT_OF_SPACE;
  for (int y = 0; y < height; y++) memcpy(samples + row * (size_t)y, rows + (size_t)stride * (size_t)y, row);
  return CHEIF_OK;
}

// The longest side before rotation and cropping.
static int longest_side(const struct heif_image_handle *handle) {
  const int width = heif_image_handle_get_ispe_width(handle), height = heif_image_handle_get_ispe_height(handle);
  return width > height ? width : height;
}

cheif_status cheif_decode(const uint8_t *data, size_t count, uint8_t *samples, size_t capacity,
                          cheif_picture *picture) {
  opened file;
  cheif_status status = open_file(data, count, &file, picture);
  if (status != CHEIF_OK) return status;
  heif_context_set_maximum_image_size_limit(file.context, longest_side(file.handle) + 1);
  struct heif_image *image = NULL;
  struct heif_decoding_options *options = heif_decoding_options_alloc();
  if (options) options->convert_hdr_to_8bit = 1;
  const enum heif_chroma chroma =
      picture->channels == 4 ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
  if (failed(heif_decode_image(file.handle, &image, heif_colorspace_RGB, chroma, options), picture)) {
    status = CHEIF_DAMAGED;
  } else {
    status = copy_rows(image, samples, capacity, picture);
  }
  if (image) heif_image_release(image);
  if (options) heif_decoding_options_free(options);
  close_file(&file);
  return status;
}

#endif
