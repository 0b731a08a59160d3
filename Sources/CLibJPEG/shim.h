// jpeglib.h requires size_t and FILE.
#include <stddef.h>
#include <stdio.h>
#include <jpeglib.h>
