// Row functions that pay twice with wider vectors than every x86-64 has. It is C because Swift compiles a function for
// one kind of processor only: here the loader takes the variant that fits. All variants give the same bits: none
// contracts products and sums, and lanes are summed in the same order.
#ifndef CVECTORS_H
#define CVECTORS_H

#include <stddef.h>

// Adds constants to scores and makes them exp(score - the largest score); tells the largest and the sums of every
// eighth power. `count` is a multiple of 8.
void cvec_powers(float *scores, const float *constants, size_t count, float *largest, float *sums);

#endif
