/*
 * Schemas of an API description as readers see them: references are followed and the parts of an
 * allOf are merged, in the same way on pages, in Markdown and in print.
 *
 * If several parts describe the same thing, the most specific one is used: first the schema itself,
 * then parts that are written in place, then parts that are references. Among parts of one kind it
 * is the last one, since authors begin with what they extend.
 *
 * All functions use cJSON to build merged schemas, so the caller must have called json_arena().
 */
#ifndef OCTAVO_SCHEMA_PARTS_H
#define OCTAVO_SCHEMA_PARTS_H

#include <cjson/cJSON.h>

#include "base/map.h"

/* Schemas by name. Initialise it with schema_set_init(). */
struct schema_set {
	struct arena *arena;
	struct map   *names;
	struct map   *wholes;   /* merged schemas, by the address of the schema that they were merged from */
	size_t        room;     /* bytes that flat_schema() may still insert in place of references */
	size_t        left;     /* members of schemas that merging may still read */
};

/* list: an object that has the schemas as its members; NULL: there are none. */
void schema_set_init(struct schema_set *s, struct arena *a, const cJSON *list);

/*
 * The schemas of a specification in the data of a filled document (computed/computed.h); NULL: none.
 * spec NULL: those of the first one.
 */
const cJSON *document_schemas(const cJSON *document, const char *spec);

/* The name in a reference; NULL: it is none. */
const char *ref_name(const cJSON *schema);

/* The schema to which a reference refers, or the schema itself; *name: its name, or NULL. */
const cJSON *follow_ref(const struct schema_set *s, const cJSON *schema, const char **name);

bool is_null_schema(const cJSON *schema);

/* True if null is allowed: by the flag of OpenAPI 3.0, or as an alternative. */
bool is_nullable(const struct schema_set *s, const cJSON *schema);

/*
 * The schema after following references, a choice of one, and an allOf of one schema beside which
 * other parts only have texts; merged if it has parts. *name: the last name on the way; NULL: none.
 */
const cJSON *plain_schema(struct schema_set *s, const cJSON *schema, const char **name);

/*
 * The schema merged with the parts of its allOf, and with its reference if it says more than that;
 * the schema itself if there is nothing to merge. The result has no allOf, unless several parts
 * have alternatives (oneOf, anyOf): its allOf then has those of all parts but the first. Once the set has merged too much,
 * schemas remain as they are.
 */
const cJSON *whole_schema(struct schema_set *s, const cJSON *schema);

/*
 * The schema with everything inside it merged. References that are no parts of an allOf remain, and
 * so does an allOf that only adds texts to one reference. Once the set's room is used up, further
 * parts remain, too.
 */
const cJSON *flat_schema(struct schema_set *s, const cJSON *schema);

/* The type of the values that a schema lists (const, enum), if it names none; NULL: they have several, or there are none. */
const char *type_of_values(const cJSON *schema);

/* The most specific description of a schema: its own, or that of a part; NULL: none. */
const char *schema_about(const struct schema_set *s, const cJSON *schema);

/* True if the schema, what it refers to, or a part of its allOf has the flag. */
bool schema_flag(struct schema_set *s, const cJSON *schema, const char *flag);

/* True if a schema from whole_schema() requires the member of this name. */
bool is_required(const cJSON *whole, const char *name);

/* The schema of the member with this name; NULL: unknown. */
const cJSON *member_schema(struct schema_set *s, const cJSON *schema, const char *name);

#endif
