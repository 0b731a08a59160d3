#include <cblas.h>

// Debian's OpenBLAS contains LAPACK but ships no header for it. Pivoted Cholesky factorisation.
void spstrf_(const char *uplo, const int *n, float *a, const int *lda, int *piv, int *rank,
             const float *tol, float *work, int *info);

// Cholesky factorisation.
void spotrf_(const char *uplo, const int *n, float *a, const int *lda, int *info);

// And the eigenvalues and eigenvectors of a symmetric matrix.
void dsyev_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w,
            double *work, const int *lwork, int *info);
