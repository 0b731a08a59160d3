// What the build says of itself, which Swift cannot be told on a command line.
#ifndef CBUILD_H
#define CBUILD_H

// The commit, in quotes: -Xcc -DCUPOLA_COMMIT='"0123abc"', as Scripts/install does.
#ifndef CUPOLA_COMMIT
#define CUPOLA_COMMIT ""
#endif

static inline const char *cbuild_commit(void) { return CUPOLA_COMMIT; }

#endif
