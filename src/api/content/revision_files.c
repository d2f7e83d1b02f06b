/*
 * Files and their addresses. A file is a node; its bytes are a blob on disk.
 *
 * downloadURL needs no token: it contains the hash of the bytes and an expiry time, and is signed.
 * It stays the same for a day and is valid for two days; octavo-site serves it. For a site token,
 * downloadURL also contains the id of the token, and works only while the visitor with this token
 * may read the site.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/document_shapes.h"
#include "api/examples.h"
#include "api/lists.h"
#include "api/meta.h"
#include "api/revision_files.h"
#include "api/revision_pages.h"
#include "api/revisions.h"
#include "api/visitor.h"
#include "app/download.h"
#include "audience/site_token.h"
#include "base/exact.h"
#include "base/json.h"
#include "base/secret.h"
#include "base/utf8.h"
#include "http/req.h"
#include "store/content.h"

static const struct shape Dimensions = { "FileDimensions", (const struct field[]){
	{ "width", T_INT, F_REQ, .doc = "Pixels", .example = "640" },
	{ "height", T_INT, F_REQ, .doc = "Pixels", .example = "480" },
	{ 0 } } };
const struct shape RevisionFile = { "RevisionFile", (const struct field[]){
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_FILE },
	{ "name", T_TEXT, F_REQ, .doc = "Name", .example = "logo.png" },
	{ "contentType", T_TEXT, F_REQ, .doc = "Media type", .example = "image/png" },
	{ "downloadURL", T_TEXT, F_REQ,
	  .doc = "Address to download it; it needs no token and works for two days",
	  .example = "https://docs.example.com/~files/logo.png" },
	{ "size", T_INT, F_REQ, .doc = "Bytes", .example = "20480" },
	{ "description", T_TEXT, .doc = "Description of the file: the alternative text of pictures that have none of their own",
	  .example = "A red house" },
	{ "dimensions", T_OBJECT, .of = &Dimensions, .doc = "Size of an image" },
	{ "git", T_OBJECT, .of = &GitBlob, .doc = "Where it is stored in the git repository" },
	{ 0 } } };
LIST_SHAPE(FileList, RevisionFile);

/*
 * The files of the branch, and the files of its base that no row of the branch overrides, by name.
 */
#define FILES \
	"FROM (SELECT n.id, n.title, n.props FROM node n WHERE n.branch = :b AND n.kind = 'file' " \
	"AND n.since <= :q AND n.until > :q UNION ALL " \
	"SELECT n.id, n.title, n.props FROM node n WHERE n.branch = :base AND n.kind = 'file' " \
	"AND n.since <= :bq AND n.until > :bq AND NOT EXISTS (SELECT 1 FROM node o " \
	"WHERE o.branch = :b AND o.id = n.id AND o.since <= :q AND o.until > :q)) AS file "

/*
 * Keyset pagination by name and id, since names are not unique. There is no index by name: the
 * files of a space are sorted for each page of the list.
 */
SQL(q_files,
    "SELECT id, title, props " FILES "WHERE (title, id) > (COALESCE(:k1, ''), COALESCE(:k2, '')) "
    "ORDER BY title, id LIMIT :limit /*scan*/");
SQL(q_file_count, "SELECT count(*) " FILES "/*scan*/");

/* Reads a number of the file's properties; 0 if it is absent. */
static int64_t
read_number(const cJSON *props, const char *name)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(props, name);

	return cJSON_IsNumber(v) ? (int64_t)v->valuedouble : 0;
}

/*
 * The address contains the hash of the bytes and not the id of the node, so that it keeps its
 * content when the node gets other bytes.
 */
char *
file_address(struct req *r, const struct point *p, const struct node *n)
{
	return download_url(r->arena, r->set, p->space, n->body, n->title,
	    r->visit != NULL ? pass_reader(r->visit, n->id) : NULL, time_now());
}

void
file_json(struct req *r, struct json *j, const struct point *p, const struct node *n, bool git)
{
	const cJSON *props = cJSON_Parse(n->props);

	json_obj(j);
	json_kstr(j, "id", n->id);
	json_kstr(j, "name", n->title);
	/*
	 * The type follows from the name's extension, as in octavo-site. The type that an uploader
	 * or a foreign server sent is ignored: it could make a browser run the file
	 * (docs/design/security.md, "S14").
	 */
	json_kstr(j, "contentType", mime_type(n->title));
	json_kstr(j, "downloadURL", file_address(r, p, n));
	json_kint(j, "size", read_number(props, "size"));
	if (json_text_of(props, "description") != NULL)
		json_kstr(j, "description", json_text_of(props, "description"));
	/* Measured when the file was stored; absent for formats that image_size() cannot read. */
	if (read_number(props, "width") > 0) {
		json_kobj(j, "dimensions");
		json_kint(j, "width", read_number(props, "width"));
		json_kint(j, "height", read_number(props, "height"));
		json_end(j);
	}
	if (git)
		git_json(j, n);
	json_end(j);
}

