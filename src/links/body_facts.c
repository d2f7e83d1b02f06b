/*
 * Facts of a body: the targets that it spells, and the names of its places. They are stored once
 * for each distinct body, so that nothing is parsed while the write lock is held if they were made
 * ahead (search_ahead), and copies of a space share them.
 */
#include <cjson/cJSON.h>

#include "links/links.h"
#include "base/pack.h"
#include "base/utf8.h"

/* Raise it when the facts of equal bytes change. */
enum { VERSION = 11, MAX_FACTS = 256 << 20 };

SQL(q_facts, "SELECT facts, size FROM body_fact WHERE body = :body AND version = :version");
SQL(q_known, "SELECT 1 FROM body_fact WHERE body = :body AND version = :version");
SQL(q_keep_facts,
    "INSERT INTO body_fact (body, version, size, facts) VALUES (:body, :version, :size, :facts) "
    "ON CONFLICT (body) DO UPDATE SET version = excluded.version, size = excluded.size, "
    "facts = excluded.facts");

/*
 * Adds a name in lower case, because places are found in any case, and its spelling if that
 * differs. A name that contains separators of the list, or is too long, is left out.
 */
static void
put_name(struct arena *a, struct buf *b, struct str name)
{
	const char *lower;

	if (name.n == 0 || name.n > 1000 || memchr(name.p, '\n', name.n) != NULL ||
	    memchr(name.p, '\t', name.n) != NULL)
		return;
	lower = utf8_lower(a, name);
	buf_str(b, lower);
	buf_str(b, "\t");
	if (!str_is(name, lower))
		buf_put(b, name);
	buf_str(b, "\n");
}

/* Finds id="x" and name="x" in the source: raw HTML names places too. */
static void
raw_ids(struct arena *a, struct buf *b, struct str body)
{
	static const char *const names[] = { " id=\"", " name=\"" };
	const char *p, *end;
	struct str rest;
	size_t i, n;

	for (i = 0; i < 2; i++) {
		n = strlen(names[i]);
		for (rest = body; rest.n > n && (p = memmem(rest.p, rest.n, names[i], n)) != NULL;
		    rest = str_slice(rest, (size_t)(p + n - rest.p), rest.n)) {
			/*
			 * No name is longer than 1000 bytes, so the search for the closing quote is
			 * bounded.
			 */
			size_t room = (size_t)(rest.p + rest.n - p) - n;
			end = memchr(p + n, '"', room < 1001 ? room : 1001);
			if (end != NULL)
				put_name(a, b, (struct str){ p + n, (size_t)(end - p) - n });
		}
	}
}

struct str
body_places(struct arena *a, struct str body, const struct doc *d)
{
	struct buf b;

	buf_init(&b, a, MAX_FACTS);
	buf_put(&b, doc_places(a, d != NULL ? d : doc_parse_words(a, body, NULL, NULL)));
	raw_ids(a, &b, body);
	return buf_view(&b);
}

void
body_facts_make(struct arena *a, struct str body, const struct doc *d, const struct doc_link *list,
    struct body_facts *out)
{
	const struct doc_link *l;
	const char **specs;
	size_t n, count, i;

	*out = (struct body_facts){ .kept = false };
	/*
	 * The caller passes the parsed document: a body is parsed once for its document, links and
	 * places.
	 */
	if (d == NULL)
		d = doc_parse_words(a, body, NULL, NULL);
	if (list == NULL)
		list = doc_links_of(a, d, body);
	specs = doc_specs(a, d, &count);
	for (l = list, n = 0; l != NULL; l = l->next)
		n++;
	out->links = arena_array(a, n + count, sizeof(*out->links));
	for (l = list; l != NULL; l = l->next)
		out->links[out->count++] = (struct fact_link){ l->use, l->line, l->spelling };
	for (i = 0; i < count; i++)
		out->links[out->count++] = (struct fact_link){ USE_OPENAPI, 0,
			str_of(arena_printf(a, LINK_SPEC "%s", specs[i])) };
	out->anchors = body_places(a, body, d);
}

