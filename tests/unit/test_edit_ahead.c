/*
 * Large documents are parsed before the write transaction: without its lock, with the same result
 * as inside it, and again if something that they depend on has changed in between.
 */
#include "ahead_fixture.h"
#include "corpus_fixture.h"

#include "markdown/document.h"
#include "propagate/comments.h"
#include "propagate/large_bodies.h"
#include "search/search.h"

/* Title, frontmatter, body and links of a page in the request. */
static const char *
page_text(struct fixture *f, int64_t request, const char *id)
{
	struct point p = head_of(f, request);
	struct str body, refs;
	struct node n;

	assert_true(node_get(f->db, f->arena, &p, id, &n));
	assert_true(blob_get(f->db, f->arena, n.body, &body));
	assert_true(blob_get(f->db, f->arena, n.refs, &refs));
	return arena_printf(f->arena, "%s|%s|%.*s|%.*s", n.title, n.props, (int)body.n, body.p, (int)refs.n, refs.p);
}

static const char body[] = "# Title\n\nSome  *text* and [a link](../b.md), [one more](/pages/a).\n\n"
	"* One\n* Two\n\n[ref]\n\n[ref]: b.md \"there\"\n\n| a | b |\n|---|---|\n| [x](../a.md#y) | `z` |\n";

/* The page as a client that has read it writes it back: in the published service's style, with one more sentence. */
static struct str
rewritten(struct fixture *f, struct str source)
{
	struct buf b;

	buf_init(&b, f->arena, 64 << 20);
	doc_markdown(&b, doc_parse(f->arena, source, NULL, NULL, NULL), NULL);
	buf_str(&b, "\nA sentence more.\n");
	return buf_view(&b);
}

/* Another writer writes while the document is parsed; the transaction then parses nothing. */
static void
a_document_is_read_without_the_lock(void **state)
{
	struct fixture *f = *state;
	const char *error = NULL;
	struct edit_ahead *ahead;
	struct db *other;
	int64_t request;
	cJSON *changes;

	space_with(f, STR(body));
	request = request_open(f);
	changes = update_of("d", rewritten(f, STR(body)));
	other = db_open(f->arena, arena_printf(f->arena, "%s/octavo.db", f->dir), DB_READ_WRITE,
	    &(struct db_options){ .relaxed = true }, &error);
	assert_null(error);
	db_begin(other, true);
	ahead = prepare(f, request, changes);
	db_rollback(other);
	db_close(other);
	assert_non_null(ahead);
	assert_int_equal(apply(f, request, changes, ahead), 0);
	request = request_open(f);
	assert_true(apply(f, request, changes, NULL) > sizeof(body));
}

static const char *const batches[] = {
	"[{'operation':'update_page','page':'d','document':{'markdown':'---\\nicon: x\\n---\\n# New\\n\\n[x](b.md) [y](nope.md)'}}]",
	"[{'operation':'insert_page','ref':'new','title':'N','document':{'markdown':'[d](/pages/d) [self](new.md)'}},"
	 "{'operation':'update_page','page':'d','document':{'markdown':'see [new](./new.md#x)\\n\\n* One\\n* Two\\n'}}]",
	"[{'operation':'update_page','page':'b','slug':'moved'},"
	 "{'operation':'update_page','page':'d','document':{'markdown':'[a link](../b.md) [c](../moved.md)'}}]",
	"[{'operation':'insert_page','title':'First','at':0,'document':{'markdown':'First.'}},"
	 "{'operation':'update_page','page':'d','document':{'markdown':'[first](/README.md)'}}]",
	"[{'operation':'update_page','page':'a','into':'b'},"
	 "{'operation':'update_page','page':'d','document':{'markdown':'[first](/README.md) [a link](../b.md)'}}]",
	"[{'operation':'update_page','page':'d','document':{'markdown':'one'}},"
	 "{'operation':'update_page','page':'d','document':{'markdown':'one\\n\\n* Two'}}]",
	"[{'operation':'update_page','page':'d','document':{'document':{'object':'document','nodes':[{'object':'block',"
	 "'type':'paragraph','nodes':[{'object':'inline','type':'link','data':{'ref':{'kind':'page','page':'b'}},"
	 "'nodes':[{'object':'text','leaves':[{'object':'leaf','text':'b','marks':[]}]}]}]}]}}}]",
};

