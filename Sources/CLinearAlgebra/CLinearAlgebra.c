#include "CLinearAlgebra.h"

#ifdef __APPLE__

#include <Accelerate/Accelerate.h>
#include <stddef.h>

static void begin(void) {}
static void end(void) {}

const char *cla_library(void) { return "Accelerate"; }
const char *cla_kernel(void) { return ""; }

#define cla_sgemm cblas_sgemm
#define cla_ssyrk cblas_ssyrk
#define cla_strsm cblas_strsm
#define cla_spotrf spotrf_
#define cla_spstrf spstrf_
#define cla_dsyev dsyev_

const char *cla_load(void) { return NULL; }
void cla_start_no_threads(void) {}

#else

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// OpenBLAS is loaded on first use, because loading it takes as long as the rest of a short command, and only some
// commands need it. These are its CBLAS and LAPACK functions.
enum { CblasRowMajor = 101, CblasNoTrans = 111, CblasTrans = 112, CblasLower = 122, CblasNonUnit = 131, CblasLeft = 141 };

#define FUNCTIONS(DO)                                                                                            \
  DO(int, openblas_get_num_threads, (void))                                                                      \
  DO(void, openblas_set_num_threads, (int))                                                                      \
  DO(char *, openblas_get_corename, (void))                                                                      \
  DO(void, cblas_sgemm,                                                                                          \
     (int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int))         \
  DO(void, cblas_ssyrk, (int, int, int, int, int, float, const float *, int, float, float *, int))               \
  DO(void, cblas_strsm, (int, int, int, int, int, int, int, float, const float *, int, float *, int))            \
  DO(void, spotrf_, (const char *, const int *, float *, const int *, int *))                                    \
  DO(void, spstrf_,                                                                                              \
     (const char *, const int *, float *, const int *, int *, int *, const float *, float *, int *))             \
  DO(void, dsyev_,                                                                                               \
     (const char *, const char *, const int *, double *, const int *, double *, double *, const int *, int *))

#define DECLARE(RESULT, NAME, PARAMETERS) RESULT(*NAME) PARAMETERS;
static struct {
  FUNCTIONS(DECLARE)
} blas;

static pthread_once_t once = PTHREAD_ONCE_INIT;
// The error message; empty if all functions were found.
static char problem[256];

static void *function(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (!found && !problem[0]) snprintf(problem, sizeof problem, "missing function %s", name);
  return found;
}

#define FIND(RESULT, NAME, PARAMETERS) blas.NAME = (RESULT(*) PARAMETERS)function(library, #NAME);

static void *open_library(void) { return dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_LOCAL); }

#if defined(__x86_64__)
extern char **environ;

// Returns an environment setting that selects a better kernel, or NULL if none is needed. OpenBLAS versions that do not
// recognize a new processor use the oldest kernel, which has no wide vectors and takes five times as long.
static char *better_kernel(void *library) {
  static char wide[] = "OPENBLAS_CORETYPE=SkylakeX", usual[] = "OPENBLAS_CORETYPE=Haswell";
  char *(*name)(void) = (char *(*)(void))dlsym(library, "openblas_get_corename");
  const char *taken = name ? name() : NULL;
  if (!taken || strcmp(taken, "Prescott") || getenv("OPENBLAS_CORETYPE")) return NULL;
  if (__builtin_cpu_supports("x86-64-v4")) return wide;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? usual : NULL;
}

// Reopens the library with an additional environment setting. Uses a copy of the environment, because another thread
// can be reading it, and never frees the copy.
static void *open_again(void *library, char *setting) {
  size_t count = 0;
  while (environ && environ[count]) count++;
  char **const before = environ, **const more = malloc((count + 2) * sizeof *more);
  if (!more) return library;
  if (count) memcpy(more, before, count * sizeof *more);
  more[count] = setting;
  more[count + 1] = NULL;
  environ = more;
  dlclose(library);
  library = open_library();
  environ = before;
  return library;
}
#endif

static void load(void) {
  void *library = open_library();
#if defined(__x86_64__)
  char *const setting = library ? better_kernel(library) : NULL;
  if (setting) library = open_again(library, setting);
#endif
  if (!library) {
    const char *said = dlerror();
    snprintf(problem, sizeof problem, "%s", said ? said : "library not found");
    return;
  }
  FUNCTIONS(FIND)
}

void cla_start_no_threads(void) { setenv("OPENBLAS_NUM_THREADS", "1", 1); }

const char *cla_load(void) {
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}

// OpenBLAS must not split a call between threads, because that changes the last bits of sums. The number of threads is
// a process-wide setting, even with openblas_set_num_threads_local in later versions. It is changed during calls and
// restored afterwards.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int running = 0;
static int chosen = 1;

static void begin(void) {
  if (cla_load()) {
    // Callers that can handle a missing library must call cla_load first.
    fprintf(stderr, "cannot load OpenBLAS: %s\n", problem);
    abort();
  }
  pthread_mutex_lock(&lock);
  if (running++ == 0) {
    chosen = blas.openblas_get_num_threads();
    if (chosen != 1) blas.openblas_set_num_threads(1);
  }
  pthread_mutex_unlock(&lock);
}

static void end(void) {
  pthread_mutex_lock(&lock);
  if (--running == 0 && chosen != 1) blas.openblas_set_num_threads(chosen);
  pthread_mutex_unlock(&lock);
}

const char *cla_library(void) { return "OpenBLAS"; }
const char *cla_kernel(void) { return cla_load() ? "" : blas.openblas_get_corename(); }

#define cla_sgemm blas.cblas_sgemm
#define cla_ssyrk blas.cblas_ssyrk
#define cla_strsm blas.cblas_strsm
#define cla_spotrf blas.spotrf_
#define cla_spstrf blas.spstrf_
#define cla_dsyev blas.dsyev_

#endif

void cla_multiply(bool transpose_a, bool transpose_b, int m, int n, int k, const float *a,
                  const float *b, float beta, float *c) {
  begin();
  cla_sgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans,
            transpose_b ? CblasTrans : CblasNoTrans, m, n, k, 1, a, transpose_a ? m : k, b,
            transpose_b ? k : n, beta, c, n);
  end();
}

void cla_products_of_columns(int side, int rows, const float *a, float *c) {
  begin();
  cla_ssyrk(CblasRowMajor, CblasLower, CblasTrans, side, rows, 1, a, side, 0, c, side);
  end();
}

void cla_solve(bool transpose, int rows, int columns, const float *lower, float *b) {
  begin();
  cla_strsm(CblasRowMajor, CblasLeft, CblasLower, transpose ? CblasTrans : CblasNoTrans,
            CblasNonUnit, rows, columns, 1, lower, rows, b, columns);
  end();
}

// LAPACK's matrices are column-major, so LAPACK's upper triangle is the lower triangle here.

int cla_cholesky(int side, float *a) {
  int leading = side > 1 ? side : 1, status = 0;
  begin();
  cla_spotrf("U", &side, a, &leading, &status);
  end();
  return status;
}

int cla_pivoted_cholesky(int side, float *a, float tolerance, int *pivots, int *rank, float *work) {
  int leading = side > 1 ? side : 1, status = 0;
  begin();
  cla_spstrf("U", &side, a, &leading, pivots, rank, &tolerance, work, &status);
  end();
  return status;
}

int cla_eigen(int side, double *a, double *values, double *work, int work_length) {
  int leading = side > 1 ? side : 1, status = 0;
  begin();
  cla_dsyev("V", "U", &side, a, &leading, values, work, &work_length, &status);
  end();
  return status;
}
