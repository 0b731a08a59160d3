#ifdef CUPOLA_WEBP

#include "CWebP.h"

#include <webp/decode.h>

static cwebp_status meaning(VP8StatusCode code) {
  switch (code) {
  case VP8_STATUS_OK: return CWEBP_OK;
  case VP8_STATUS_NOT_ENOUGH_DATA:
  case VP8_STATUS_SUSPENDED: return CWEBP_TRUNCATED;
  case VP8_STATUS_OUT_OF_MEMORY: return CWEBP_OUT_OF_SPACE;
  default: return CWEBP_DAMAGED;
  }
}

cwebp_status cwebp_open(const uint8_t *data, size_t count, cwebp_picture *picture) {
  WebPBitstreamFeatures features;
  const VP8StatusCode code = WebPGetFeatures(data, count, &features);
  *picture = (cwebp_picture){0};
  if (code != VP8_STATUS_OK) return meaning(code);
  if (features.has_animation) return CWEBP_ANIMATION;
  *picture = (cwebp_picture){features.width, features.height, features.has_alpha ? 4 : 3};
  return CWEBP_OK;
}

cwebp_status cwebp_decode(const uint8_t *data, size_t count, uint8_t *samples, size_t capacity,
                          cwebp_picture *picture) {
  WebPDecoderConfig config;
  const cwebp_status status = cwebp_open(data, count, picture);
  if (status != CWEBP_OK) return status;
  if (!WebPInitDecoderConfig(&config)) return CWEBP_DAMAGED;
  config.output.colorspace = picture->channels == 4 ? MODE_RGBA : MODE_RGB;
  config.output.is_external_memory = 1;
  config.output.u.RGBA.rgba = samples;
  config.output.u.RGBA.stride = picture->width * picture->channels;
  config.output.u.RGBA.size = capacity;
  const VP8StatusCode code = WebPDecode(data, count, &config);
  WebPFreeDecBuffer(&config.output);
  return meaning(code);
}

#endif
