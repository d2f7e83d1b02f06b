/*
 * A page version as the search index stores it: made from a node and its body without any lock,
 * then written, found and removed as rows.
 */
#include <assert.h>

#include <cjson/cJSON.h>
#include <sodium.h>

#include "base/pack.h"
#include "base/panic.h"
#include "search_parts.h"
#include "base/secret.h"

/* VERSION: raise it when words or sections are extracted differently; it changes every key. */
enum { VERSION = 10, MAX_SECTIONS = 65535, KEY_UNFINISHED = 16 };

/* Uses the UNIQUE index (scope, page, key): at most one row per scope. */
SQL(q_find,
    "SELECT e.no, p.no IS NOT NULL, " SEARCH_FOUND " FROM search_reads r "
    "JOIN search_page e ON e.scope = r.scope AND e.page = :page AND e.key = :key "
    "LEFT JOIN search_place p ON p.space = r.space AND p.no = e.no WHERE r.space = :space");
SQL(q_add,
    "INSERT INTO search_page (scope, page, key, title, about, trail, sections, conditional, division, parts) "
    "VALUES (:scope, :page, :key, :title, :about, :trail, :sections, :conditional, :division, 1)");
SQL(q_has, "SELECT 1 FROM search_page WHERE scope = :scope AND page = :page AND key = :key");
SQL(q_set_parts, "UPDATE search_page SET parts = :parts WHERE no = :no");
SQL(q_set_key, "UPDATE search_page SET key = :key WHERE no = :no");
SQL(q_places, "SELECT count(*) FILTER (WHERE space = :space AND live = 0 AND turn IS NULL), count(*) FROM search_place WHERE no = :no");
SQL(q_add_text, "INSERT INTO search_text (no, size, text) VALUES (:no, :size, :text)");
SQL(q_page, "SELECT title, about, trail, scope, page, key, parts, division FROM search_page WHERE no = :no");
SQL(q_same, "SELECT parts FROM search_page WHERE no = :no AND scope = :scope AND page = :page AND key = :key");
SQL(q_text, "SELECT text, size FROM search_text WHERE no = :no");
SQL(q_drop, "DELETE FROM search_page WHERE no = :no");
SQL(q_drop_text, "DELETE FROM search_text WHERE no = :no");

/* ---- making an entry: no database, no lock ---- */

/* The description, or "", in the arena. */
static const char *
read_description(struct arena *a, const struct node *n)
{
	struct arena *outer = json_arena(a);
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(cJSON_Parse(n->props), "description");

	json_arena(outer);
	return cJSON_IsString(v) ? v->valuestring : "";
}

/* "guides/setup/README.md" -> "guides/setup": the words in the page's address. */
static const char *
make_trail(struct arena *a, const struct node *n)
{
	/*
	 * The git path has the page's own spelling; a page that was never synchronised has its page
	 * path.
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
search_is_indexed(const struct node *n)
{
	cJSON *props;
	bool out;

	if (n->kind != NODE_DOCUMENT)
		return false;
	/* Few pages have this property, so the text is tested before it is parsed. */
	if (strstr(n->props, "\"noIndex\"") == NULL)
		return true;
	props = cJSON_Parse(n->props);
	out = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(props, "noIndex"));
	cJSON_Delete(props);
	return !out;
}

/*
 * The key is a hash of all inputs of the rows. Each part ends with its NUL, so that moving words
 * between parts changes the key. It must not require the body: the key is needed far more often
 * than an entry is written.
 */
void
entry_head(struct arena *a, const struct node *n, struct str included, struct entry *e)
{
	struct buf b;

	*e = (struct entry){ .page = n->id, .title = n->title, .about = read_description(a, n),
		.trail = make_trail(a, n), .body = n->body, .facts = { .kept = true }, .has_includes = included.n > 0 };
	buf_init(&b, a, 64 << 20);
	buf_int(&b, VERSION);
	buf_add(&b, "", 1);
	buf_add(&b, e->title, strlen(e->title) + 1);
	buf_add(&b, e->about, strlen(e->about) + 1);
	buf_add(&b, e->trail, strlen(e->trail) + 1);
	buf_put(&b, n->body);
	/* A page without includes keeps the key that it always had. */
	buf_put(&b, included);
	e->key = hash_of(a, buf_view(&b));
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

/*
 * Joins sections beyond MAX_SECTIONS to the last one. This bounds an entry before entry_cut() divides its
 * long sections.
 */
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
	/* A joined section with another condition must not be found by others: drop it. */
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
	entry_cut(a, e);
}

void
entry_body(struct arena *a, struct str body, struct entry *e)
{
	/* Use a separate arena: the tree is many times larger than the result. */
	struct arena *tree = arena_new((size_t)4 << 30);
	struct search_body read;

	search_body(a, body, doc_parse_words(tree, body, NULL, NULL), NULL, &read);
	arena_free(tree);
	entry_read(a, &read, e);
}

/* ---- rows; in a write transaction ---- */

