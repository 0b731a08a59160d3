// The parts of Accelerate that Cupola uses, with the interface selected by ACCELERATE_NEW_LAPACK.
#ifndef ACCELERATE_NEW_LAPACK
#error "without ACCELERATE_NEW_LAPACK these functions are deprecated"
#endif

#define SINCE __attribute__((availability(macos, introduced = 13.3)))

typedef int __LAPACK_int;
enum CBLAS_ORDER { CblasRowMajor = 101, CblasColMajor };
enum CBLAS_TRANSPOSE { CblasNoTrans = 111, CblasTrans, CblasConjTrans };
enum CBLAS_UPLO { CblasUpper = 121, CblasLower };
enum CBLAS_DIAG { CblasNonUnit = 131, CblasUnit };
enum CBLAS_SIDE { CblasLeft = 141, CblasRight };

void cblas_sgemm(enum CBLAS_ORDER, enum CBLAS_TRANSPOSE, enum CBLAS_TRANSPOSE, __LAPACK_int,
                 __LAPACK_int, __LAPACK_int, float, const float *, __LAPACK_int, const float *,
                 __LAPACK_int, float, float *, __LAPACK_int) SINCE;
void cblas_ssyrk(enum CBLAS_ORDER, enum CBLAS_UPLO, enum CBLAS_TRANSPOSE, __LAPACK_int, __LAPACK_int,
                 float, const float *, __LAPACK_int, float, float *, __LAPACK_int) SINCE;
void cblas_strsm(enum CBLAS_ORDER, enum CBLAS_SIDE, enum CBLAS_UPLO, enum CBLAS_TRANSPOSE,
                 enum CBLAS_DIAG, __LAPACK_int, __LAPACK_int, float, const float *, __LAPACK_int,
                 float *, __LAPACK_int) SINCE;
void spotrf_(const char *, const __LAPACK_int *, float *, const __LAPACK_int *, __LAPACK_int *) SINCE;
void spstrf_(const char *, const __LAPACK_int *, float *, const __LAPACK_int *, __LAPACK_int *,
             __LAPACK_int *, const float *, float *, __LAPACK_int *) SINCE;
void dsyev_(const char *, const char *, const __LAPACK_int *, double *, const __LAPACK_int *,
            double *, double *, const __LAPACK_int *, __LAPACK_int *) SINCE;
