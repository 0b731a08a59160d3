// Functions of the C library that Swift cannot call, for memory and files.
#ifndef CMEMORY_H
#define CMEMORY_H

#include <stdbool.h>
#include <stddef.h>

// With glibc, keeps up to 256 MB of freed memory for reuse. All photos need similar amounts, and the system would have
// to clear new pages.
void cmemory_keep_freed(void);

// Whether the process can reserve this much address space. Checked on Linux only; true elsewhere.
bool cmemory_has_room(size_t bytes);

// Whether the process's stack can grow to this size.
bool cmemory_has_stack(size_t bytes);

// Exchanges two files or folders in one step. Returns 0 or an errno value: EINVAL, ENOSYS or ENOTSUP if the file system
// or the operating system cannot do this.
int cmemory_exchange(const char *path, const char *other);

#endif
