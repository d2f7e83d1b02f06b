/*
 * Rich text outside of pages: descriptions of change requests (stored as document JSON) and
 * comments (sent in either form, stored as Markdown). Links to pages, files and spaces are stored
 * by id (/pages/ID), so that they stay valid when the target moves; links typed as paths are
 * resolved when the text is read.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/document_shapes.h"
#include "api/rich_text.h"
#include "base/utf8.h"
#include "http/req.h"
#include "store/content.h"

/*
 * MAX_TEXT bounds buffers: a body of 10 MiB may grow when converted. MAX_REMARK is the limit of the
 * shapes' `markdown`, which a document must not bypass.
 */
enum { MAX_TEXT = 64 << 20, MAX_REMARK = 65536 /* characters */ };

const struct shape RichText = { "RichText", (const struct field[]){
	{ "markdown", T_TEXT, .max = MAX_REMARK, .doc = "The text as Markdown",
	  .example = "Looks **good** to me." },
	{ "document", T_OBJECT, F_ALTERNATIVE, .of = &JSONDocument, .doc = "The text as a document" },
	{ 0 } } };

/*
 * Parses and checks a document. NULL after fail(), which reports `path` followed by the path within
 * the document.
 */
static struct doc *
read_document(struct req *r, const cJSON *v, const char *path)
{
	const char *where, *why;
	struct doc *d = doc_read(r->arena, v, &where, &why);

	if (d == NULL)
		fail_field(r, arena_printf(r->arena, "%s%s", path, where), "%s", why);
	return d;
}

/*
 * The document is parsed and serialized again, so that only the members that
 * docs/design/documents.md describes are stored, with keys that Octavo makes.
 */
const char *
document_text(struct req *r, const cJSON *v, const char *path)
{
	struct doc *d = read_document(r, v, path);
	struct json j;
	struct buf b;

	if (d == NULL)
		return NULL;
	buf_init(&b, r->arena, MAX_TEXT);
	json_init(&j, &b);
	doc_json(&j, d);
	return b.p;
}

/*
 * Sets the Markdown spelling of a document's reference. False: the reference has no spelling, and
 * the writer keeps the original text.
 */
static bool
spell_ref(void *ctx, struct arena *a, const struct doc_ref *ref, enum doc_use use, struct buf *out)
{
	const char *hash = ref->anchor != NULL ? ref->anchor : "", *sign = *hash != '\0' ? "#" : "";

	(void)ctx;
	(void)a;
	(void)use;
	/* A page of another space has no spelling: page ids are unique only within a space. */
	if (ref->id == NULL || (ref->space != NULL && ref->kind != REF_SPACE))
		return false;
	switch (ref->kind) {
	case REF_PAGE:
	case REF_ANCHOR: buf_printf(out, "/pages/%s%s%s", ref->id, sign, hash); return true;
	case REF_FILE:   buf_printf(out, "/files/%s", ref->id); return true;
	case REF_SPACE:  buf_printf(out, "/spaces/%s", ref->id); return true;
	case REF_USER:   buf_printf(out, "/users/%s", ref->id); return true;
	default:         return false;
	}
}

/* Checks that the text can be parsed when it is read. Returns it, or NULL after fail(). */
static const char *
parses_or_fail(struct req *r, const char *markdown, const char *path)
{
	const char *fault = doc_body_fault(str_of(markdown));

	if (fault != NULL)
		fail_field(r, path, "%s", fault);
	return fault == NULL ? markdown : NULL;
}

/*
 * Returns "" if v has neither member, which remark_body() refuses. Both forms are stored as
 * Markdown, so that one column and one reader are enough.
 */
