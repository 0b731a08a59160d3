// Memory functions of the C library that Swift cannot call.
#ifndef CMEMORY_H
#define CMEMORY_H

#include <stdbool.h>
#include <stddef.h>

// Keeps up to 256 MB of freed memory with glibc. All photos need similar amounts, and the system clears new pages.
void cmemory_keep_freed(void);

// Whether the process can reserve this much address space. Always true except on Linux.
bool cmemory_has_room(size_t bytes);

// Whether the stack of the process can grow to this size.
bool cmemory_has_stack(size_t bytes);

#endif
