#include "CDrawnPictures.h"

// #embed is of C23; clang has it for all of C, but warns.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t pictures[] = {
#embed "drawn.safetensors"
};

const uint8_t *cupola_drawn_pictures(void) { return pictures; }

size_t cupola_drawn_pictures_size(void) { return sizeof pictures; }