static void
read_links(struct arena *a, struct str json, struct body_facts *out)
{
	cJSON *root = cJSON_ParseWithLength(json.p, json.n), *v;
	size_t n = root == NULL ? 0 : (size_t)cJSON_GetArraySize(root);

	out->links = arena_array(a, n, sizeof(*out->links));
	cJSON_ArrayForEach(v, root) {
		/* The three members exist, because only body_facts_keep() writes this JSON. */
		const cJSON *use = v->child, *line = use->next, *spelling = line->next;
		out->links[out->count++] = (struct fact_link){ (enum doc_use)use->valueint,
			(size_t)line->valueint, str_of(arena_strdup(a, spelling->valuestring)) };
	}
	cJSON_Delete(root);
}

/* False: no facts of that body are stored, or only those of an older VERSION. */
static bool
kept_facts(struct db *db, struct arena *a, struct str hash, struct str *links, struct str *anchors)
{
	struct stmt *q = db_use(db, &q_facts);
	const char *end;
	struct str s;

	bind_blob(q, ":body", hash);
	bind_int(q, ":version", VERSION);
	if (!stmt_step(q) || !unpack(a, col_bytes(q, 0), (size_t)col_int(q, 1), &s) ||
	    (end = memchr(s.p, '\n', s.n)) == NULL)
		return false;
	*links = str_slice(s, 0, (size_t)(end - s.p));
	*anchors = str_slice(s, (size_t)(end - s.p), s.n);
	return true;
}

void
body_facts_of(struct db *db, struct arena *a, struct str hash, struct body_facts *out)
{
	struct str links, body;

	/* An empty body has no row; its list of places is empty. */
	*out = (struct body_facts){ .kept = true, .anchors = { "\n", 1 } };
	if (hash.n == 0)
		return;
	if (kept_facts(db, a, hash, &links, &out->anchors)) {
		read_links(a, links, out);
		return;
	}
	/* The body is damaged: pages that link to it are read all the same. */
	if (!blob_get(db, a, hash, &body))
		return;
	/*
	 * The facts are not stored yet, or are of an older VERSION. They are made now and not
	 * stored, since this may be a read transaction.
	 */
	body_facts_make(a, body, NULL, NULL, out);
}

struct str
body_anchors_of(struct db *db, struct arena *a, struct str hash)
{
	struct str links, anchors;
	struct body_facts f;

	if (hash.n > 0 && kept_facts(db, a, hash, &links, &anchors))
		return anchors;
	body_facts_of(db, a, hash, &f);
	return f.anchors;
}

bool
body_facts_known(struct db *db, struct str hash)
{
	struct stmt *q = db_use(db, &q_known);

	bind_blob(q, ":body", hash);
	bind_int(q, ":version", VERSION);
	return stmt_int(q, 0) == 1;
}

void
body_facts_keep(struct db *db, struct arena *a, struct str hash, const struct body_facts *f)
{
	struct stmt *q;
	struct json j;
	struct buf b;
	size_t i;

	buf_init(&b, a, MAX_FACTS);
	json_init(&j, &b);
	json_arr(&j);
	for (i = 0; i < f->count; i++) {
		json_arr(&j);
		json_int(&j, f->links[i].use);
		json_int(&j, (int64_t)f->links[i].line);
		json_strn(&j, f->links[i].spelling);
		json_end(&j);
	}
	json_end(&j);
	q = db_use(db, &q_keep_facts);
	bind_blob(q, ":body", hash);
	bind_int(q, ":version", VERSION);
	/* The names begin with a line feed, which the links, as JSON, do not contain. */
	buf_put(&b, f->anchors);
	bind_int(q, ":size", (int64_t)b.n);
	bind_blob(q, ":facts", pack(a, buf_view(&b)));
	stmt_run(q);
}
