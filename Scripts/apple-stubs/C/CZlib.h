// The parts of zlib that Cupola uses, as on Apple platforms.

#define ZLIB_VERSION "1.2.12"
#define Z_NO_FLUSH 0
#define Z_OK 0
#define Z_STREAM_END 1
#define Z_BUF_ERROR (-5)
#define MAX_WBITS 15

typedef unsigned int uInt;
typedef unsigned long uLong;

typedef struct z_stream_s {
  unsigned char *next_in;
  uInt avail_in;
  uLong total_in;
  unsigned char *next_out;
  uInt avail_out;
  uLong total_out;
} z_stream;

int inflateInit2_(z_stream *stream, int bits, const char *version, int size);
int inflate(z_stream *stream, int flush);
typedef uLong uLongf;
typedef unsigned char Bytef;
int inflateEnd(z_stream *stream);
uLong compressBound(uLong length);
int compress2(Bytef *to, uLongf *size, const Bytef *from, uLong length, int level);
#define Z_DEFAULT_COMPRESSION (-1)
uLong crc32(uLong sum, const unsigned char *bytes, uInt count);
