// Types and macros for the row functions.
#ifndef VECTORS_H
#define VECTORS_H

#include "CVectors.h"

#pragma STDC FP_CONTRACT OFF

// ThreadSanitizer does not work with function variants, whose resolvers run before it starts.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CVEC_PLAIN
#endif
#endif

#if defined(__x86_64__) && defined(__linux__) && !defined(CVEC_PLAIN)
#define VARIANTS __attribute__((target_clones("default", "avx2", "arch=x86-64-v4")))
#else
#define VARIANTS
#endif

#define INLINE static inline __attribute__((always_inline))

// Eight floats with any alignment.
typedef float eight __attribute__((vector_size(32), aligned(4), may_alias));
typedef float quad __attribute__((vector_size(16), aligned(4), may_alias));
typedef int quad_mask __attribute__((vector_size(16), aligned(4)));
typedef unsigned four __attribute__((vector_size(16), aligned(4), may_alias));
typedef int four_signed __attribute__((vector_size(16)));
typedef double four_doubles __attribute__((vector_size(32)));
// All bits in a lane are 1 if the comparison is true.
typedef int mask __attribute__((vector_size(32), aligned(4)));

#endif
