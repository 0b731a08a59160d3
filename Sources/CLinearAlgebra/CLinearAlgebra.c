#include "CLinearAlgebra.h"

#ifdef __APPLE__

#include <Accelerate/Accelerate.h>

static void begin(void) {}
static void end(void) {}

const char *cla_library(void) { return "Accelerate"; }
const char *cla_kernel(void) { return ""; }

#else

#include <cblas.h>
#include <pthread.h>

// Debian's OpenBLAS contains LAPACK but ships no header for it.
void spstrf_(const char *, const int *, float *, const int *, int *, int *, const float *,
             float *, int *);
void spotrf_(const char *, const int *, float *, const int *, int *);
void dsyev_(const char *, const char *, const int *, double *, const int *, double *, double *,
            const int *, int *);

// OpenBLAS must not share a call's work between threads: how it does changes the last bits of sums. The
// number of threads is a setting of the whole process (also by openblas_set_num_threads_local of later
// versions), so it is changed while any of our calls runs, and then is what the process had chosen.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int running = 0;
static int chosen = 1;

static void begin(void) {
  pthread_mutex_lock(&lock);
  if (running++ == 0) {
    chosen = openblas_get_num_threads();
    if (chosen != 1) openblas_set_num_threads(1);
  }
  pthread_mutex_unlock(&lock);
}

static void end(void) {
  pthread_mutex_lock(&lock);
  if (--running == 0 && chosen != 1) openblas_set_num_threads(chosen);
  pthread_mutex_unlock(&lock);
}

const char *cla_library(void) { return "OpenBLAS"; }
const char *cla_kernel(void) { return openblas_get_corename(); }

#endif

void cla_multiply(bool transpose_a, bool transpose_b, int m, int n, int k, float alpha,
                  const float *a, const float *b, float beta, float *c) {
  begin();
  cblas_sgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
              transpose_b ? CblasTrans : CblasNoTrans, m, n, k, alpha, a, transpose_a ? m : k, b,
              transpose_b ? k : n, beta, c, n);
  end();
}

void cla_products_of_columns(int side, int rows, const float *a, float *c) {
  begin();
  cblas_ssyrk(CblasRowMajor, CblasLower, CblasTrans, side, rows, 1, a, side, 0, c, side);
  end();
}

void cla_solve(bool transpose, int rows, int columns, const float *lower, float *b) {
  begin();
  cblas_strsm(CblasRowMajor, CblasLeft, CblasLower, transpose ? CblasTrans : CblasNoTrans,
              CblasNonUnit, rows, columns, 1, lower, rows, b, columns);
  end();
}

// LAPACK's matrices are column-major: its upper triangle is our lower.

int cla_cholesky(int side, float *a) {
  int leading = side > 1 ? side : 1, status = 0;
  begin();
  spotrf_("U", &side, a, &leading, &status);
  end();
  return status;
}

int cla_pivoted_cholesky(int side, float *a, float tolerance, int *pivots, int *rank, float *work) {
  int leading = side > 1 ? side : 1, status = 0;
  begin();
  spstrf_("U", &side, a, &leading, pivots, rank, &tolerance, work, &status);
  end();
  return status;
}

int cla_eigen(int side, double *a, double *values, double *work, int work_length) {
  int leading = side > 1 ? side : 1, status = 0;
  begin();
  dsyev_("V", "U", &side, a, &leading, values, work, &work_length, &status);
  end();
  return status;
}
