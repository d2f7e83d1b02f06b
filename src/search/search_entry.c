/*
 * A page version as the search index holds it: made from a node and its body
 * without touching what is locked, then written, found and removed as rows.
 */
#include <assert.h>

#include <cjson/cJSON.h>

#include "base/pack.h"
#include "base/panic.h"
#include "search_parts.h"
#include "base/secret.h"

/* Raise it when words or sections come out different: every key changes with it. */
enum { VERSION = 10, MAX_SECTIONS = 65535, LOOKED_AT = 3000 };

/* By the UNIQUE index (scope, page, key): at most one row a scope. */
SQL(q_find,
    "SELECT e.no, p.no IS NOT NULL, " SEARCH_FOUND " FROM search_reads r "
    "JOIN search_page e ON e.scope = r.scope AND e.page = :page AND e.key = :key "
    "LEFT JOIN search_place p ON p.space = r.space AND p.no = e.no WHERE r.space = :space");
SQL(q_add,
    "INSERT INTO search_page (scope, page, key, title, about, trail, sections, conditional) "
    "VALUES (:scope, :page, :key, :title, :about, :trail, :sections, :conditional)");
SQL(q_add_text, "INSERT INTO search_text (no, size, text) VALUES (:no, :size, :text)");
/*
 * The columns hold packed words, not text: search_index is contentless (content = ''), so that
 * the text is stored once, in search_text.
 */
SQL(q_add_terms,
    "INSERT INTO search_index (rowid, title, heading, body, trail) "
    "VALUES (:no, :title, :heading, :body, :trail)");
/*
 * FTS5, "The 'delete' Command": a contentless table removes a row by being given the values that
 * were inserted. Other values corrupt the index without an error, so they are made by the same
 * code from the same rows.
 */
SQL(q_drop_terms,
    "INSERT INTO search_index (search_index, rowid, title, heading, body, trail) "
    "VALUES ('delete', :no, :title, :heading, :body, :trail)");
SQL(q_page, "SELECT title, about, trail, scope FROM search_page WHERE no = :no");
SQL(q_text, "SELECT text, size FROM search_text WHERE no = :no");
SQL(q_drop, "DELETE FROM search_page WHERE no = :no");
SQL(q_drop_text, "DELETE FROM search_text WHERE no = :no");

/* ---- making: no database, nothing locked ---- */

/* The description, "" where there is none; in the arena. */
static const char *
about_of(struct arena *a, const struct node *n)
{
	cJSON *props = cJSON_Parse(n->props);
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(props, "description");
	const char *about = cJSON_IsString(v) ? arena_strdup(a, v->valuestring) : "";

	cJSON_Delete(props);
	return about;
}

/* "guides/setup/README.md" -> "guides/setup": what the address says of the page. */
static const char *
trail_of(struct arena *a, const struct node *n)
{
	/*
	 * The path in git has the page's own spelling (case, extension); what was never
	 * synchronised has the page's path.
	 */
	const char *path = n->git_path != NULL ? n->git_path : n->path != NULL ? n->path : n->slug;
	struct str s = str_of(path);

	if (s.n > 3 && memcmp(s.p + s.n - 3, ".md", 3) == 0)
		s.n -= 3;
	if (s.n >= 6 && strncasecmp(s.p + s.n - 6, "README", 6) == 0)
		s.n -= 6;
	return arena_strndup(a, s.p, s.n);
}

bool
search_takes(const struct node *n)
{
	cJSON *props;
	bool out;

	if (n->kind != NODE_DOCUMENT)
		return false;
	/* Few pages have it: the others are not parsed. */
	if (strstr(n->props, "\"noIndex\"") == NULL)
		return true;
	props = cJSON_Parse(n->props);
	out = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(props, "noIndex"));
	cJSON_Delete(props);
	return !out;
}

/*
 * The key is a hash of everything that the rows are made of. Each part ends with its NUL, so
 * that words that move from one part to the next give another key. It must not read the body:
 * whether the index has a version is asked far more often than one is written.
 */
void
entry_head(struct arena *a, const struct node *n, struct str included, struct entry *e)
{
	struct buf b;

	*e = (struct entry){ .page = n->id, .title = n->title, .about = about_of(a, n),
		.trail = trail_of(a, n), .body = n->body, .facts = { .kept = true }, .puts_in = included.n > 0 };
	buf_init(&b, a, 64 << 20);
	buf_int(&b, VERSION);
	buf_add(&b, "", 1);
	buf_add(&b, e->title, strlen(e->title) + 1);
	buf_add(&b, e->about, strlen(e->about) + 1);
	buf_add(&b, e->trail, strlen(e->trail) + 1);
	buf_put(&b, n->body);
	/* A page that includes nothing has the key that it always had. */
	buf_put(&b, included);
	e->key = hash_of(a, buf_view(&b));
}

/* In the byte order of this machine: the index is not carried to another, it is made anew. */
static void
put_start(struct buf *b, size_t n)
{
	uint32_t v = (uint32_t)n;

	buf_add(b, &v, sizeof(v));
}

