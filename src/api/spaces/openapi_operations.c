/* Lists the operations of an API description from its newest version, for users who choose one to show on a page. */
#include "api/lists.h"
#include "api/members.h"
#include "api/openapi_specs.h"
#include "http/req.h"

const struct shape OpenAPIOperationsQuery = { "OpenAPIOperationsQuery", (const struct field[]){
	PAGING,
	{ "find", T_TEXT, .max = 200, .doc = "Only operations with this text in path, method or title", .example = "/pets" },
	{ 0 } } };
static const struct shape Operation = { "OpenAPIOperation", (const struct field[]){
	{ "method", T_TEXT, F_REQ, .doc = "HTTP method, in lower case", .example = "get" },
	{ "path", T_TEXT, F_REQ, .doc = "Path as in the API description", .example = "/pets/{petId}" },
	{ "title", T_TEXT, F_REQ, .doc = "Its summary", .example = "Find a pet" },
	{ 0 } } };
LIST_SHAPE(OpenAPIOperationList, Operation);

/* A description has at most some thousands of operations. The index openapi_operation_path has this order. */
#define FOUND \
	"FROM openapi_operation WHERE version = :version AND kind = 'operation' AND " \
	"(CAST(:find AS TEXT) IS NULL OR lower(method || ' ' || path || ' ' || title) LIKE :find ESCAPE '\\') "
SQL(q_operations,
    "SELECT method, path, title, path AS k1, method AS k2 " FOUND
    "AND (path, method) > (COALESCE(:k1, ''), COALESCE(:k2, '')) ORDER BY path, method LIMIT :limit");
SQL(q_operations_count, "SELECT count(*) " FOUND);

/* Returns the text of the query as a pattern for LIKE; NULL: all operations. */
static const char *
pattern_to_find(struct req *r)
{
	const char *find = query_text(r, "find");

	return find == NULL || *find == '\0' ? NULL : like_pattern(r->arena, find);
}

/* GET /orgs/{organizationId}/openapi/{specSlug}/versions/latest/operations */
HANDLER(listLatestOpenAPISpecOperations)
{
	struct stmt *q = openapi_row(r, r->org.id, path_id(r, "specSlug"));
	const char *version, *find = pattern_to_find(r);
	struct list l;
	int64_t count;

	if (q == NULL || col_null(q, 5))
		return fail(r, E_NOT_FOUND, "no version of %s", path_id(r, "specSlug"));
	version = col_dup(q, 5, r->arena);
	if (list_open(r, &l, 2) != 0)
		return -1;
	q = db_use(r->db, &q_operations_count);
	bind_text(q, ":version", version);
	bind_text(q, ":find", find);
	count = stmt_int(q, 0);
	q = db_use(r->db, &q_operations);
	bind_text(q, ":version", version);
	bind_text(q, ":find", find);
	list_bind(q, &l);
	return list_reply(r, &l, q, &Operation, count);
}