static void
reading_ahead_gives_the_same_result(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(batches) / sizeof(*batches); i++) {
		int64_t direct, request;
		cJSON *changes = parse_json(f, batches[i]);
		space_with(f, STR(body));
		direct = request_open(f);
		apply(f, direct, changes, NULL);
		request = request_open(f);
		apply(f, request, changes, prepare(f, request, changes));
		assert_string_equal(without_ids(f, page_text(f, request, "d")), without_ids(f, page_text(f, direct, "d")));
	}
}

/* Changes of another writer in between: to the page itself, and to targets of its links. */
static void
changes_of_others_are_read_again(void **state)
{
	static const char *const others[] = {
		"[{'operation':'update_page','page':'d','document':{'markdown':'Something else.\\n\\n* One\\n* Two\\n'}}]",
		"[{'operation':'update_page','page':'b','slug':'moved'}]",
		"[{'operation':'delete_page','page':'b'}]" };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		int64_t direct, request;
		struct edit_ahead *ahead;
		cJSON *changes, *other = parse_json(f, others[i]);
		space_with(f, STR(body));
		changes = update_of("d", rewritten(f, STR(body)));
		direct = request_open(f);
		apply(f, direct, other, NULL);
		apply(f, direct, changes, NULL);
		request = request_open(f);
		ahead = prepare(f, request, changes);
		apply(f, request, other, NULL);
		assert_true(apply(f, request, changes, ahead) > 0);
		assert_string_equal(page_text(f, request, "d"), page_text(f, direct, "d"));
	}
}

/* Real pages: the first ones of the smallest repository of the corpus. */
static void
pages_of_the_corpus_are_read_ahead(void **state)
{
	struct fixture *f = *state;
	char command[4096], path[1024];
	size_t pages = 0;
	FILE *list;

	if (!corpus_clone("sunrise", arena_printf(f->arena, "%s/sunrise", f->dir)))
		skip();
	snprintf(command, sizeof(command), "find '%s/sunrise' -name '*.md' -size -40k | sort | head -n 40", f->dir);
	list = popen(command, "r");
	assert_non_null(list);
	while (fgets(path, sizeof(path), list) != NULL) {
		struct str text = { arena_bytes(f->arena, 40 << 10), 0 };
		FILE *file = fopen((path[strcspn(path, "\n")] = '\0', path), "r");
		int64_t direct, request;
		cJSON *changes;
		assert_non_null(file);
		text.n = fread((char *)(uintptr_t)text.p, 1, (40 << 10) - 1, file);
		fclose(file);
		text.p = arena_strndup(f->arena, text.p, text.n);
		space_with(f, text);
		changes = update_of("d", rewritten(f, text));
		direct = request_open(f);
		apply(f, direct, changes, NULL);
		request = request_open(f);
		assert_int_equal(apply(f, request, changes, prepare(f, request, changes)), 0);
		assert_string_equal(page_text(f, request, "d"), page_text(f, direct, "d"));
		pages++;
	}
	pclose(list);
	assert_true(pages > 10);
}

/* A body of at least LARGE_MIN bytes that ends with this line. */
static struct str
large_body(struct fixture *f, const char *last)
{
	struct buf b;

	buf_init(&b, f->arena, 1 << 20);
	for (int i = 0; b.n < LARGE_MIN; i++)
		buf_printf(&b, "Paragraph %d with [a link](../b.md) in it.\n\n", i);
	buf_printf(&b, "%s\n", last);
	return buf_view(&b);
}

/* A comment on the last block of page d, in a scope of the space. */
static char *
comment_on_last(struct fixture *f, const char *scope, struct str text)
{
	struct comment_new n = { .space = f->space, .scope = scope, .author = f->user, .body = "x", .page = "d",
		.revision = "old" };
	size_t count;
	struct doc_block *blocks = doc_blocks(f->arena, text, &count);

	n.node = blocks[count - 1].key;
	return comment_add(f->db, f->arena, &n);
}

SQL(q_comment_node, "SELECT COALESCE(node, '-') FROM comment WHERE id = :id");

static void
assert_on_last(struct fixture *f, const char *comment, struct str text)
{
	struct stmt *q = db_use(f->db, &q_comment_node);
	size_t count;
	struct doc_block *blocks = doc_blocks(f->arena, text, &count);

	bind_text(q, ":id", comment);
	assert_true(stmt_step(q));
	assert_string_equal(col_text(q, 0), blocks[count - 1].key);
}