void
nodes_json(struct req *r, const struct point *p, const char *key, enum node_kind kind, bool git, const char *find)
{
	size_t n, i, left = find != NULL ? FOUND_MOST : SIZE_MAX;
	struct node *list = node_list(r->db, r->arena, p, kind, &n);
	const char *folded = find != NULL ? utf8_casefold(r->arena, str_of(find)) : NULL;

	json_karr(&r->json, key);
	for (i = 0; i < n && left > 0; i++) {
		if (!visited_file(r, list[i].id) || (folded != NULL && !has_folded(r->arena, list[i].title, folded)))
			continue;
		left--;
		if (kind == NODE_FILE)
			file_json(r, &r->json, p, &list[i], git);
		else
			reusable_json(r, &r->json, p, &list[i], git);
	}
	json_end(&r->json);
}

/*
 * The base of a main branch is 0, which is the id of no branch, so that the second half of FILES is
 * empty.
 */
static void
bind_point(struct stmt *q, const struct point *p)
{
	bind_int(q, ":b", p->branch);
	bind_int(q, ":q", p->seq);
	bind_int(q, ":base", p->base);
	bind_int(q, ":bq", p->base_seq);
}

/* True if the caller sees the file, and its name or description has the folded text (NULL: any). */
static bool
is_listed(struct req *r, const char *id, const char *name, const char *props, const char *folded)
{
	const char *about;

	if (!visited_file(r, id))
		return false;
	if (folded == NULL || has_folded(r->arena, name, folded))
		return true;
	about = strstr(props, "\"description\"") != NULL ? json_text_of(cJSON_Parse(props), "description") : NULL;
	return about != NULL && has_folded(r->arena, about, folded);
}

/* The text that the query searches for, folded; NULL: none. */
static const char *
text_to_find(struct req *r)
{
	const char *find = query_text(r, "find");

	return find == NULL ? NULL : utf8_casefold(r->arena, str_of(find));
}

/*
 * Fills ids with the files of one page of the list and next with the keys of its page token;
 * returns how many. It reads ids only: calling node_get() in the loop would reuse the open
 * statement.
 */
static int
read_file_page(struct req *r, struct list *l, const struct point *p, const char **ids,
    const char **next)
{
	const char *name = NULL, *find = text_to_find(r);
	struct stmt *q = db_use(r->db, &q_files);
	int n = 0;

	bind_point(q, p);
	list_bind(q, l);
	/* No limit for visitors and for searches: any number of files may come between two that are shown. */
	if ((r->visit != NULL || find != NULL) && l->limit > 0)
		bind_int(q, ":limit", EXACT_MAX);
	while (stmt_step(q)) {
		if (!is_listed(r, col_text(q, 0), col_text(q, 1), col_text(q, 2), find))
			continue;
		/*
		 * This row is for the next page. The page token contains the keys of the last file
		 * shown and not a number of rows, so that a file that is added earlier in the order
		 * does not shift the next page.
		 */
		if (n == l->limit) {
			next[0] = name;
			next[1] = ids[n - 1];
			break;
		}
		ids[n++] = col_dup(q, 0, r->arena);
		name = col_dup(q, 1, r->arena);
	}
	return n;
}

/* The number of files that the caller sees. */
static int64_t
count_files(struct req *r, const struct point *p)
{
	const char *find = text_to_find(r);
	struct stmt *q = db_use(r->db, &q_file_count);
	struct node *list;
	int64_t count = 0;
	size_t n, i;

	bind_point(q, p);
	if (r->visit == NULL && find == NULL)
		return stmt_int(q, 0);
	list = node_list(r->db, r->arena, p, NODE_FILE, &n);
	for (i = 0; i < n; i++)
		count += is_listed(r, list[i].id, list[i].title, list[i].props, find);
	return count;
}

static int
list_files(struct req *r)
{
	const char *next[2] = { NULL, NULL }, **ids;
	struct point p;
	struct list l;
	struct node n;
	int i, shown;

	if (point_or_fail(r, &p) != 0 || list_open(r, &l, 2) != 0)
		return -1;
	/* limit is at most 1000 (list_open) */
	ids = arena_array(r->arena, (size_t)l.limit + 1, sizeof(*ids));
	shown = read_file_page(r, &l, &p, ids, next);
	list_begin(r, &l);
	for (i = 0; i < shown; i++)
		if (node_get(r->db, r->arena, &p, ids[i], &n))
			file_json(r, &r->json, &p, &n, query_bool(r, "metadata", true));
	list_end(r, &l, count_files(r, &p), next[0] != NULL ? next : NULL);
	return 0;
}

static int
get_file(struct req *r)
{
	struct point p;
	struct node n;

	if (node_or_fail(r, path_id(r, "fileId"), NODE_FILE, "file", &p, &n) != 0)
		return -1;
	file_json(r, &r->json, &p, &n, query_bool(r, "metadata", true));
	return 0;
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files */
HANDLER(listFilesInChangeRequestById)
{
	return list_files(r);
}

/* GET /spaces/{spaceId}/change-requests/{changeRequestId}/content/files/{fileId} */
HANDLER(getFileInChangeRequestById)
{
	return get_file(r);
}

/* GET /spaces/{spaceId}/content/files */
HANDLER(listFiles)
{
	return list_files(r);
}

/* GET /spaces/{spaceId}/content/files/{fileId} */
HANDLER(getFileById)
{
	return get_file(r);
}

/* GET /spaces/{spaceId}/revisions/{revisionId}/files */
HANDLER(listFilesInRevisionById)
{
	return list_files(r);
}

/* GET /spaces/{spaceId}/revisions/{revisionId}/files/{fileId} */
HANDLER(getFileInRevisionById)
{
	return get_file(r);
}
