// SHA-256 using the x86-64 SHA instructions, which make it four to five times as fast. Written in C because Swift has
// no intrinsics for them.
#ifndef CSHA256_H
#define CSHA256_H

#include <stddef.h>
#include <stdint.h>

// Adds blocks of 64 bytes to the eight words of a hash. If the processor does not have the instructions, does nothing
// and returns 0.
int csha256_add(uint32_t *words, const uint8_t *blocks, size_t count);

#endif
