/* The version of the build. It has a file of its own, since only this file is compiled again at each commit. */
#include "base/build.h"

#ifndef OCTAVO_BUILD
#define OCTAVO_BUILD "unknown"
#endif

const char octavo_build[] = OCTAVO_BUILD;
