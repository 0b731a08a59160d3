#include "CMemory.h"

#ifdef __linux__
#include <malloc.h>
#endif

void cmemory_keep_freed(void) {
#ifdef __GLIBC__
  // The most that it takes.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}
