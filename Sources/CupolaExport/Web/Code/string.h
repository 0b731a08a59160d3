/* The functions of the C library that the C code needs. WebAssembly has instructions for them. */
#pragma once

#define memcpy __builtin_memcpy
#define memset __builtin_memset
