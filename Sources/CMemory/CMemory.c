#include "CMemory.h"

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
