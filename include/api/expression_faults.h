/*
 * Lists conditions and expressions of a space that do not parse, fail, or hide content from every
 * visitor. Implemented in content/expression_faults.c.
 */
#ifndef OCTAVO_API_EXPRESSION_FAULTS_H
#define OCTAVO_API_EXPRESSION_FAULTS_H

#include "http/req.h"

extern const struct shape ExpressionFaultList;

#endif
