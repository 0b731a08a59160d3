#include <cblas.h>

// Debian's OpenBLAS contains LAPACK but ships no header for it: pivoted Cholesky factorisation.
void spstrf_(const char *uplo, const int *n, float *a, const int *lda, int *piv, int *rank,
             const float *tol, float *work, int *info);
