/* What the other files of the room use of move.c. */
#ifndef OCTAVO_API_MOVE_H
#define OCTAVO_API_MOVE_H

#include "http/req.h"

extern const struct shape Move, Transfer;

#endif