/* Begins a column: its scope first, as the tokenizer wants it. */
static void
begin_column(struct arena *a, struct buf *b, const char *scope)
{
	buf_init(b, a, (size_t)1 << 30);
	search_scope(b, scope, SCOPE_PACKED);
}

/* The longest section tells the language: the same text gives the same words whenever they are taken out again. */
static enum language
language_of_entry(const struct entry *e)
{
	struct str longest = { "", 0 }, s;
	size_t i;

	for (i = 0; i < e->count; i++) {
		s = str_of(e->sections[i].text);
		longest = s.n > longest.n ? s : longest;
	}
	return language_told(str_slice(longest, 0, longest.n < LOOKED_AT ? longest.n : LOOKED_AT));
}

void
entry_terms(struct arena *a, int64_t scope, struct entry *e)
{
	const char *before = arena_printf(a, "%lld", (long long)scope);
	enum language lang = language_of_entry(e);
	size_t i, body = 0, heading;

	for (i = 0; i < 4; i++)
		begin_column(a, &e->terms[i], before);
	buf_init(&e->starts, a, 1 << 20);
	words_pack(&e->terms[0], str_of(e->title), lang);
	words_pack(&e->terms[3], str_of(e->trail), lang);
	heading = words_pack(&e->terms[1], str_of(e->about), lang);
	for (i = 0; i < e->count; i++) {
		put_start(&e->starts, body);
		/* The words of the description stand before the first heading: they are of section 0. */
		put_start(&e->starts, i == 0 ? 0 : heading);
		heading += words_pack(&e->terms[1], str_of(e->sections[i].heading), lang);
		body += words_pack(&e->terms[2], str_of(e->sections[i].text), lang);
	}
	e->made = true;
}

static const char *
or_empty(const char *s)
{
	return s != NULL ? s : "";
}

void
search_body(struct arena *a, struct str body, const struct doc *d, const struct doc_link *links, struct search_body *out)
{
	body_facts_make(a, body, d, links, &out->facts);
	out->sections = doc_sections(a, d, &out->count);
}

/* More than MAX_SECTIONS would not fit the 16 bits of a section's id: the last one takes in the rest. */
static void
entry_limit(struct arena *a, struct entry *e)
{
	struct doc_section *last;
	struct buf b;
	size_t i;

	if (e->count <= MAX_SECTIONS)
		return;
	last = &e->sections[MAX_SECTIONS - 1];
	buf_init(&b, a, (size_t)1 << 30);
	buf_str(&b, last->text);
	/* Some may be for others than the last one is: these are not found. */
	for (i = MAX_SECTIONS; i < e->count; i++)
		if (same_text(e->sections[i].condition, last->condition))
			buf_printf(&b, "\n%s\n%s", or_empty(e->sections[i].heading), e->sections[i].text);
	last->text = b.p;
	e->count = MAX_SECTIONS;
}

void
entry_read(struct arena *a, const struct search_body *read, struct entry *e)
{
	e->facts = read->facts;
	e->sections = read->sections;
	e->count = read->count;
	entry_limit(a, e);
}

void
entry_body(struct arena *a, struct str body, struct entry *e)
{
	/* An arena of its own: the tree is many times what is taken from it. */
	struct arena *tree = arena_new((size_t)4 << 30);
	struct search_body read;

	search_body(a, body, doc_parse_words(tree, body, NULL, NULL), NULL, &read);
	arena_free(tree);
	entry_read(a, &read, e);
}

/* ---- rows; in a write transaction ---- */

/* Binds the packed columns and runs the statement, which adds or deletes the row's words. */
static void
bind_terms(struct stmt *q, int64_t no, const struct entry *e)
{
	static const char *const names[] = { ":title", ":heading", ":body", ":trail" };
	int i;

	bind_int(q, ":no", no);
	for (i = 0; i < 4; i++)
		bind_str(q, names[i], buf_view(&e->terms[i]));
	stmt_run(q);
}

/* Is any section for some readers only? Rows without one skip all checks of search_seen.c. */
static bool
has_condition(const struct entry *e)
{
	size_t i;

	for (i = 0; i < e->count && e->sections[i].condition == NULL; i++)
		;
	return i < e->count;
}

/* With its NUL, which none of the texts of a section has within. */
static void
put_text(struct buf *b, const char *s)
{
	buf_add(b, or_empty(s), strlen(or_empty(s)) + 1);
}

/* Texts of a section, with a NUL behind each. */
enum { TEXTS = 4 };

/* What entry_sections() reads, as section after section: anchor, heading, condition, '1' for a part, text. */
static void
write_text(struct db *db, struct arena *a, int64_t no, const struct entry *e)
{
	struct stmt *q = db_use(db, &q_add_text);
	const struct doc_section *s;
	struct buf b;

	buf_init(&b, a, (size_t)1 << 30);
	for (s = e->sections; s < e->sections + e->count; s++) {
		put_text(&b, s->anchor);
		put_text(&b, s->part ? s->under : s->heading);
		put_text(&b, s->condition);
		buf_char(&b, s->part ? '1' : '0');
		put_text(&b, s->text);
	}
	bind_int(q, ":no", no);
	bind_int(q, ":size", (int64_t)b.n);
	bind_blob(q, ":text", pack(a, buf_view(&b)));
	stmt_run(q);
}

