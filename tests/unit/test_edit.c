/* Batches that are refused: each message is a sentence that names the change and the reason. */
#include "change_fixture.h"

/* The place and the reason of the refusal; NULL: the batch was accepted. */
static const char *
refused(struct fixture *f, int64_t request, const char *changes)
{
	struct edit e;

	return apply_changes(f, request, arena_strdup(f->arena, changes), &e) ? NULL :
	    arena_printf(f->arena, "%s%s %s", e.unknown ? "404 " : "", e.where + 1, e.why);
}

#define OK_FIRST "{'operation':'update_page','page':'a','title':'A'},"

static const struct { const char *changes, *message; } table[] = {
	{ "[" OK_FIRST "{'operation':'update_page','page':'nope','title':'x'}]",
	  "404 changes/1/page names no page of this change request: nope" },
	{ "[" OK_FIRST "{'operation':'delete_page','page':'nope'}]",
	  "404 changes/1/page names no page of this change request: nope" },
	{ "[" OK_FIRST "{'operation':'revert_page','page':'nope'}]",
	  "404 changes/1/page names no page of this change request: nope" },
	{ "[{'operation':'revert_page','page':'a','revision':'nope'}]",
	  "404 changes/0/revision names no revision of this space: nope" },
	{ "[{'operation':'revert_page','page':'a','block':['nope']}]",
	  "changes/0/block names no block of the page: nope" },
	{ "[{'operation':'insert_page','title':'x','into':'nope','document':{'markdown':'x'}}]",
	  "404 changes/0/into names no page of this change request: nope" },
	{ "[{'operation':'insert_page','title':'x','into':'link','document':{'markdown':'x'}}]",
	  "changes/0/into names a link page, which holds no pages: link" },
	{ "[{'operation':'update_page','page':'b','into':'link'}]",
	  "changes/0/into names a link page, which holds no pages: link" },
	{ "[{'operation':'update_page','page':'link','document':{'markdown':'x'}}]",
	  "changes/0/document is not for a link page: it has none" },
	{ "[{'operation':'update_page','page':'a','slug':'A B'}]",
	  "changes/0/slug must be 1 to 100 of a-z 0-9 . + _ -; \"a-b\" would do" },
	{ "[" OK_FIRST "{'operation':'update_page','page':'a','into':'c'}]",
	  "changes/1 would put the page \"A\" below itself" },
	{ "[" OK_FIRST "{'operation':'update_page','page':'a','slug':'b'}]",
	  "changes/1 would give the page \"A\", or one below it, a path that another page has: b, "
	  "the page \"b\" (b)" },
	{ "[{'operation':'insert_page','ref':'a','title':'x','document':{'markdown':'x'}}]",
	  "changes/0/ref is the path of a page, so that a link could mean either: a" },
	{ "[{'operation':'insert_page','ref':'r','title':'x','document':{'markdown':'x'}},"
	  "{'operation':'insert_page','ref':'r','title':'y','document':{'markdown':'y'}}]",
	  "changes/1/ref is the ref of an earlier change, too: r" },
	{ "[{'operation':'insert_page','ref':'x#y','title':'x','document':{'markdown':'x'}}]",
	  "changes/0/ref is empty or holds a #" },
	{ "[" OK_FIRST "{'operation':'insert_page','title':'x','document':{'markdown':'x','document':{}}}]",
	  "changes/1/document has both markdown and document; send one of them" },
	{ "[{'operation':'insert_files','files':[{'name':'a/b','base64':'eA==','contentType':'text/plain'}]}]",
	  "changes/0/files/0/name holds a slash" },
	{ "[" OK_FIRST "{'operation':'insert_files','files':[{'name':'b','base64':'%','contentType':'text/plain'}]}]",
	  "changes/1/files/0/base64 is damaged" },
	{ "[{'operation':'insert_files','files':[{'name':'b','url':'https://a.example/b'}]}]",
	  "changes/0/files/0/url cannot be fetched by this operation, which answers at once: use POST …/change-requests/ID/files, or send base64" },
};

static void
a_faulty_change_is_refused_with_a_message(void **state)
{
	struct fixture *f = *state;
	struct node link = page_node("link", "", "l");
	struct point now;
	const char *got;
	int64_t r;
	size_t i;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "", "V");
	main_page(f, &now, "b", "", "W");
	main_page(f, &now, "c", "a", "V");
	link.kind = NODE_LINK;
	node_put(f->db, now.branch, now.seq, &link);
	db_commit(f->db);
	r = request_open(f);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		got = refused(f, r, table[i].changes);
		if (got == NULL || strcmp(got, table[i].message) != 0)
			fail_msg("%s\n%s\ninstead of\n%s", table[i].changes, got == NULL ? "nothing" : got,
			    table[i].message);
	}
	/* No refused batch changed anything. */
	assert_string_equal(children_text(f, r, ""), "a b link");
	overlay_rows(f->db, f->arena, r, &i);
	assert_int_equal(i, 0);
	assert_null(refused(f, r, "[" OK_FIRST "{'operation':'update_page','page':'c','into':'b'}]"));
	assert_string_equal(children_text(f, r, "b"), "c");
}

/* A new page may take the old path of a page that moved: it replaces the redirect. */
static void
a_ref_may_take_an_old_path(void **state)
{
	struct fixture *f = *state;
	struct point now;
	int64_t r;

	new_space(f);
	now = revision_begin(f, f->branch);
	main_page(f, &now, "a", "", "V");
	db_commit(f->db);
	r = request_open(f);
	assert_null(change(f, r, "{'operation':'update_page','page':'a','slug':'new'}"));
	assert_null(merge_request(f, r).clashes);
	r = request_open(f);
	assert_null(change(f, r, "{'operation':'insert_page','ref':'a','title':'A','document':{'markdown':'x'}}"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_faulty_change_is_refused_with_a_message),
	cmocka_unit_test(a_ref_may_take_an_old_path) };

	return cmocka_run_group_tests(tests, db_setup, db_teardown);
}
