#ifndef CDRAWN_PICTURES_H
#define CDRAWN_PICTURES_H

#include <stddef.h>
#include <stdint.h>

/// The bytes of drawn.safetensors, which are part of the program: it needs no file beside it.
///
/// In C, because Swift compiles a megabyte as an array literal for minutes, and finds a bundle only
/// where it was built or installed.
const uint8_t *_Nonnull cupola_drawn_pictures(void);

/// How many bytes these are.
size_t cupola_drawn_pictures_size(void);

#endif