const char *
rich_markdown(struct req *r, const cJSON *v, const char *path)
{
	const cJSON *markdown = cJSON_GetObjectItemCaseSensitive(v, "markdown");
	const cJSON *document = cJSON_GetObjectItemCaseSensitive(v, "document");
	struct doc_refs refs = { .spell = spell_ref };
	struct doc *d;
	struct buf b;

	if (markdown != NULL && document != NULL) {
		fail_field(r, path, "has both markdown and document; send one of them");
		return NULL;
	}
	if (document == NULL)
		return markdown != NULL ? parses_or_fail(r, markdown->valuestring, path) : "";
	d = read_document(r, document, arena_printf(r->arena, "%s/document", path));
	if (d == NULL)
		return NULL;
	buf_init(&b, r->arena, MAX_TEXT);
	doc_markdown(&b, d, &refs);
	/* Trailing newlines are removed, since Markdown sent by clients has none either. */
	while (b.n > 0 && b.p[b.n - 1] == '\n')
		buf_cut(&b, 1);
	if (utf8_count(buf_view(&b)) > MAX_REMARK) {
		fail_field(r, path, "is longer than %d characters of Markdown", MAX_REMARK);
		return NULL;
	}
	return parses_or_fail(r, b.p, path);
}

/* Resolves the links of one text. It is prepared at the first link that needs it. */
struct link_context {
	struct req     *r;
	/* lost: the content does not exist, so that another try is useless */
	bool            ready, lost;
	/* The next two are valid if ready is true. */
	struct resolver resolver;
	struct lookup_cache  answers;
	int             looked;
};

/*
 * At most this many links are resolved in the answer to a write, which blocks other writers: a
 * comment may have ten thousand links. Further links keep their spelling in this answer; reads
 * resolve all of them.
 */
enum { LOOKED_WHILE_WRITING = 500 };

/*
 * Resolves /users/ID and /spaces/ID, which the resolver does not know. /pages/ID and /files/ID are
 * left to the resolver, which checks that they exist.
 */
static bool
resolve_id(struct str spelling, struct arena *a, struct doc_ref *out)
{
	static const struct { const char *prefix; enum doc_ref_kind kind; } forms[] = {
		{ "/users/", REF_USER }, { "/spaces/", REF_SPACE } };
	size_t i, n;

	for (i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		n = strlen(forms[i].prefix);
		if (spelling.n <= n || memcmp(spelling.p, forms[i].prefix, n) != 0 ||
		    memchr(spelling.p + n, '/', spelling.n - n) != NULL)
			continue;
		*out = (struct doc_ref){ .kind = forms[i].kind,
			.id = arena_strndup(a, spelling.p + n, spelling.n - n) };
		return true;
	}
	return false;
}

/*
 * Resolves the spelling of a link. A comment is in no folder, so relative paths are resolved from
 * the root of the space.
 */
static bool
resolve_spelling(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out)
{
	struct link_context *p = ctx;
	struct node nowhere = { .id = "" };
	struct point point;

	if (resolve_id(spelling, a, out))
		return true;
	if (!p->ready && !p->lost) {
		p->lost = point_or_fail(p->r, &point) != 0;
		p->ready = !p->lost;
		if (p->ready) {
			resolver_at(&p->resolver, a, p->r->db, &point, &nowhere);
			p->answers = lookup_cache_new(a);
			resolver_use_cache(&p->resolver, &p->answers);
		}
	}
	if (db_writing(p->r->db) && ++p->looked > LOOKED_WHILE_WRITING)
		return false;
	return p->ready && resolve_use(&p->resolver, a, spelling, use, out);
}

/*
 * Writes the text in the form of the query's `format` (docs/design/merging.md, "Reviews and
 * comments"), which is Markdown by default.
 */
void
rich_members(struct req *r, struct json *j, struct str markdown)
{
	const char *format = query_text(r, "format");
	struct link_context place = { .r = r };
	struct doc_refs refs = { .lookup = resolve_spelling, .ctx = &place };

	if (format == NULL || strcmp(format, "document") != 0) {
		json_kstrn(j, "markdown", markdown);
		return;
	}
	json_key(j, "document");
	doc_json(j, doc_parse(r->arena, markdown, &refs, NULL, NULL));
}
