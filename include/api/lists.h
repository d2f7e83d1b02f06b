/* Common members of the queries and answers of all lists. */
#ifndef OCTAVO_API_LISTS_H
#define OCTAVO_API_LISTS_H

#include "http/req.h"

extern const struct shape ListNext, ListQuery;

/* Fields of the query of every list. */
#define PAGING \
	{ "page", T_TEXT, .doc = "Where to go on: next.page of the answer before", .example = "Mg.Zx3k" }, \
	{ "limit", T_INT, .min = 0, .max = 1000, .preset = "50", .doc = "Most items in one answer; 0: the count alone" }

/* Shape of a list whose items have the shape s. */
#define LIST_SHAPE(name_, s) \
	const struct shape name_ = { #name_, (const struct field[]){ \
		{ "items", T_LIST, F_REQ, .of = &s, .doc = "This part of the list" }, \
		{ "count", T_INT, F_REQ, .doc = "Objects in the whole list under its filters", .example = "1" }, \
		{ "next", T_OBJECT, .of = &ListNext, .doc = "Absent on the last page" }, { 0 } } }

#endif
