/* What the other files of the room use of expression_faults.c. */
#ifndef OCTAVO_API_EXPRESSION_FAULTS_H
#define OCTAVO_API_EXPRESSION_FAULTS_H

#include "http/req.h"

extern const struct shape ExpressionFaultList;

#endif
