#include "CDrawnPictures.h"

// clang supports #embed in all C versions, but warns in versions before C23.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t pictures[] = {
#embed "drawn.safetensors"
};

const uint8_t *cupola_drawn_pictures(void) { return pictures; }

size_t cupola_drawn_pictures_size(void) { return sizeof pictures; }
