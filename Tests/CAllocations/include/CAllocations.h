#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>

// Whether this platform's allocations are counted.
bool callocations_counts(void);

// How often the calling thread has asked for memory since it began.
unsigned long callocations_count(void);

#endif
