/* A compiled schema, which schema_compile.c makes and schema_check.c reads. */
#ifndef OCTAVO_OPENAPI_SCHEMA_PARTS_H
#define OCTAVO_OPENAPI_SCHEMA_PARTS_H

#include "openapi/schema.h"

/* A list of schemas in an arena. */
struct schema_list {
	const struct schema **at;
	size_t                n;
};

/* A schema with a name: a property, a pattern, a dependency. */
struct named_schema {
	struct str           name;
	struct pattern      *pattern;   /* patternProperties */
	const struct schema *schema;    /* NULL for a dependency on names */
	const struct value  *names;     /* dependency: names that are required as well */
};

struct named_list {
	struct named_schema *at;
	size_t               n;
};

enum {
	HAS_MAXIMUM = 1 << 0, HAS_MINIMUM = 1 << 1, EXCLUSIVE_MAXIMUM = 1 << 2,
	EXCLUSIVE_MINIMUM = 1 << 3, HAS_MULTIPLE = 1 << 4, NO_MORE_ITEMS = 1 << 5,
	NO_MORE_PROPERTIES = 1 << 6, UNIQUE_ITEMS = 1 << 7
};

struct schema {
	const struct value  *source;       /* the value that it was compiled from; the key of the set's map */
	const char          *base;         /* base URI of its references */
	const struct schema *ref;          /* "$ref": everything else is ignored */
	unsigned             types;        /* bit per enum value_kind, and INTEGER_BIT; 0: any */
	unsigned             flags;        /* HAS_MAXIMUM and others */
	const struct value  *enumeration;  /* enum; NULL: any value */
	double               maximum, minimum, multiple; /* valid if the flag HAS_… is set */
	size_t               max_length, min_length, max_items, min_items, max_properties, min_properties;
	struct pattern      *pattern;      /* NULL: none */
	const struct schema *items;        /* one for all; NULL: none */
	struct schema_list   items_at;     /* one for each place; valid if has_items_at is set */
	bool                 has_items_at;
	const struct schema *more_items;   /* additionalItems; NULL: none */
	const struct value  *required;     /* names; NULL: none */
	struct named_list    properties, patterns, dependencies;
	struct map          *property_at;  /* name -> const struct schema */
	const struct schema *more_properties; /* additionalProperties; NULL: none */
	struct schema_list   all_of, any_of, one_of;
	const struct schema *no;           /* not; NULL: none */
};

enum { INTEGER_BIT = 1 << 8, BOOLEAN_BITS = 1 << VALUE_FALSE | 1 << VALUE_TRUE };

/* A regular expression (of ECMA 262, read as PCRE), or, if it is one, a prefix or a whole text. */
struct pattern *pattern_new(struct arena *a, struct str source, const char **why);
bool            pattern_match(const struct pattern *p, struct str s);
struct str      pattern_source(const struct pattern *p);

#endif
