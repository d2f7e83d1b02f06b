/*
 * How long large requests keep others from writing: the longest write transaction of each, its
 * processor time, and the duration of the whole request. All requests are served in this process.
 * Prints lines "NAME LONGEST-MS WORK-MS WHOLE-MS", the medians of several rounds. The large pages
 * are of common words ("large") and of words that are all different ("words"), as base64 has them.
 *
 *   bench_locks [PAGES [MEGABYTES [ROUNDS]]]
 */
#include <sodium.h>
#include <sys/stat.h>
#include <time.h>

#include <cjson/cJSON.h>

#include "../memory_io.h"
#include "../temp_dir.h"
#include "api/routes.h"
#include "app/people.h"
#include "base/secret.h"
#include "store/space.h"

enum { BATCH = 50, ROUNDS = 15, NAMES = 16 };

struct bench {
	struct arena    *keeps, *arena;
	struct db       *db;
	struct settings *set;
	struct memory_io io;
	char             dir[TEMP_MAX];
	const char      *token, *space;
	unsigned         edits;     /* edits so far: each text is unique */
};

static struct measure { const char *name; int64_t longest[ROUNDS], work[ROUNDS], whole[ROUNDS]; int n; } measures[NAMES];

static int64_t
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void
give_up(const char *what, const char *why)
{
	fprintf(stderr, "bench_locks: %s: %.900s\n", what, why);
	exit(1);
}

static void
note(const char *name, int64_t longest, int64_t work, int64_t whole)
{
	struct measure *m = measures;

	while (m->name != NULL && strcmp(m->name, name) != 0)
		m++;
	m->name = name;
	m->longest[m->n] = longest;
	m->work[m->n] = work;
	m->whole[m->n++] = whole;
}

/* Serves a request. name NULL: it is not measured. The result is valid until the next call. */
static const char *
ask(struct bench *b, const char *name, const char *method, const char *path, struct str body)
{
	const char *uri = arena_printf(b->arena, "/v1/spaces/%s%s", b->space, path);
	int64_t start;

	memory_request(&b->io, b->arena, method, uri, b->token, body);
	db_longest(b->db, true);
	db_longest_work(b->db, true);
	start = now_us();
	if (memory_serve(&b->io, b->arena, b->db, b->set, &octavo_app) >= 300)
		give_up(uri, b->io.out);
	if (name != NULL)
		note(name, db_longest(b->db, true), db_longest_work(b->db, true), now_us() - start);
	return b->io.text;
}

static int
request_new(struct bench *b)
{
	const char *text = ask(b, NULL, "POST", "/change-requests", STR("{\"subject\":\"Bench\"}"));

	return (int)strtol(strstr(text, "\"number\":") + 9, NULL, 10);
}

/* Writes texts of pages [from, to) in a request; what: insert or update. */
static void
write_some(struct bench *b, int request, const char *const *pages, int from, int to, const char *word)
{
	struct buf s;
	int i;

	buf_init(&s, b->arena, 1 << 20);
	buf_str(&s, "{\"changes\":[");
	for (i = from; i < to; i++) {
		buf_str(&s, i > from ? "," : "");
		if (pages == NULL)
			buf_printf(&s, "{\"operation\":\"insert_page\",\"title\":\"Page %d\"", i);
		else
			buf_printf(&s, "{\"operation\":\"update_page\",\"page\":\"%s\"", pages[i]);
		buf_printf(&s, ",\"document\":{\"markdown\":\"A heron stands in page %d, see "
		    "[another](/pages/%s) and [one](https://example.com/%d).\\n\\nThe first line is %s %u.\\n\\nAnd the last.\\n\"}}",
		    i, pages == NULL ? "none" : pages[i / 2], i, word, b->edits);
	}
	buf_str(&s, "]}");
	ask(b, NULL, "POST", arena_printf(b->arena, "/change-requests/%d/content", request), buf_view(&s));
}

static void
write_all(struct bench *b, int request, const char *const *pages, int n, const char *word)
{
	int i;

	b->edits++;
	for (i = 0; i < n; i += BATCH)
		write_some(b, request, pages, i, i + BATCH < n ? i + BATCH : n, word);
}

static void
act(struct bench *b, const char *name, int request, const char *what, const char *result)
{
	const char *text = ask(b, name, "POST", arena_printf(b->arena, "/change-requests/%d/%s", request, what),
	    (struct str){ NULL, 0 });

	if (strstr(text, result) == NULL)
		give_up(what, text);
}

/* Ids of the pages at the top, in order. */
static const char **
page_ids(struct bench *b, int n)
{
	cJSON *all = cJSON_Parse(ask(b, NULL, "GET", "/content/pages", (struct str){ NULL, 0 }));
	const cJSON *page, *list = cJSON_GetObjectItemCaseSensitive(all, "pages");
	const char **ids = arena_array(b->keeps, (size_t)n, sizeof(*ids));
	int i = 0;

	cJSON_ArrayForEach(page, list)
		if (i < n)
			ids[i++] = arena_strdup(b->keeps, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(page, "id")));
	cJSON_Delete(all);
	if (i < n)
		give_up("pages", "too few");
	return ids;
}

/* As many different words as long texts have. */
static void
put_common(struct buf *s, int i)
{
	buf_printf(s, i % 20 == 19 ? "\\n\\nA [link](https://example.com/%x/%x). " : "Some words like a%x or like b%x and more of them. ",
	    i * 7919 % 10007, i * 104729 % 15013);
}

static void
put_different(struct buf *s, int i)
{
	buf_printf(s, i % 20 == 19 ? "%x\\n\\n" : "%x ", (unsigned)i * 2654435761u);
}

