/* The functions of libm that the C code needs. WebAssembly has instructions for some; the page provides the others. */
#pragma once

#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf(x)
#define isnan(x) __builtin_isnan(x)
#define ceil(x) __builtin_ceil(x)
#define fabs(x) __builtin_fabs(x)
#define fabsf(x) __builtin_fabsf(x)
#define floor(x) __builtin_floor(x)
#define sqrt(x) __builtin_sqrt(x)
#define sqrtf(x) __builtin_sqrtf(x)

#define CUPOLA_IMPORT(name) __attribute__((import_module("math"), import_name(#name))) double name
CUPOLA_IMPORT(atan2)(double y, double x);
CUPOLA_IMPORT(cos)(double x);
CUPOLA_IMPORT(exp)(double x);
CUPOLA_IMPORT(hypot)(double x, double y);
CUPOLA_IMPORT(log)(double x);
CUPOLA_IMPORT(log1p)(double x);
CUPOLA_IMPORT(pow)(double x, double y);
CUPOLA_IMPORT(remainder)(double x, double y);
CUPOLA_IMPORT(sin)(double x);

/* Unlike the instructions, these ignore NaN. */
static inline double fmax(double a, double b) { return isnan(a) || a < b ? b : a; }
static inline double fmin(double a, double b) { return isnan(a) || a > b ? b : a; }
static inline float powf(float x, float y) { return (float)pow((double)x, (double)y); }