/* The text at *at, which goes behind its NUL. */
static const char *
take_text(struct str s, size_t *at)
{
	const char *text = s.p + *at;

	*at += strnlen(text, s.n - *at) + 1;
	return text;
}

struct doc_section *
entry_sections(struct db *db, struct arena *a, int64_t no, size_t most, size_t first, size_t *count)
{
	struct stmt *q = db_use(db, &q_text);
	struct doc_section *list = NULL, *s;
	size_t at = 0, room = 0;
	struct str all;

	*count = 0;
	bind_int(q, ":no", no);
	/* A row without readable text shows no excerpts; `octavo check` tells of it. */
	if (!stmt_step(q) || !unpack_head(a, col_bytes(q, 0), (size_t)col_int(q, 1), most,
	    first == SIZE_MAX ? SIZE_MAX : first * TEXTS, &all))
		return NULL;
	while (at < all.n) {
		list = arena_grow(a, list, *count, &room, sizeof(*list));
		s = &list[(*count)++];
		s->anchor = take_text(all, &at);
		s->heading = at < all.n ? take_text(all, &at) : "";
		s->condition = at < all.n ? take_text(all, &at) : "";
		s->condition = *s->condition == '\0' ? NULL : s->condition;
		s->part = at < all.n && all.p[at++] == '1';
		s->text = at < all.n ? take_text(all, &at) : "";
	}
	return list;
}

/*
 * In a write transaction. Only copies: parsing and finding words was done by entry_body() and
 * entry_terms(), so that the write lock is held for the inserts alone.
 */
void
entry_write(struct db *db, struct arena *a, int64_t space, const struct entry *e, bool live)
{
	struct stmt *q = db_use(db, &q_add);
	int64_t no;

	assert(e->made);
	bind_int(q, ":scope", space);
	bind_text(q, ":page", e->page);
	bind_blob(q, ":key", e->key);
	bind_text(q, ":title", e->title);
	bind_text(q, ":about", e->about);
	bind_text(q, ":trail", e->trail);
	bind_blob(q, ":sections", buf_view(&e->starts));
	bind_int(q, ":conditional", has_condition(e));
	stmt_run(q);
	no = db_last_id(db);
	write_text(db, a, no, e);
	bind_terms(db_use(db, &q_add_terms), no, e);
	place_write(db, space);
	place_set(db, space, no, live);
	/*
	 * The facts of the body were found while it was parsed; kept here, nobody parses it
	 * again for its links. With what it includes it was another text.
	 */
	if (!e->facts.kept && e->body.n > 0 && !e->puts_in)
		body_facts_keep(db, a, e->body, &e->facts);
}

int64_t
entry_find(struct db *db, int64_t space, const struct entry *e, int64_t head, enum entry_state *state)
{
	struct stmt *q = db_use(db, &q_find);
	int64_t no = 0;

	*state = ENTRY_NONE;
	bind_int(q, ":space", space);
	bind_text(q, ":page", e->page);
	bind_blob(q, ":key", e->key);
	bind_int(q, ":head", head);
	while (stmt_step(q)) {
		enum entry_state now = col_int(q, 1) == 0 ? ENTRY_ELSEWHERE : col_int(q, 2) != 0 ? ENTRY_LIVE : ENTRY_IDLE;
		if (now <= *state)
			continue;
		*state = now;
		no = col_int(q, 0);
	}
	return no;
}

/* The index takes words out only where it is told them again. */
void
entry_remove(struct db *db, struct arena *a, int64_t no)
{
	struct entry e = { 0 };
	struct stmt *q = db_use(db, &q_page);
	int64_t scope;
	size_t i;

	bind_int(q, ":no", no);
	/*
	 * The number was read in this transaction: without its row the words could never be
	 * taken out again.
	 */
	if (!stmt_step(q))
		panic("no search_page %lld", (long long)no);
	e.title = col_dup(q, 0, a);
	e.about = col_dup(q, 1, a);
	e.trail = col_dup(q, 2, a);
	scope = col_int(q, 3);
	e.sections = entry_sections(db, a, no, SIZE_MAX, SIZE_MAX, &e.count);
	/*
	 * A part repeats the heading of its section for the excerpts, but its words were indexed
	 * once, with the section.
	 */
	for (i = 0; i < e.count; i++)
		if (e.sections[i].part)
			e.sections[i].heading = NULL;
	entry_terms(a, scope, &e);
	bind_terms(db_use(db, &q_drop_terms), no, &e);
	q = db_use(db, &q_drop_text);
	bind_int(q, ":no", no);
	stmt_run(q);
	q = db_use(db, &q_drop);
	bind_int(q, ":no", no);
	stmt_run(q);
	/* The caller removes hundreds in a row: the words of one are not kept for the next. */
	arena_reset(a);
}
