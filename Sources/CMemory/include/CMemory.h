// What the C library can be told of memory, and Swift cannot tell it.
#ifndef CMEMORY_H
#define CMEMORY_H

#include <stdbool.h>
#include <stddef.h>

// Keeps up to 256 MB of what was freed for what comes next, where the C library is glibc: every photo takes as much as
// the last one, and the system clears each page that it gives anew.
void cmemory_keep_freed(void);

// Whether so many addresses are left, of those that the process may have; nothing is taken. True on other systems than
// Linux.
bool cmemory_has_room(size_t bytes);

// Whether the stack of the process may grow to so many bytes.
bool cmemory_has_stack(size_t bytes);

#endif
