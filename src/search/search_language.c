/* Chooses the language in which a query is read (search_parts.h). */
#include "search_parts.h"

/*
 * ENOUGH: bytes of text that suffice to detect a language. PAGES_READ: pages that are read for it.
 * CACHED: number of spaces whose language is cached. ID: size of a space's id with its NUL; longer
 * ids are not cached.
 */
enum { ENOUGH = 4000, PAGES_READ = 5, CACHED = 64, ID = 32 };

/* Any pages will do, so there is no ORDER BY. */
SQL(q_some, "SELECT no FROM search_place WHERE space = :space LIMIT 5");

/*
 * Cache of detected languages per space and head: reading pages would take a third of a search's
 * time. The slot follows from the id; spaces with the same slot replace each other.
 */
struct language_entry { char space[ID]; int64_t head; enum language language; };
static const struct db_keeper keeper = { .size = CACHED * sizeof(struct language_entry) };

static size_t
cache_slot(const char *space)
{
	size_t sum = 0;

	for (; *space != '\0'; space++)
		sum = sum * 31 + (unsigned char)*space;
	return sum % CACHED;
}

/* Language of some pages of a space that does not name its language. */
static enum language
read_pages(struct db *db, struct arena *a, int64_t space)
{
	struct stmt *q = db_use(db, &q_some);
	const struct doc_section *sections;
	int64_t list[PAGES_READ];
	size_t n = 0, i, k, count;
	struct buf text;

	bind_int(q, ":space", space);
	while (n < PAGES_READ && stmt_step(q))
		list[n++] = col_int(q, 0);
	buf_init(&text, a, (size_t)1 << 20);
	for (i = 0; i < n && text.n < ENOUGH; i++) {
		sections = entry_sections(db, a, list[i], ENOUGH - text.n, SIZE_MAX, &count);
		for (k = 0; k < count; k++)
			buf_str(&text, sections[k].text);
	}
	return language_detect(buf_view(&text));
}

static enum language
language_of_pages(struct db *db, struct arena *a, const struct search_in *in)
{
	struct language_entry *t = (struct language_entry *)db_remember(db, &keeper) + cache_slot(in->space);
	enum language lang;

	if (t->head == in->head && strcmp(t->space, in->space) == 0)
		return t->language;
	lang = read_pages(db, a, in->no);
	if (strlen(in->space) < ID) {
		memcpy(t->space, in->space, strlen(in->space) + 1);
		t->head = in->head;
		t->language = lang;
	}
	return lang;
}

enum language
search_language(struct db *db, struct arena *a, struct str text, const struct search_in *in, size_t n)
{
	enum language lang = LANG_NONE, each;
	size_t i;

	/* This is done for a single place only: reading pages of many would cost more than the search. */
	if (n == 1 && in->language == NULL)
		return language_of_pages(db, a, in);
	for (i = 0; i < n; i++) {
		each = in[i].language == NULL ? LANG_NONE : language_named(str_of(in[i].language));
		if (i > 0 && each != lang)
			return language_detect(text);
		lang = each;
	}
	return lang != LANG_NONE ? lang : language_detect(text);
}
