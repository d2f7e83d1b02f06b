/*
 * Every page of the corpus, translated by a command: the same blocks, links and code in the same
 * places, each text the translation of the original one. The test compares documents as JSON, and
 * shares no code with the comparison in translate/body_texts.c.
 */
#include "doc_fixture.h"
#include "corpus_fixture.h"
#include "base/map.h"
#include "translate/engine.h"
#include "translate/pieces.h"
#include "translate/body_texts.h"

enum { PAGES = 4000, TEXTS = 200000, SHOWN = 10 };

/* Letters that get longer, characters with a meaning in Markdown, and a new first and last character. */
#define COMMAND "sed 's/[aeiou]/\\U&\xc3\xa9/g; /./s/.*/\xc2\xa1&!/'"

struct page {
	char      *path;
	struct str body;
};

static struct arena  *all;                 /* owns pages, texts and their translations */
static struct page    pages[PAGES];
static struct str     query_parameter[TEXTS], answers[TEXTS];
static struct map    *known;               /* text -> its index in asked */
static size_t         page_count, asked_count, translated, kept, failures;

static int
add_page(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)ftw;
	if (!corpus_is_page(path, type))
		return 0;
	assert_true(page_count < PAGES);
	pages[page_count++] = (struct page){ arena_strdup(all, path), corpus_body(corpus_read(all, path)) };
	return 0;
}

/* ---- texts and their translations by the command ---- */

static void
collect(struct arena *a, struct str text)
{
	struct piece *p;

	for (p = pieces_cut(a, NULL, text); p != NULL; p = p->next) {
		struct str s = { arena_strndup(all, p->text.p, p->text.n), p->text.n };
		if (!p->send || !map_add(known, s, &query_parameter[asked_count]))
			continue;
		assert_true(asked_count < TEXTS - 1);
		query_parameter[asked_count++] = s;
	}
}

static void
ask(void)
{
	struct settings set = { .translate_seconds = 100 };
	struct engine_batch b = { .set = &set, .instructions = "", .glossary = "" };
	struct engine e;
	const char *why = NULL;
	size_t i, bytes;

	setenv("OCTAVO_TRANSLATE_EN_ES", COMMAND, 1);
	assert_true(engine_find(all, "en", "es", &e, &why));
	for (i = 0; i < asked_count; i += b.n) {
		b.texts = query_parameter + i;
		b.out = answers + i;
		for (b.n = bytes = 0; i + b.n < asked_count && b.n < e.texts && bytes < e.bytes; b.n++)
			bytes += query_parameter[i + b.n].n;
		if (!engine_ask(all, &e, &b, &why))
			fail_msg("%s", why);
	}
}

static struct str
translation(struct arena *a, struct str text)
{
	struct piece *p;
	struct str *at;
	struct buf b;

	buf_init(&b, a, text.n * 8 + 1024);
	for (p = pieces_cut(a, NULL, text); p != NULL; p = p->next) {
		at = p->send ? map_get(known, p->text) : NULL;
		buf_put(&b, at != NULL && answers[at - query_parameter].p != NULL ? answers[at - query_parameter] : p->text);
	}
	return buf_view(&b);
}

/* ---- the comparison ---- */

struct side_by_side {
	struct arena *a;
	const char   *path;
	bool          any;      /* a block may be kept untranslated */
};

static const char *
blanks(struct arena *a, const char *s)
{
	char *out = arena_strdup(a, s), *to = out;

	for (; *s != '\0'; s++)
		if (*s != ' ' && *s != '\n' && *s != '\t')
			*to++ = *s;
		else if (to > out && to[-1] != ' ')
			*to++ = ' ';
	if (to > out && to[-1] == ' ')
		to--;
	*to = '\0';
	return out;
}

/* The text without what the command adds or changes: titles of columns may consist of several pieces. */
static const char *
bare(struct arena *a, const char *s)
{
	char *out = arena_strdup(a, s), *to = out;

	for (; *s != '\0'; s++)
		if (strncmp(s, "\xc2\xa1", 2) == 0 || strncmp(s, "\xc3\x89", 2) == 0 || strncmp(s, "\xc3\xa9", 2) == 0)
			s++;
		else if (strchr("! \n\taeiouAEIOU", *s) == NULL)
			*to++ = *s;
	*to = '\0';
	return out;
}

static bool
is_one(const char *s, const char *const *list)
{
	for (; *list != NULL; list++)
		if (s != NULL && strcmp(s, *list) == 0)
			return true;
	return false;
}

static bool
is_code(const cJSON *o)
{
	static const char *const types[] = { "code", "code-line", "math", "inline-math", "integration", "color", NULL };
	static const char *const marks[] = { "code", "keyboard", NULL };
	const cJSON *mark;

	if (is_one(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, "type")), types))
		return true;
	cJSON_ArrayForEach(mark, cJSON_GetObjectItemCaseSensitive(o, "marks"))
		if (is_one(cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(mark, "type")), marks))
			return true;
	return false;
}

