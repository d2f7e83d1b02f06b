/* Common members of the queries and answers of all lists. */
#ifndef OCTAVO_API_LISTS_H
#define OCTAVO_API_LISTS_H

#include "http/req.h"

extern const struct shape ListNext, ListQuery;

/* Fields of the query of every list. */
#define PAGING \
	{ "page", T_TEXT, .doc = "`next.page` of the previous answer; absent: the first part", .example = "Mg.Zx3k" }, \
	{ "limit", T_INT, .min = 0, .max = 1000, .preset = "50", .doc = "Maximum number of items in the answer; 0: only the count" }

/* Shape of a list whose items have the shape s. */
#define LIST_SHAPE(name_, s) \
	const struct shape name_ = { #name_, (const struct field[]){ \
		{ "items", T_LIST, F_REQ, .of = &s, .doc = "This part of the list" }, \
		{ "count", T_INT, F_REQ, .doc = "Number of objects in the whole list that match the filters", .example = "1" }, \
		{ "next", T_OBJECT, .of = &ListNext, .doc = "Absent on the last page" }, { 0 } } }

#endif
