/*
 * The API for the dispatcher (http/req.h): the table of all endpoints with their access rules. Only
 * routes.c, programs and tests include it.
 */
#ifndef OCTAVO_API_ROUTES_H
#define OCTAVO_API_ROUTES_H

#include "http/req.h"

extern const struct app octavo_app;

#endif