static void
compare_text(struct side_by_side *x, const cJSON *m, const cJSON *n, bool code)
{
	static const char *const read[] = { "text", "title", "alt", "caption", "label", "description", NULL };
	const char *want;
	struct str s;

	if (code || !is_one(m->string, read)) {
		if (strcmp(m->valuestring, n->valuestring) != 0)
			corpus_failure(&failures, x->path, m->string != NULL ? m->string : "a string", m->valuestring, n->valuestring);
		return;
	}
	s = translation(x->a, str_of(m->valuestring));
	want = blanks(x->a, arena_strndup(x->a, s.p, s.n));
	if (strcmp(want, blanks(x->a, n->valuestring)) == 0 ||
	    (strcmp(m->string, "title") == 0 && strcmp(bare(x->a, m->valuestring), bare(x->a, n->valuestring)) == 0))
		translated++;
	else if (!x->any || strcmp(m->valuestring, n->valuestring) != 0)
		corpus_failure(&failures, x->path, "a text", want, n->valuestring);
}

/*
 * Anchors of headings stay; those of tabs and similar blocks follow their titles, because Markdown
 * cannot express them.
 */
static bool
is_followed(const cJSON *o, const char *member)
{
	const char *type = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, "type"));

	return member != NULL && strcmp(member, "meta") == 0 && type != NULL && strncmp(type, "heading", 7) != 0;
}

static void
compare(struct side_by_side *x, const cJSON *m, const cJSON *n, bool code)
{
	const cJSON *i = m->child, *k = n->child;

	if ((m->type & 0xFF) != (n->type & 0xFF) || m->valuedouble != n->valuedouble) {
		corpus_failure(&failures, x->path, "another value", m->string, n->string);
		return;
	}
	if (cJSON_IsString(m))
		compare_text(x, m, n, code);
	code |= cJSON_IsObject(m) && is_code(m);
	for (; i != NULL && k != NULL; i = i->next, k = k->next)
		if (m->type == cJSON_Object && strcmp(i->string, k->string) != 0)
			corpus_failure(&failures, x->path, "another member", i->string, k->string);
		else if (!is_followed(m, i->string))
			compare(x, i, k, code);
	if (i != NULL || k != NULL)
		corpus_failure(&failures, x->path, i != NULL ? "something is gone" : "something came along", cJSON_PrintUnformatted(i != NULL ? i : k), "");
}

/* Compares links to other pages and files in their order and spelling; documents contain all other links. */
static void
compare_links(struct side_by_side *x, struct str body, struct str out)
{
	struct doc_link *l, *m = doc_links(x->a, out);

	for (l = doc_links(x->a, body); l != NULL; l = l->next) {
		if (str_starts(l->spelling, "#") || memmem(l->spelling.p, l->spelling.n, "://", 3) != NULL)
			continue;
		while (m != NULL && !(str_eq(l->spelling, m->spelling) && l->use == m->use))
			m = m->next;
		if (m == NULL) {
			corpus_failure(&failures, x->path, "a link is gone", arena_strndup(x->a, l->spelling.p, l->spelling.n), "");
			return;
		}
		m = m->next;
	}
}

static void
count_kept(void *ctx, const char *words)
{
	struct side_by_side *x = ctx;

	if (++kept <= SHOWN)
		print_message("%s: kept: %s\n", x->path, words);
	x->any = true;
}

static void
translate(struct page *p)
{
	struct arena *a = arena_new((size_t)2 << 30);
	struct side_by_side x = { .a = a, .path = p->path };
	struct texts t;
	struct str out;
	cJSON *m, *n;
	size_t i;

	texts_read(&t, a, p->body);
	for (i = 0; i < t.n; i++)
		texts_set(&t, i, translation(a, texts_get(&t, i)));
	out = t.n > 0 ? texts_write(&t, count_kept, &x) : p->body;
	m = cJSON_Parse(doc_text(a, doc_parse(a, p->body, NULL, NULL, NULL), false));
	n = cJSON_Parse(doc_text(a, doc_parse(a, out, NULL, NULL, NULL), false));
	assert_non_null(m);
	assert_non_null(n);
	compare(&x, m, n, false);
	compare_links(&x, p->body, out);
	cJSON_Delete(m);
	cJSON_Delete(n);
	arena_free(a);
}

static void
translations_of_the_corpus_keep_its_form(void **state)
{
	struct arena *scratch;
	struct texts t;
	size_t i, k;

	(void)state;
	corpus_pages(add_page);
	scratch = arena_new((size_t)2 << 30);
	for (i = 0; i < page_count; i++) {
		texts_read(&t, scratch, pages[i].body);
		for (k = 0; k < t.n; k++)
			collect(scratch, texts_get(&t, k));
		arena_reset(scratch);
	}
	arena_free(scratch);
	ask();
	for (i = 0; i < page_count; i++)
		translate(&pages[i]);
	print_message("%zu pages, %zu texts asked, %zu in place; %zu blocks kept, %zu failures\n", page_count, asked_count,
	    translated, kept, failures);
	assert_true(page_count > 1000 && translated > asked_count);
	assert_int_equal(kept, 0);
	assert_int_equal(failures, 0);
}

static int
setup(void **state)
{
	corpus_start(state);
	all = arena_new((size_t)4 << 30);
	known = map_new(all);
	return 0;
}

static int
teardown(void **state)
{
	arena_free(all);
	return corpus_end(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(translations_of_the_corpus_keep_its_form) };

	return cmocka_run_group_tests(tests, setup, teardown);
}
