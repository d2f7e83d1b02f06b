#include "base/build.h"

#ifndef OCTAVO_BUILD
#define OCTAVO_BUILD "unknown"
#endif

const char octavo_build[] = OCTAVO_BUILD;
