// The parts of Darwin's C library that Cupola uses, with their types and values.

double sin(double), cos(double), tan(double), asin(double), acos(double), atan(double);
double sinh(double), asinh(double), atanh(double), atan2(double, double);
double exp(double), log(double), log2(double), log10(double), log1p(double), erfc(double);
float logf(float), expf(float), powf(float, float);
double pow(double, double), hypot(double, double), remainder(double, double);

enum : int {
  EPERM = 1, ENOENT = 2, EINTR = 4, EIO = 5, ENXIO = 6, EACCES = 13, EBUSY = 16, EEXIST = 17, ENOTDIR = 20, EWOULDBLOCK = 35,
  EISDIR = 21, EINVAL = 22, ENOSPC = 28, EPIPE = 32, EAGAIN = 35, ELOOP = 62, ECANCELED = 89,
  EILSEQ = 92, ENAMETOOLONG = 63,
};
char *strerror(int);
char *getenv(const char *);
static const int _SC_NPROCESSORS_ONLN = 58;
long sysconf(int);
void _exit(int) __attribute__((noreturn)), exit(int) __attribute__((noreturn));
enum : int { EXIT_SUCCESS = 0, EXIT_FAILURE = 1, EX_USAGE = 64 };
int setenv(const char *, const char *, int), unsetenv(const char *);
typedef struct FILE FILE;
extern FILE *stderr;
int putc(int, FILE *), fileno(FILE *);
FILE *popen(const char *, const char *);


typedef __SIZE_TYPE__ size_t;
typedef long ssize_t;
typedef unsigned short mode_t;
typedef unsigned uid_t, gid_t;
typedef long long off_t;
typedef long time_t;
struct timespec {
  time_t tv_sec;
  long tv_nsec;
};
struct stat {
  int st_dev;
  mode_t st_mode;
  unsigned short st_nlink;
  unsigned long long st_ino;
  uid_t st_uid;
  gid_t st_gid;
  struct timespec st_atimespec, st_mtimespec;
  off_t st_size;
};
struct dirent {
  unsigned short d_namlen;
  char d_name[1024];
};
typedef struct DIR DIR;

static const int O_RDONLY = 0, O_WRONLY = 1, O_NONBLOCK = 4, O_CREAT = 0x200, O_TRUNC = 0x400;
static const int O_APPEND = 0x8, O_NOFOLLOW = 0x100, O_EXCL = 0x800, O_DIRECTORY = 0x100000, O_CLOEXEC = 0x1000000, F_OK = 0, W_OK = 2, SEEK_SET = 0, SEEK_END = 2, AT_FDCWD = -2;
static const int STDIN_FILENO = 0, STDOUT_FILENO = 1, STDERR_FILENO = 2;
static const int LOCK_EX = 2, LOCK_NB = 4, LOCK_UN = 8, F_GETFD = 1, F_SETFD = 2, FD_CLOEXEC = 1, PATH_MAX = 1024;
struct flock {
  off_t l_start, l_len;
};
int chmod(const char *, mode_t);
char *realpath(const char *, char *);
int flock(int, int), fchown(int, uid_t, gid_t), fchmod(int, mode_t), remove(const char *);
ssize_t readlink(const char *, char *, size_t);
time_t time(time_t *);
int close(int), dup(int), fsync(int);
off_t lseek(int, off_t, int);
int ftruncate(int, off_t);
ssize_t read(int, void *, size_t), write(int, const void *, size_t);
struct statvfs {
  unsigned long f_bsize, f_frsize;
  unsigned int f_blocks, f_bfree, f_bavail;
};
int statvfs(const char *, struct statvfs *);
int fstat(int, struct stat *), stat(const char *, struct stat *), lstat(const char *, struct stat *);
#define ENOSYS 78
#define ENOTSUP 45
#define EOPNOTSUPP 102
int access(const char *, int), unlink(const char *), rename(const char *, const char *),
    link(const char *, const char *);
int mkdir(const char *, mode_t);
int utimensat(int, const char *, const struct timespec[2], int);
DIR *opendir(const char *);
struct dirent *readdir(DIR *);
int closedir(DIR *);

static const int SIGINT = 2, SIGKILL = 9, SIGPIPE = 13, SIGTERM = 15, POLLOUT = 4;
typedef int pid_t;
typedef void *posix_spawn_file_actions_t, *posix_spawnattr_t;
int posix_spawn_file_actions_init(posix_spawn_file_actions_t *);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *);
int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *, int, const char *, int, mode_t);
int posix_spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
                char *const[], char *const[]);
static const int POSIX_SPAWN_SETPGROUP = 2, POSIX_SPAWN_SETSIGDEF = 4;
typedef unsigned sigset_t;
int sigemptyset(sigset_t *), sigaddset(sigset_t *, int);
int posix_spawnattr_setsigdefault(posix_spawnattr_t *, const sigset_t *);
int posix_spawnattr_init(posix_spawnattr_t *), posix_spawnattr_destroy(posix_spawnattr_t *);
int posix_spawnattr_setflags(posix_spawnattr_t *, short), posix_spawnattr_setpgroup(posix_spawnattr_t *, pid_t);
static const int WNOHANG = 1, X_OK = 1;
pid_t waitpid(pid_t, int *, int);
int kill(pid_t, int), usleep(unsigned);
pid_t getpid(void), getppid(void);
char *strdup(const char *);
void free(void *);
int raise(int);
struct pollfd {
  int fd;
  short events, revents;
};
int poll(struct pollfd *, unsigned, int);
void (*signal(int, void (*)(int)))(int);
struct winsize {
  unsigned short ws_row, ws_col;
};
int isatty(int);
