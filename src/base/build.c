/* Name of the build, in a file of its own, which alone is compiled again at each commit. */
#include "base/build.h"

#ifndef OCTAVO_BUILD
#define OCTAVO_BUILD "unknown"
#endif

const char octavo_build[] = OCTAVO_BUILD;