static void
write_large(struct bench *b, int request, const char *page, size_t megabytes, void (*put)(struct buf *, int))
{
	struct buf s;
	int i;

	b->edits++;
	buf_init(&s, b->arena, 64 << 20);
	if (page == NULL)
		buf_str(&s, "{\"changes\":[{\"operation\":\"insert_page\",\"title\":\"Large\"");
	else
		buf_printf(&s, "{\"changes\":[{\"operation\":\"update_page\",\"page\":\"%s\"", page);
	buf_str(&s, ",\"document\":{\"markdown\":\"");
	for (i = 0; s.n < megabytes << 20; i++)
		put(&s, i);
	buf_printf(&s, "The end %u.\\n\"}}]}", b->edits);
	ask(b, put == put_different ? NULL : page == NULL ? "large_insert" : "large_edit", "POST",
	    arena_printf(b->arena, "/change-requests/%d/content", request), buf_view(&s));
}

static void
round_of_pages(struct bench *b, const char *const *pages, int n)
{
	int one = request_new(b), other = request_new(b), tree = request_new(b), stale = request_new(b);

	write_all(b, one, pages, n, "first");
	write_all(b, other, pages, n / 2, "second");
	write_all(b, stale, pages, n / 2, "third");
	act(b, "merge_many", one, "merge", "\"merge\"");
	act(b, "merge_conflicts", stale, "merge", "\"conflicts\"");
	act(b, "update_conflicts", other, "update", "\"conflicts\"");
	act(b, "update_none", tree, "update", "\"update\"");
	arena_reset(b->arena);
}

static void
round_of_large(struct bench *b, const char *page, size_t megabytes)
{
	int one = request_new(b), other = request_new(b);

	write_large(b, one, page, megabytes, put_common);
	write_large(b, other, page, megabytes, put_common);
	act(b, "merge_large", one, "merge", "\"merge\"");
	act(b, "update_large", other, "update", "\"conflicts\"");
	arena_reset(b->arena);
	one = request_new(b);
	write_large(b, one, page, megabytes, put_different);
	act(b, "merge_words", one, "merge", "\"merge\"");
	arena_reset(b->arena);
}

static const char *
setting(void *ctx, const char *name)
{
	return strcmp(name, "OCTAVO_DIR") == 0 ? ((struct bench *)ctx)->dir : NULL;
}

static void
open_bench(struct bench *b)
{
	const char *error = NULL;
	struct org_new o = { .title = "Bench" };
	char *org, *user;
	int64_t branch;

	temp_dir(b->dir);
	b->keeps = arena_new((size_t)1 << 30);
	b->arena = arena_new((size_t)8 << 30);
	mkdir(arena_printf(b->keeps, "%s/blobs", b->dir), 0700);
	if ((error = secret_create(b->keeps, b->dir)) == NULL)
		error = secret_open(b->keeps, b->dir);
	if (error == NULL)
		b->db = db_open(b->keeps, arena_printf(b->keeps, "%s/octavo.db", b->dir), DB_CREATE, NULL, &error);
	if (error == NULL)
		b->set = settings_read(b->keeps, setting, b, &error);
	if (error != NULL)
		give_up("opening", error);
	db_begin(b->db, true);
	user = user_make(b->db, b->keeps, "ada@example.com", "Ada");
	org = org_make(b->db, b->keeps, &o);
	member_set(b->db, org, user, 6);
	b->space = space_make(b->db, b->keeps, &(struct space_new){ .org = org, .title = "Manual", .author = user }, &branch);
	b->token = token_make(b->db, b->keeps, user, "admin", "bench", 0);
	db_commit(b->db);
}

static int
by_size(const void *x, const void *y)
{
	int64_t a = *(const int64_t *)x, c = *(const int64_t *)y;

	return (a > c) - (a < c);
}

static void
print_all(void)
{
	struct measure *m;

	for (m = measures; m->name != NULL; m++) {
		qsort(m->longest, (size_t)m->n, sizeof(int64_t), by_size);
		qsort(m->work, (size_t)m->n, sizeof(int64_t), by_size);
		qsort(m->whole, (size_t)m->n, sizeof(int64_t), by_size);
		printf("%s %.1f %.1f %.1f\n", m->name, (double)m->longest[m->n / 2] / 1000, (double)m->work[m->n / 2] / 1000,
		    (double)m->whole[m->n / 2] / 1000);
	}
}

/* A connection that is watched measures processor time. */
static void
nothing(void *ctx)
{
	(void)ctx;
}

int
main(int argc, char **argv)
{
	int pages = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 2000, i;
	size_t megabytes = argc > 2 ? strtoul(argv[2], NULL, 10) : 9;
	int rounds = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 3, request;
	struct bench b = { .edits = 0 };
	const char **ids;
	const char *large;

	/* Otherwise libsodium would hash with its slowest code, unlike Octavo's programs. */
	if (sodium_init() < 0)
		return 1;
	open_bench(&b);
	db_watch(b.db, DB_STEP_REQUEST_MS * 1000, nothing, NULL);
	request = request_new(&b);
	write_all(&b, request, NULL, pages, "new");
	act(&b, "merge_new", request, "merge", "\"merge\"");
	arena_reset(b.arena);
	ids = page_ids(&b, pages);
	for (i = 0; i < rounds && i < ROUNDS; i++)
		round_of_pages(&b, ids, pages);
	if (megabytes > 0) {
		request = request_new(&b);
		write_large(&b, request, NULL, megabytes, put_common);
		act(&b, "merge_large_new", request, "merge", "\"merge\"");
		arena_reset(b.arena);
		large = page_ids(&b, pages + 1)[pages];
		for (i = 0; i < rounds && i < ROUNDS; i++)
			round_of_large(&b, large, megabytes);
	}
	print_all();
	db_close(b.db);
	return 0;
}
