/*
 * Conditions and expressions of a space that cannot be read or fail, and conditions that hide from every visitor,
 * at the head and in change requests: what content_links.c is to links. What other files need of
 * content/expression_faults.c.
 */
#ifndef OCTAVO_API_EXPRESSION_FAULTS_H
#define OCTAVO_API_EXPRESSION_FAULTS_H

#include "http/req.h"

extern const struct shape ExpressionFaultList;

#endif
