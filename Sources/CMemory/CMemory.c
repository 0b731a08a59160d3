#define _GNU_SOURCE

#include "CMemory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>

#ifdef __linux__
#include <malloc.h>
#include <sys/mman.h>
#endif

void cmemory_keep_freed(void) {
#ifdef __GLIBC__
  // The maximum value.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

bool cmemory_has_room(size_t bytes) {
#ifdef __linux__
  void *room = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return room != MAP_FAILED && munmap(room, bytes) == 0;
#else
  (void)bytes;
  return true;
#endif
}

bool cmemory_has_stack(size_t bytes) {
  struct rlimit limit;
  return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= bytes;
}

int cmemory_exchange(const char *path, const char *other) {
#if defined(__APPLE__)
  return renamex_np(path, other, RENAME_SWAP) == 0 ? 0 : errno;
#elif defined(RENAME_EXCHANGE)
  return renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_EXCHANGE) == 0 ? 0 : errno;
#else
  (void)path;
  (void)other;
  return ENOSYS;
#endif
}
