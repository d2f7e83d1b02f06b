/*
 * The largest integer that all readers of JSON understand alike: 2^53 - 1 (RFC 8259 section 6), since
 * many keep numbers as doubles, which hold each integer up to there. No integer that comes in, goes out
 * or is kept is larger, so that it also stands for no limit, and for later than any time.
 */
#ifndef OCTAVO_EXACT_H
#define OCTAVO_EXACT_H

#include <stdint.h>

#define EXACT_MAX INT64_C(9007199254740991)

/* For the text of a statement: "COALESCE(CAST(:k1 AS BIGINT), " SQL_EXACT_MAX ")". */
#define SQL_EXACT_MAX "9007199254740991"

#endif
