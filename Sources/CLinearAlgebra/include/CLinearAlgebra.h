// The only caller of BLAS and LAPACK: OpenBLAS on Linux, Accelerate on Apple platforms. It is C because
// Accelerate has its present interface only where ACCELERATE_NEW_LAPACK is defined, which Swift cannot do, and because
// OpenBLAS is loaded at its first use.
//
// Matrices are row-major, without gaps between rows. "Lower" is the lower triangle.
#ifndef CLINEARALGEBRA_H
#define CLINEARALGEBRA_H

#include <stdbool.h>

// Gets the library ready, unless it is; says what is wrong, NULL when nothing is. All others end the process where this
// says something.
const char *cla_load(void);

// For programs in which nobody else uses the library: it is to start no threads of its own. To be called before other
// threads run, and before the library is loaded.
void cla_start_no_threads(void);

// "OpenBLAS" or "Accelerate", and the kernels of it that are in use: empty where it does not say.
const char *cla_library(void);
const char *cla_kernel(void);

// c = op(a) * op(b) + beta * c, where op transposes when told to: c is m x n, op(a) m x k.
void cla_multiply(bool transpose_a, bool transpose_b, int m, int n, int k, const float *a,
                  const float *b, float beta, float *c);

// The lower triangle of transpose(a) * a, where a is rows x side; what is above the diagonal of c stays.
void cla_products_of_columns(int side, int rows, const float *a, float *c);

// Solves op(lower) * x = b in place, where lower is rows x rows and b rows x columns.
void cla_solve(bool transpose, int rows, int columns, const float *lower, float *b);

// Cholesky factor in the place of the lower triangle of a; 0 when a is positive definite.
int cla_cholesky(int side, float *a);

// The same with pivots, which count from 1; `work` has 2 * side places. Negative for a bad argument.
int cla_pivoted_cholesky(int side, float *a, float tolerance, int *pivots, int *rank, float *work);

// Eigenvalues in ascending order, and eigenvectors as rows of a; 0 when they were found.
int cla_eigen(int side, double *a, double *values, double *work, int work_length);

#endif
