#ifdef __linux__

#include "CJPEG.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

// A progressive file can contain thousands of scans of a huge image; typical files have about 10.
enum { MAXIMUM_SCANS = 200 };

typedef struct {
  struct jpeg_error_mgr base;
  jmp_buf escape;
  char *message;
} error_manager;

static void fail(j_common_ptr info) {
  error_manager *errors = (error_manager *)info->err;
  char text[JMSG_LENGTH_MAX];
  errors->base.format_message(info, text);
  snprintf(errors->message, CJPEG_MESSAGE_SIZE, "%s", text);
  longjmp(errors->escape, 1);
}

static int is_usual_marker(int marker) {
  return marker >= 0xC0 && marker != 0xC8 && marker != 0xD8 && (marker <= 0xEF || marker == 0xFE);
}

// Warnings about headers, and about extra bytes between the image data and a marker, leave all pixels intact.
static int loses_pixels(const struct jpeg_error_mgr *error) {
  switch (error->msg_code) {
  case JWRN_EXTRANEOUS_DATA: return !is_usual_marker(error->msg_parm.i[1]);
  case JWRN_ADOBE_XFORM:
  case JWRN_JFIF_MAJOR:
  case JWRN_NOT_SEQUENTIAL: return 0;
  default: return 1;
  }
}

static void keep_first_loss(j_common_ptr info, int level) {
  error_manager *errors = (error_manager *)info->err;
  if (level >= 0 || !loses_pixels(&errors->base)) return;
  if (errors->base.num_warnings++ > 0) return;
  char text[JMSG_LENGTH_MAX];
  errors->base.format_message(info, text);
  snprintf(errors->message, CJPEG_MESSAGE_SIZE, "%s", text);
}

static void limit_scans(j_common_ptr info) {
  if (!info->is_decompressor || ((j_decompress_ptr)info)->input_scan_number <= MAXIMUM_SCANS) return;
  error_manager *errors = (error_manager *)info->err;
  snprintf(errors->message, CJPEG_MESSAGE_SIZE, "more than %d progressive scans", MAXIMUM_SCANS);
  longjmp(errors->escape, 1);
}

static struct jpeg_error_mgr *prepare(error_manager *errors, char *message) {
  struct jpeg_error_mgr *base = jpeg_std_error(&errors->base);
  base->error_exit = fail;
  base->emit_message = keep_first_loss;
  errors->message = message;
  message[0] = 0;
  return base;
}

static void set_output(struct jpeg_decompress_struct *jpeg, int scale) {
  jpeg->scale_num = (unsigned)scale;
  jpeg->scale_denom = 8;
  const int has_black = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
  jpeg->out_color_space = has_black ? JCS_CMYK : JCS_RGB;
  jpeg_calc_output_dimensions(jpeg);
}

cjpeg_status cjpeg_decode(const uint8_t *data, size_t count, int scale, uint8_t *samples,
                          size_t capacity, cjpeg_picture *picture) {
  struct jpeg_decompress_struct jpeg = {0};
  struct jpeg_progress_mgr progress = {.progress_monitor = limit_scans};
  error_manager errors;
  memset(picture, 0, sizeof *picture);
  jpeg.err = prepare(&errors, picture->message);
  if (setjmp(errors.escape)) {
    jpeg_destroy_decompress(&jpeg);
    return CJPEG_DAMAGED;
  }
  jpeg_create_decompress(&jpeg);
  jpeg.progress = &progress;
  jpeg_mem_src(&jpeg, data, count);
  jpeg_read_header(&jpeg, TRUE);
  set_output(&jpeg, scale);
  picture->width = (int)jpeg.output_width;
  picture->height = (int)jpeg.output_height;
  picture->components = jpeg.out_color_components;
  picture->inverted = jpeg.saw_Adobe_marker ? 1 : 0;
  size_t stride = (size_t)picture->width * (size_t)picture->components;
  if (stride * (size_t)picture->height > capacity) {
    jpeg_destroy_decompress(&jpeg);
    return CJPEG_OUT_OF_SPACE;
  }
  jpeg_start_decompress(&jpeg);
  while (jpeg.output_scanline < jpeg.output_height) {
    JSAMPROW row = samples + stride * jpeg.output_scanline;
    jpeg_read_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_decompress(&jpeg);
  picture->warnings = jpeg.err->num_warnings;
  jpeg_destroy_decompress(&jpeg);
  return CJPEG_OK;
}

cjpeg_status cjpeg_encode(const uint8_t *rgb, int width, int height, int quality,
                          const uint8_t *app1, size_t app1_count, uint8_t *output,
                          size_t capacity, size_t *written, char *message) {
  struct jpeg_compress_struct jpeg = {0};
  error_manager errors;
  // jpeg_mem_dest allocates a new buffer if this one is too small.
  unsigned char *volatile buffer = output;
  unsigned char *grown = output;
  unsigned long size = capacity;
  jpeg.err = prepare(&errors, message);
  if (setjmp(errors.escape)) {
    jpeg_destroy_compress(&jpeg);
    if (grown != buffer) free(grown);
    return CJPEG_DAMAGED;
  }
  jpeg_create_compress(&jpeg);
  jpeg_mem_dest(&jpeg, &grown, &size);
  jpeg.image_width = (unsigned)width;
  jpeg.image_height = (unsigned)height;
  jpeg.input_components = 3;
  jpeg.in_color_space = JCS_RGB;
  jpeg_set_defaults(&jpeg);
  jpeg_set_quality(&jpeg, quality, TRUE);
  jpeg_start_compress(&jpeg, TRUE);
  if (app1_count > 0) jpeg_write_marker(&jpeg, JPEG_APP0 + 1, app1, (unsigned)app1_count);
  while (jpeg.next_scanline < jpeg.image_height) {
    JSAMPROW row = (JSAMPROW)rgb + (size_t)width * 3 * jpeg.next_scanline;
    jpeg_write_scanlines(&jpeg, &row, 1);
  }
  jpeg_finish_compress(&jpeg);
  jpeg_destroy_compress(&jpeg);
  *written = size;
  if (grown != buffer) {
    free(grown);
    return CJPEG_OUT_OF_SPACE;
  }
  return CJPEG_OK;
}

#endif
