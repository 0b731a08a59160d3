#ifndef CDRAWN_PICTURES_H
#define CDRAWN_PICTURES_H

#include <stddef.h>
#include <stdint.h>

/// The bytes of drawn.safetensors, embedded in the program.
///
/// Written in C, because an array literal of 1 MB takes minutes to compile in Swift, and Swift finds resource bundles
/// only at the build or install location.
const uint8_t *_Nonnull cupola_drawn_pictures(void);

/// The number of bytes.
size_t cupola_drawn_pictures_size(void);

#endif
