// Build information.
#ifndef CBUILD_H
#define CBUILD_H

// The commit, defined by Scripts/install with -Xcc -DCUPOLA_COMMIT='"0123abc"'.
#ifndef CUPOLA_COMMIT
#define CUPOLA_COMMIT ""
#endif

static inline const char *cbuild_commit(void) { return CUPOLA_COMMIT; }

#endif
