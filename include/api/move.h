/* Moves and transfers of spaces and collections. Implemented in spaces/move.c. */
#ifndef OCTAVO_API_MOVE_H
#define OCTAVO_API_MOVE_H

#include "http/req.h"

extern const struct shape Move, Transfer;

#endif