/*
 * Merges as the API does: a second time if large bodies have to be parsed first. Returns the bytes
 * parsed under the lock.
 */
static size_t
merge_twice(struct fixture *f, int64_t request, struct large *l, bool *waited)
{
	struct merge_outcome out;
	struct point p = head_of(f, request);
	size_t parsed;

	db_begin(f->db, true);
	parsed = doc_bytes_parsed();
	request_merge(f->db, f->arena, &p, f->user, l, &out);
	parsed = doc_bytes_parsed() - parsed;
	if ((*waited = out.waits)) {
		db_rollback(f->db);
		large_read(f->db, l);
		db_begin(f->db, true);
		parsed -= doc_bytes_parsed();
		request_merge(f->db, f->arena, &p, f->user, l, &out);
		parsed += doc_bytes_parsed();
	}
	assert_false(out.waits);
	assert_true(out.changed);
	db_commit(f->db);
	return parsed;
}

static void
publish_main(struct fixture *f)
{
	struct point now = head_of(f, f->branch);

	db_begin(f->db, true);
	propagate_revision(f->db, f->arena, f->space, f->branch, now.seq);
	db_commit(f->db);
}

static int64_t
request_with(struct fixture *f, struct str text)
{
	int64_t request = request_open(f);

	apply(f, request, update_of("d", text), NULL);
	return request;
}

static int64_t
pages_found(struct fixture *f, const char *query)
{
	struct search_found found;
	struct search_in in;

	assert_true(search_find(f->db, f->arena, f->space, &in));
	search(f->db, f->arena, str_of(query), &in, 1, 10, NULL, &found);
	return found.count;
}

/* A merge of a large page parses nothing under the write lock, and has the same effects as any other. */
static void
a_large_merge_reads_without_the_lock(void **state)
{
	struct fixture *f = *state;
	struct str old = large_body(f, "The last."), now = large_body(f, "The very last.");
	int64_t request;
	char *comment;
	bool waited;

	space_with(f, old);
	publish_main(f);
	db_begin(f->db, true);
	comment = comment_on_last(f, f->space, old);
	db_commit(f->db);
	request = request_with(f, now);
	assert_int_equal(merge_twice(f, request, large_new(f->arena, f->space), &waited), 0);
	assert_true(waited);
	assert_on_last(f, comment, now);
	assert_int_equal(pages_found(f, "very last"), 1);
}

/* Small pages are merged at once; pages that changed after they were parsed are parsed again under the lock. */
static void
a_small_merge_does_not_wait(void **state)
{
	struct fixture *f = *state;
	struct large *l = large_new(f->arena, f->space);
	int64_t request;
	bool waited;

	space_with(f, STR(body));
	publish_main(f);
	assert_true(merge_twice(f, request_with(f, STR("Short.\n")), large_new(f->arena, f->space), &waited) > 0);
	assert_false(waited);
	request = request_with(f, large_body(f, "One."));
	l->read = true;
	assert_true(merge_twice(f, request, l, &waited) >= LARGE_MIN);
	assert_false(waited);
	assert_int_equal(pages_found(f, "One"), 1);
}

/* Small batches are written at once; large ones, and small ones for large pages, are prepared. */
static void
large_batches_are_read_ahead(void **state)
{
	struct fixture *f = *state;
	static char text[EDIT_AHEAD_MIN + 1];
	struct edit e = { .db = f->db, .arena = f->arena };

	memset(text, 'a', EDIT_AHEAD_MIN);
	space_with(f, STR(text));
	e.now = head_of(f, f->branch);
	e.changes = update_of("a", STR(body));
	assert_false(edit_is_large(&e));
	e.changes = update_of("a", str_of(text));
	assert_true(edit_is_large(&e));
	e.changes = update_of("d", STR(body));
	assert_true(edit_is_large(&e));
	e.changes = parse_json(f, "[{'operation':'update_page','page':'d','title':'D'}]");
	assert_false(edit_is_large(&e));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_document_is_read_without_the_lock),
	cmocka_unit_test(reading_ahead_gives_the_same_result),
		cmocka_unit_test(changes_of_others_are_read_again), cmocka_unit_test(pages_of_the_corpus_are_read_ahead),
		cmocka_unit_test(large_batches_are_read_ahead),
		cmocka_unit_test(a_large_merge_reads_without_the_lock), cmocka_unit_test(a_small_merge_does_not_wait) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
