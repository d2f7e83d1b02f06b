/*
 * Resolves the targets of links, images and includes: absolute URLs directly, all others by the
 * caller's lookup() (struct doc_refs).
 */
#include <ctype.h>

#include "../doc_parse.h"
#include "base/url.h"
#include "base/utf8.h"

/* True for "scheme:" of two or more letters (c:\ is a path), or "//host". */
bool
spelling_absolute(struct str s)
{
	size_t i;

	if (s.n >= 2 && s.p[0] == '/' && s.p[1] == '/')
		return true;
	for (i = 0; i < s.n && (isalnum((unsigned char)s.p[i]) || (i > 0 && strchr("+.-", s.p[i]) != NULL)); )
		i++;
	return i >= 2 && i < s.n && s.p[i] == ':' && isalpha((unsigned char)s.p[0]);
}

/*
 * Decodes percent-encoding, except for characters that have a meaning (# % / ? and control
 * characters) and for invalid UTF-8. Decoding the result again changes nothing.
 */
struct str
spelling_decode(struct arena *a, struct str s)
{
	struct str out = { NULL, 0 };
	size_t i;
	char *p;
	int c;

	/* URLs stay as they are: their encoding belongs to their host. */
	if (s.n == 0 || spelling_absolute(s) || memchr(s.p, '%', s.n) == NULL)
		return s;
	out.p = p = arena_alloc(a, s.n + 1);
	for (i = 0; i < s.n; i++) {
		c = url_escaped(s, i);
		if (c >= 0x20 && c != 0x7f && strchr("#%/?", c) == NULL) {
			p[out.n++] = (char)c;
			i += 2;
		} else
			p[out.n++] = s.p[i];
	}
	return utf8_valid(out) ? out : s;
}

/*
 * True for pages of other spaces, which are spelled as URLs of the published service: only the
 * caller can resolve them.
 */
static bool
is_service_address(struct str s)
{
	return str_starts(s, "https://app.gitbook.com/s/") || str_starts(s, "https://app.gitbook.com/o/");
}

bool
spelling_elsewhere(struct str s)
{
	return spelling_absolute(s) && !is_service_address(s);
}

/*
 * Records the lookup for doc_links_of(). A footnote is converted in each place that refers to it,
 * and the content of an element may be parsed twice: such a lookup may have no place of its own.
 */
static void
remember_lookup(struct conv *c, struct str spelling, enum doc_use use)
{
	struct doc *d = c->doc;
	enum lookup_by by = c->in_note || (c->opened > 0 && c->by != BY_OTHER) ? BY_UNSURE : c->by;

	d->lookups = arena_grow(c->a, d->lookups, d->lookup_count, &d->lookup_room, sizeof(*d->lookups));
	d->lookups[d->lookup_count++] = (struct doc_lookup){ spelling, use,
		c->by == BY_REFERENCE ? c->by : by, c->by_reference };
	c->by = BY_OTHER;
}

void
conv_keep_references(struct conv *c)
{
	c->doc->references = c->references;
	c->doc->reference_count = c->reference_count;
	c->doc->excess = c->excess;
}

/*
 * Never returns NULL. By default the target is REF_URL with the spelling, so that a broken link is
 * written back as it was typed.
 */
struct doc_target *
conv_target(struct conv *c, struct str spelling, enum doc_use use)
{
	struct doc_target *t = arena_alloc(c->a, sizeof(*t));
	bool absolute = spelling_absolute(spelling);

	t->spelling = arena_strndup(c->a, spelling.p, spelling.n);
	remember_lookup(c, (struct str){ t->spelling, spelling.n }, use);
	if (spelling.n > 0 && spelling.p[0] == '#') {
		t->ref.kind = REF_ANCHOR;
		t->ref.anchor = t->spelling + 1;
		/* A file or include has no fragments, but the caller may know the spelling with it. */
		if (use == USE_LINK)
			return t;
	}
	if (c->refs != NULL && spelling.n > 0 && (!absolute || is_service_address(spelling)) &&
	    c->refs->lookup(c->refs->ctx, c->a, spelling_decode(c->a, spelling), use, &t->ref) &&
	    t->ref.kind != REF_NONE)
		return t;
	if (c->refs != NULL && c->refs->seen != NULL && absolute && !is_service_address(spelling))
		c->refs->seen(c->refs->ctx, spelling, use);
	/* A failed lookup may have set some fields. */
	memset(&t->ref, 0, sizeof(t->ref));
	t->ref.kind = REF_URL;
	t->ref.url = t->spelling;
	return t;
}

/* Target of an image: only a URL or a file. */
struct doc_target *
conv_file(struct conv *c, struct str spelling)
{
	struct doc_target *t = conv_target(c, spelling, USE_FILE);

	if (t->ref.kind != REF_FILE && t->ref.kind != REF_URL) {
		memset(&t->ref, 0, sizeof(t->ref));
		t->ref.kind = REF_URL;
		t->ref.url = t->spelling;
	}
	return t;
}