/*
 * Adds or removes the words of a part. The columns are packed words: the text is stored once, in
 * search_text. Those that are removed are made by the same code, from the same rows.
 */
static void
write_terms(struct db *db, int64_t no, const struct entry *e, int64_t part, bool drop)
{
	struct str columns[DB_COLUMNS];
	int i;

	for (i = 0; i < DB_COLUMNS; i++)
		columns[i] = buf_view(&e->parts[part].terms[i]);
	(drop ? fulltext_drop : fulltext_add)(db, part_row(no, part), columns);
}

/* True if a section has a condition. Rows without one skip the checks of search_viewer.c. */
static bool
has_condition(const struct entry *e)
{
	size_t i;

	for (i = 0; i < e->count && e->sections[i].condition == NULL; i++)
		;
	return i < e->count;
}

/* Include the NUL, which no text of a section contains. */
static void
put_text(struct buf *b, const char *s)
{
	buf_add(b, or_empty(s), strlen(or_empty(s)) + 1);
}

/* Texts per section, each with a NUL after it. */
enum { TEXTS = 4 };

/* Pack what entry_sections() reads, per section: anchor, heading, condition, '1' for a part, text. */
void
entry_pack(struct arena *a, struct entry *e)
{
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
	e->text = pack(a, buf_view(&b));
	e->text_size = b.n;
}

static void
write_text(struct db *db, struct arena *a, int64_t no, const struct entry *e)
{
	struct stmt *q = db_use(db, &q_add_text);
	struct entry made = *e;

	if (e->text.p == NULL)
		entry_pack(a, &made);
	bind_int(q, ":no", no);
	bind_int(q, ":size", (int64_t)made.text_size);
	bind_blob(q, ":text", made.text);
	stmt_run(q);
}

/* Text at *at; moves *at after its NUL. */
static const char *
take_text(struct str s, size_t *at)
{
	const char *text = s.p + *at;

	*at += strnlen(text, s.n - *at) + 1;
	return text;
}

