/* An organization's own synonyms: rows of search_words. Contract: own_words.h. */
#include "search/own_words.h"
#include "text/words.h"

SQL(q_sets, "SELECT no, members FROM search_words WHERE org = :org ORDER BY no");
/*
 * One statement, so that two writers cannot get the same number or exceed :most. HAVING without
 * GROUP BY: one row, or none if the table is full.
 */
SQL(q_add,
    "INSERT INTO search_words (org, no, members) SELECT :org, COALESCE(max(no), 0) + 1, :members "
    "FROM search_words WHERE org = :org HAVING count(*) < :most RETURNING no");
SQL(q_remove, "DELETE FROM search_words WHERE org = :org AND no = :no");

/* The folded form of a member's text. */
struct folded_text {
	struct buf b;
	size_t     words;
	bool       bad;
};

/* Add a main word; false ends the walk as soon as the text is invalid. */
static bool
fold_word(void *ctx, const struct word *w)
{
	struct folded_text *f = ctx;

	if (w->kind != WORD_MAIN)
		return true;
	f->bad = f->bad || w->pair || ++f->words > OWN_WORDS;
	if (f->b.n > 0)
		buf_char(&f->b, ' ');
	buf_add(&f->b, w->text, w->n);
	return !f->bad;
}

const char *
own_word(struct arena *a, const char *text)
{
	struct folded_text f = { .words = 0 };

	buf_init(&f.b, a, (WORD_MAX + 8) * (OWN_WORDS + 1));
	/* No language is given: members are stored as words, and stemmed when a query uses them. */
	words_of_query(str_of(text), LANG_NONE, fold_word, &f);
	return f.bad || f.words == 0 ? NULL : f.b.p;
}

/*
 * One member per line, at most OWN_MEMBERS. The list ends with NULL, as its last entry is never
 * filled.
 */
static void
read_members(struct arena *a, struct str text, struct own_set *set)
{
	size_t n = 0, i;

	for (; n < OWN_MEMBERS && text.n > 0; text = str_slice(text, i + (i < text.n), text.n)) {
		for (i = 0; i < text.n && text.p[i] != '\n'; i++)
			;
		set->members[n++] = arena_strndup(a, text.p, i);
	}
}

struct own_set *
own_sets(struct db *db, struct arena *a, const char *org, size_t *n)
{
	struct stmt *q = db_use(db, &q_sets);
	struct own_set *list = NULL;
	size_t room = 0;

	bind_text(q, ":org", org);
	for (*n = 0; stmt_step(q); ++*n) {
		list = arena_grow(a, list, *n, &room, sizeof(*list));
		list[*n] = (struct own_set){ .no = col_int(q, 0) };
		read_members(a, str_of(col_text(q, 1)), &list[*n]);
	}
	return list;
}

/* Members contain no line feed: own_word() returns folded words and blanks only. */
int64_t
own_set_add(struct db *db, struct arena *a, const char *org, const struct own_set *set)
{
	struct stmt *q = db_use(db, &q_add);
	struct buf b;
	size_t i;

	buf_init(&b, a, 64 << 10);
	for (i = 0; set->members[i] != NULL; i++)
		buf_printf(&b, "%s%s", i > 0 ? "\n" : "", set->members[i]);
	bind_text(q, ":org", org);
	bind_str(q, ":members", buf_view(&b));
	bind_int(q, ":most", OWN_SETS);
	return stmt_step(q) ? col_int(q, 0) : 0;
}

void
own_set_remove(struct db *db, const char *org, int64_t no)
{
	struct stmt *q = db_use(db, &q_remove);

	bind_text(q, ":org", org);
	bind_int(q, ":no", no);
	stmt_run(q);
}
