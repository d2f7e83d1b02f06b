/*
 * Texts of the API description that belong to no single route or shape. Implemented in describe.c.
 */
#ifndef OCTAVO_API_DESCRIBE_H
#define OCTAVO_API_DESCRIBE_H

#include "http/req.h"

extern const char describe_about[];
extern const struct described describe_tags[], describe_parameters[], describe_rules[];

#endif
