/*
 * Rich text that is no page: descriptions of change requests (kept as document
 * JSON) and comments (kept as Markdown, which both forms become). Links to
 * pages, files and spaces are kept by id (/pages/ID), so that they stay right
 * when what they lead to moves; those that were typed as paths are looked up
 * where the text is read.
 */
#include <cjson/cJSON.h>

#include "api/access.h"
#include "api/document_shapes.h"
#include "api/rich_text.h"
#include "base/utf8.h"
#include "http/req.h"
#include "store/content.h"

/*
 * MAX_TEXT bounds buffers: a body of 10 MiB may grow as it is written in another form.
 * MAX_REMARK is the bound of the shapes' `markdown`, which a document must not get around.
 */
enum { MAX_TEXT = 64 << 20, MAX_REMARK = 65536 /* characters */ };

const struct shape RichText = { "RichText", (const struct field[]){
	{ "markdown", T_TEXT, .max = MAX_REMARK, .doc = "The text as Markdown",
	  .example = "Looks **good** to me." },
	{ "document", T_OBJECT, F_OTHER, .of = &JSONDocument, .doc = "The text as a document" },
	{ 0 } } };

/* NULL after fail(); the path of the fault is put behind that of the member. */
static struct doc *
read_document(struct req *r, const cJSON *v, const char *path)
{
	const char *where, *why;
	struct doc *d = doc_read(r->arena, v, &where, &why);

	if (d == NULL)
		fail_field(r, arena_printf(r->arena, "%s%s", path, where), "%s", why);
	return d;
}

/* Read and written again: only what docs/design/documents.md describes is kept, with keys of our own. */
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
 * How Markdown spells a reference of a document. False: it has no such spelling, and the writer
 * keeps what it had.
 */
static bool
spell_ref(void *ctx, struct arena *a, const struct doc_ref *ref, enum doc_use use, struct buf *out)
{
	const char *hash = ref->anchor != NULL ? ref->anchor : "", *sign = *hash != '\0' ? "#" : "";

	(void)ctx;
	(void)a;
	(void)use;
	/*
	 * A page of another space cannot be spelled by its id alone: ids of pages are unique
	 * within a space.
	 */
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

/* What is kept must be readable again. NULL after a fault. */
static const char *
within_limits(struct req *r, const char *markdown, const char *path)
{
	const char *fault = doc_body_fault(str_of(markdown));

	if (fault != NULL)
		fail_field(r, path, "%s", fault);
	return fault == NULL ? markdown : NULL;
}

/*
 * "" where v has neither member, which the caller may refuse (remark_body()). Both forms end as
 * Markdown, so that one column and one reader serve both.
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
		return markdown != NULL ? within_limits(r, markdown->valuestring, path) : "";
	d = read_document(r, document, arena_printf(r->arena, "%s/document", path));
	if (d == NULL)
		return NULL;
	buf_init(&b, r->arena, MAX_TEXT);
	doc_markdown(&b, d, &refs);
	/* As a client that sends Markdown would write it. */
	while (b.n > 0 && b.p[b.n - 1] == '\n')
		buf_cut(&b, 1);
	if (utf8_count(buf_view(&b)) > MAX_REMARK) {
		fail_field(r, path, "is longer than %d characters of Markdown", MAX_REMARK);
		return NULL;
	}
	return within_limits(r, b.p, path);
}

/* What the links of one text are looked up in; made at the first link that needs it. */
struct place {
	struct req     *r;
	/* lost: there is no content to look in; it is not asked again. */
	bool            ready, lost;
	/* Valid while ready. */
	struct resolver resolver;
	struct answers  answers;
	int             looked;
};

/*
 * Links of one text that are looked up for the answer to a write, while others cannot write: a comment
 * has room for ten thousand. Those beyond are answered as they are spelled, and looked up for who reads.
 */
enum { LOOKED_WHILE_WRITING = 500 };

/*
 * /pages/ID and /files/ID are for the resolver, which knows whether they are there; users and
 * spaces are not in it.
 */
static bool
by_id(struct str spelling, struct arena *a, struct doc_ref *out)
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

/* nowhere: a comment stands in no folder, so that relative paths begin at the top. */
static bool
resolve_spelling(void *ctx, struct arena *a, struct str spelling, enum doc_use use, struct doc_ref *out)
{
	struct place *p = ctx;
	struct node nowhere = { .id = "" };
	struct point point;

	if (by_id(spelling, a, out))
		return true;
	if (!p->ready && !p->lost) {
		p->lost = point_or_fail(p->r, &point) != 0;
		p->ready = !p->lost;
		if (p->ready) {
			resolver_at(&p->resolver, a, p->r->db, &point, &nowhere);
			p->answers = answers_new(a);
			resolver_share(&p->resolver, &p->answers);
		}
	}
	if (db_writing(p->r->db) && ++p->looked > LOOKED_WHILE_WRITING)
		return false;
	return p->ready && resolve_use(&p->resolver, a, spelling, use, out);
}

/*
 * The query's `format` (docs/design/merging.md, "Reviews and comments"): Markdown unless a document is asked
 * for, which costs a parse.
 */
void
rich_members(struct req *r, struct json *j, struct str markdown)
{
	const char *format = query_text(r, "format");
	struct place place = { .r = r };
	struct doc_refs refs = { .lookup = resolve_spelling, .ctx = &place };

	if (format == NULL || strcmp(format, "document") != 0) {
		json_kstrn(j, "markdown", markdown);
		return;
	}
	json_key(j, "document");
	doc_json(j, doc_parse(r->arena, markdown, &refs, NULL, NULL));
}