void
entry_texts_ahead(struct db *db, size_t n, void (*bind)(struct stmt *q, size_t i, void *ctx), void *ctx)
{
	db_ahead(db, &q_text, n, bind, ctx);
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
	/* A damaged row shows no excerpts; `octavo check` reports it. */
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

/* Adds the row with its first part, and returns its number. */
static int64_t
add_row(struct db *db, struct arena *a, int64_t space, const struct entry *e, struct str key)
{
	struct stmt *q = db_use(db, &q_add);
	int64_t no;

	bind_int(q, ":scope", space);
	bind_text(q, ":page", e->page);
	bind_blob(q, ":key", key);
	bind_text(q, ":title", e->title);
	bind_text(q, ":about", e->about);
	bind_text(q, ":trail", e->trail);
	bind_blob(q, ":sections", buf_view(&e->starts));
	bind_int(q, ":conditional", has_condition(e));
	if (e->part_count > 1)
		bind_blob(q, ":division", buf_view(&e->division));
	stmt_run(q);
	no = db_last_id(db);
	assert(row_part(no) == 0);
	write_text(db, a, no, e);
	write_terms(db, no, e, 0, false);
	place_write(db, space);
	return no;
}

static void
set_parts(struct db *db, int64_t no, int64_t parts)
{
	struct stmt *q = db_use(db, &q_set_parts);

	bind_int(q, ":parts", parts);
	bind_int(q, ":no", no);
	stmt_run(q);
}

static void
set_key(struct db *db, int64_t no, struct str key)
{
	struct stmt *q = db_use(db, &q_set_key);

	bind_blob(q, ":key", key);
	bind_int(q, ":no", no);
	stmt_run(q);
}

/*
 * Keep the body's facts, found while parsing, so that no one parses it again for its links.
 * With includes it was a different text.
 */
static void
keep_facts(struct db *db, struct arena *a, const struct entry *e)
{
	if (!e->facts.kept && e->body.n > 0 && !e->has_includes)
		body_facts_keep(db, a, e->body, &e->facts);
}

/*
 * In a write transaction, but only copies: entry_body() and entry_terms() have parsed and extracted
 * the words before, so that the lock is held only for the inserts.
 */
void
entry_write(struct db *db, struct arena *a, int64_t space, const struct entry *e, bool live)
{
	int64_t no, part;

	assert(e->made);
	no = add_row(db, a, space, e, e->key);
	for (part = 1; part < (int64_t)e->part_count; part++)
		write_terms(db, no, e, part, false);
	if (e->part_count > 1)
		set_parts(db, no, part);
	place_set(db, space, no, live);
	keep_facts(db, a, e);
}

/*
 * The key of an entry that must not be shown, since not all of its words are in the index. No
 * version has a key of this length.
 */
static struct str
unfinished_key(struct arena *a)
{
	char *p = arena_alloc(a, KEY_UNFINISHED);

	randombytes_buf(p, KEY_UNFINISHED);
	return (struct str){ p, KEY_UNFINISHED };
}

/* Parts of the row in the index; 0 if it is not the same row any more: SQLite reuses numbers. */
static int64_t
count_parts(struct db *db, int64_t no, int64_t scope, const char *page, struct str key)
{
	struct stmt *q = db_use(db, &q_same);

	bind_int(q, ":no", no);
	bind_int(q, ":scope", scope);
	bind_text(q, ":page", page);
	bind_blob(q, ":key", key);
	return stmt_int(q, 0);
}

static bool
has_version(struct db *db, int64_t space, const struct entry *e)
{
	struct stmt *q = db_use(db, &q_has);

	bind_int(q, ":scope", space);
	bind_text(q, ":page", e->page);
	bind_blob(q, ":key", e->key);
	return stmt_int(q, 0) != 0;
}

/*
 * While the entry is unfinished, its place has a turn at a revision number that no revision gets,
 * so no sweep removes the entry. After a crash search_apply_turns() clears that turn, and the next
 * sweep removes the entry.
 */
bool
entry_write_slowly(struct db *db, struct arena *a, int64_t space, const struct entry *e)
{
	struct str key;
	int64_t no, part;

	assert(e->made);
	if (e->part_count == 1) {
		entry_write(db, a, space, e, false);
		return true;
	}
	key = unfinished_key(a);
	no = add_row(db, a, space, e, key);
	place_wait(db, space, no);
	for (part = 1; part < (int64_t)e->part_count; part++) {
		db_breathe(db);
		if (count_parts(db, no, space, e->page, key) != part)
			return false;
		write_terms(db, no, e, part, false);
		set_parts(db, no, part + 1);
	}
	/* If another writer has added the version meanwhile, a sweep removes this one. */
	if (!has_version(db, space, e))
		set_key(db, no, e->key);
	place_set(db, space, no, false);
	keep_facts(db, a, e);
	return true;
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

/* Reads the row and makes its words again: the index can remove the words of a row only if it is given them. */
void
entry_read_row(struct db *db, struct arena *a, int64_t no, struct removed_entry *l)
{
	struct stmt *q = db_use(db, &q_page);
	struct entry *e = &l->entry;
	struct str key, division;
	size_t i;

	*l = (struct removed_entry){ .no = no };
	bind_int(q, ":no", no);
	/* Without the row its words could never be removed. */
	if (!stmt_step(q))
		panic("no search_page %lld", (long long)no);
	e->title = col_dup(q, 0, a);
	e->about = col_dup(q, 1, a);
	e->trail = col_dup(q, 2, a);
	l->scope = col_int(q, 3);
	e->page = col_dup(q, 4, a);
	key = col_bytes(q, 5);
	e->key = (struct str){ arena_strndup(a, key.p, key.n), key.n };
	l->parts = col_int(q, 6);
	division = (struct str){ arena_strndup(a, col_bytes(q, 7).p, col_bytes(q, 7).n), col_bytes(q, 7).n };
	e->sections = entry_sections(db, a, no, SIZE_MAX, SIZE_MAX, &e->count);
	/*
	 * A part repeats its section's heading for excerpts, but its words were indexed once, with
	 * the section.
	 */
	for (i = 0; i < e->count; i++)
		if (e->sections[i].part)
			e->sections[i].heading = NULL;
	entry_terms_again(a, l->scope, division, e);
}

/* True if the row, and the parts of it that are in the index, are still those that were read. */
static bool
is_same(struct db *db, const struct removed_entry *l)
{
	return count_parts(db, l->no, l->scope, l->entry.page, l->entry.key) == l->parts;
}

/* True if the entry has one place, which is in this space and does not count. */
static bool
is_unused(struct db *db, int64_t space, int64_t no)
{
	struct stmt *q = db_use(db, &q_places);

	bind_int(q, ":space", space);
	bind_int(q, ":no", no);
	return stmt_step(q) && col_int(q, 0) == 1 && col_int(q, 1) == 1;
}

bool
entry_shorten(struct db *db, struct arena *a, int64_t space, struct removed_entry *l)
{
	if (l->parts == 1 || !is_same(db, l) || !is_unused(db, space, l->no))
		return false;
	/* Once a part is missing, the entry must not be shown. */
	if (l->entry.key.n != KEY_UNFINISHED) {
		l->entry.key = unfinished_key(a);
		set_key(db, l->no, l->entry.key);
	}
	write_terms(db, l->no, &l->entry, --l->parts, true);
	set_parts(db, l->no, l->parts);
	return true;
}

void
entry_remove(struct db *db, struct arena *a, int64_t no, const struct removed_entry *known)
{
	struct removed_entry l;
	struct stmt *q;

	if (known != NULL && known->no == no && is_same(db, known))
		l = *known;
	else
		entry_read_row(db, a, no, &l);
	while (l.parts > 0)
		write_terms(db, no, &l.entry, --l.parts, true);
	q = db_use(db, &q_drop_text);
	bind_int(q, ":no", no);
	stmt_run(q);
	q = db_use(db, &q_drop);
	bind_int(q, ":no", no);
	stmt_run(q);
	/* The caller removes hundreds in a row: free the words of each. */
	arena_reset(a);
}
