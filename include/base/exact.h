/*
 * The largest integer that all JSON parsers read exactly: 2^53 - 1 (RFC 8259, section 6), because
 * many parsers use doubles. No integer that is received, sent or stored is larger, so it also means
 * "no limit" and "later than any time".
 */
#ifndef OCTAVO_EXACT_H
#define OCTAVO_EXACT_H

#include <stdint.h>

#define EXACT_MAX INT64_C(9007199254740991)

/* For the text of a statement: "COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX ")". */
#define SQL_EXACT_MAX "9007199254740991"

#endif
