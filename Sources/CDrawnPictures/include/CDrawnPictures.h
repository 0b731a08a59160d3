#ifndef CDRAWN_PICTURES_H
#define CDRAWN_PICTURES_H

#include <stddef.h>
#include <stdint.h>

/// The bytes of drawn.safetensors, embedded in the program.
///
/// Written in C, because a 1 MB array literal takes minutes to compile in Swift, and because Swift finds resource
/// bundles only at the build or install location.
const uint8_t *_Nonnull cupola_drawn_pictures(void);

/// The number of bytes.
size_t cupola_drawn_pictures_size(void);

#endif
