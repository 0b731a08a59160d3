// What the C library can be told of memory, and Swift cannot tell it.
#ifndef CMEMORY_H
#define CMEMORY_H

#include <stdbool.h>
#include <stddef.h>

// Keeps up to 256 MB of what was freed for what comes next, where the C library is glibc: every photo takes as much as
// the last one, and the system clears each page that it gives anew.
void cmemory_keep_freed(void);

// Lets memory grow by so many bytes more than is asked for, and all threads share it: whoever asks for some does not
// wait then for the system to make room. For what answers once and ends, before it has other threads; there is less of
// this waiting in what runs for long, where many threads would rather wait for each other. Does nothing where the C
// library is not glibc.
void cmemory_foresee(size_t bytes);

// Whether so many addresses are left, of those that the process may have; nothing is taken. True on other systems than
// Linux.
bool cmemory_has_room(size_t bytes);

// Whether the stack of the process may grow to so many bytes.
bool cmemory_has_stack(size_t bytes);

#endif
