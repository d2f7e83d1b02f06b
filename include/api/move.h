/*
 * Moving and transferring of spaces and collections, which share one order among the siblings of a parent. What
 * other files need of spaces/move.c.
 */
#ifndef OCTAVO_API_MOVE_H
#define OCTAVO_API_MOVE_H

#include "http/req.h"

extern const struct shape Move, Transfer;

#endif
