/*
 * The API for the dispatcher (http/req.h): the table of all endpoints with their access rules. Only
 * programs and tests include it, no file of this room but routes.c.
 */
#ifndef OCTAVO_API_ROUTES_H
#define OCTAVO_API_ROUTES_H

#include "http/req.h"

extern const struct app octavo_app;

#endif
