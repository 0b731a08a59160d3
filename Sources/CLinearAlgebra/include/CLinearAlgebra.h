// Calls BLAS and LAPACK: OpenBLAS on Linux, Accelerate on Apple platforms. Written in C because Accelerate's current
// interface requires ACCELERATE_NEW_LAPACK, which Swift cannot define, and because OpenBLAS is loaded on first use.
//
// Matrices are row-major without gaps between rows. "lower" means the lower triangle.
#ifndef CLINEARALGEBRA_H
#define CLINEARALGEBRA_H

#include <stdbool.h>

// Loads the library. Returns NULL on success, otherwise an error message. All other functions terminate the process if
// loading fails.
const char *cla_load(void);

// Prevents the library from starting threads, for programs that do not use it otherwise. Call this function before
// other threads start and before the library is loaded.
void cla_start_no_threads(void);

// "OpenBLAS" or "Accelerate", and the name of its kernel if available.
const char *cla_library(void);
const char *cla_kernel(void);

// c = op(a) * op(b) + beta * c, where op is an optional transposition, c is m x n, and op(a) is m x k.
void cla_multiply(bool transpose_a, bool transpose_b, int m, int n, int k, const float *a,
                  const float *b, float beta, float *c);

// Computes the lower triangle of transpose(a) * a, where a is rows x side. Does not change c above the diagonal.
void cla_products_of_columns(int side, int rows, const float *a, float *c);

// Solves op(lower) * x = b in place, where lower is rows x rows and b is rows x columns.
void cla_solve(bool transpose, int rows, int columns, const float *lower, float *b);

// Replaces a's lower triangle with its Cholesky factor. Returns 0 if a is positive definite.
int cla_cholesky(int side, float *a);

// Computes the pivoted Cholesky factor. Pivots start at 1; `work` has 2 * side elements. Returns a negative value if an
// argument is invalid.
int cla_pivoted_cholesky(int side, float *a, float tolerance, int *pivots, int *rank, float *work);

// Computes the eigenvalues in ascending order, and replaces a with the eigenvectors as rows. Returns 0 on success.
int cla_eigen(int side, double *a, double *values, double *work, int work_length);

#endif
