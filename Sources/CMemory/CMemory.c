#include "CMemory.h"

#include <sys/resource.h>

#ifdef __linux__
#include <malloc.h>
#include <sys/mman.h>
#endif

void cmemory_keep_freed(void) {
#ifdef __GLIBC__
  // The most that it takes.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

void cmemory_foresee(size_t bytes) {
#ifdef __GLIBC__
  // Threads would begin areas of their own, each of which grows by a call a few pages.
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TOP_PAD, (int)bytes);
#else
  (void)bytes;
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
