/*
 * The API as the dispatcher takes it (http/req.h): the table of all endpoints with the rule that says who may
 * use them. Programs and tests alone need it; nothing in the room does.
 */
#ifndef OCTAVO_API_ROUTES_H
#define OCTAVO_API_ROUTES_H

#include "http/req.h"

extern const struct app octavo_app;

#endif
