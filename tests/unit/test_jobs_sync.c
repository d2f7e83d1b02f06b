/*
 * A binding: a space and a git branch, both of which are edited. Each merged change request becomes
 * a commit; new commits are merged into the space; conflicts wait in a change request; the next run
 * completes an interrupted one; and no line of either side is lost.
 */
#include "bound_fixture.h"

SQL(q_schedule, "SELECT every FROM schedule WHERE id = 'git:' || :space");
SQL(q_shown, "SELECT provider, tree_url, commit_url FROM git_sync WHERE space = :space");

#include "seed_fixture.h"

static void
a_commit_for_each_request(void **state)
{
	struct fixture *f = *state;

	start_bound(f);
	assert_string_equal(log_of(f), "First|W;");
	assert_string_equal(state_of(f, &q_state, 0), "synchronized");
	write_here(f, "Better a", "a", "a line 2", "a line two");
	write_here(f, "Better b", "b", "b line 3", "b line three");
	done(sync_now(f));
	assert_string_equal(log_of(f), "OCTAVO-2: Better b|Ada;OCTAVO-1: Better a|Ada;First|W;");
	assert_string_equal(output_of(f, "git -C repo.git show --format= --numstat main main~1 | tr '\\t\\n' ' ;'"), "1 1 b.md;1 1 a.md;");
	/* Nothing has changed: no commit. */
	done(sync_now(f));
	assert_string_equal(output_of(f, "git -C repo.git rev-list --count main"), "3\n");
	/* A new commit is merged into the space, and nothing is pushed. */
	write_there(f, "c.md", "c line 4", "c line four");
	done(sync_now(f));
	assert_non_null(strstr(body_of(f, &(struct node){ .body = page_of(f, "c").body }), "c line four"));
	assert_string_equal(output_of(f, "git -C repo.git rev-list --count main"), "4\n");
	/* The next change request is a commit on top of it, without a merge commit. */
	write_here(f, "Better c", "c", "c line 6", "c line six");
	done(sync_now(f));
	assert_string_equal(log_of(f), "OCTAVO-3: Better c|Ada;There|W;OCTAVO-2: Better b|Ada;OCTAVO-1: Better a|Ada;First|W;");
	assert_string_equal(there(f, "other.txt"), "keep\r\n");
}

static void
both_sides_are_merged(void **state)
{
	struct fixture *f = *state;
	struct node n;

	start_bound(f);
	write_here(f, "Here", "a", "a line 2", "a line two");
	write_there(f, "a.md", "a line 7", "a line seven");
	done(sync_now(f));
	assert_string_equal(log_of(f), "Merge branch 'main'|Ada;There|W;OCTAVO-1: Here|Ada;First|W;");
	n = page_of(f, "a");
	assert_non_null(strstr(body_of(f, &n), "a line two"));
	assert_non_null(strstr(body_of(f, &n), "a line seven"));
	assert_non_null(strstr(there(f, "a.md"), "a line two"));
	assert_non_null(strstr(there(f, "a.md"), "a line seven"));
	done(sync_now(f));
	assert_string_equal(output_of(f, "git -C repo.git rev-list --count main"), "4\n");
}

static void
a_clash_waits(void **state)
{
	struct fixture *f = *state;
	struct ended e;
	struct node n;
	const char *request;

	start_bound(f);
	write_here(f, "Here", "a", "a line 2", "a line two, of us");
	write_there(f, "a.md", "a line 2", "a line two, of them");
	write_there(f, "b.md", "b line 2", "b line two, of them");
	e = sync_now(f);
	assert_string_equal(e.state, "failed");
	assert_string_equal(state_of(f, &q_state, 0), "conflict");
	assert_non_null(strstr(state_of(f, &q_state, 1), "change request 2"));
	request = state_of(f, &q_waiting, 0);
	assert_non_null(request);
	/*
	 * What could be merged is in the space. Of the conflict, main has the space's text and the
	 * change request the remote one's. Nothing was pushed.
	 */
	n = page_of(f, "b");
	assert_non_null(strstr(body_of(f, &n), "b line two, of them"));
	n = page_of(f, "a");
	assert_non_null(strstr(body_of(f, &n), "a line two, of us"));
	assert_string_equal(log_of(f), "There|W;There|W;First|W;");
	/* The same at the next run. When the request is archived, the space's text is pushed. */
	assert_string_equal(sync_now(f).state, "failed");
	db_begin(f->db, true);
	request_set_status(f->db, request, "archived");
	db_commit(f->db);
	done(sync_now(f));
	assert_string_equal(state_of(f, &q_state, 0), "synchronized");
	assert_non_null(strstr(there(f, "a.md"), "a line two, of us"));
	assert_non_null(strstr(there(f, "b.md"), "b line two, of them"));
	assert_non_null(strstr(output_of(f, "git -C repo.git log -p main"), "a line two, of them"));
}

/* The commit was recorded but not pushed: the same commit is made again and pushed. */
static void
a_run_that_ended_early_is_made_again(void **state)
{
	struct fixture *f = *state;
	char *before, *tip;

	start_bound(f);
	before = output_of(f, "git -C repo.git rev-parse main | tr -d '\\n'");
	write_here(f, "Here", "a", "a line 2", "a line two");
	script(f, "CREATE TABLE kept AS SELECT * FROM git_sync");
	done(sync_now(f));
	tip = output_of(f, "git -C repo.git rev-parse main | tr -d '\\n'");
	/* The push was lost together with the process: the same commit is made and pushed again. */
	assert_int_equal(run_in(f, "git -C repo.git update-ref refs/heads/main %s", before), 0);
	script(f, arena_printf(f->arena, "UPDATE git_sync SET pending_oid = done_oid, pending_seq = (SELECT head FROM branch WHERE id = %lld), "
	    "pending_paths = '{}', commit_oid = '%s', done_oid = (SELECT done_oid FROM kept), done_seq = (SELECT done_seq FROM kept), "
	    "done_outside = (SELECT done_outside FROM kept)", (long long)f->branch, before));
	done(sync_now(f));
	assert_string_equal(output_of(f, "git -C repo.git rev-parse main | tr -d '\\n'"), tip);
	write_here(f, "More", "b", "b line 2", "b line two");
	write_there(f, "c.md", "c line 2", "c line two");
	done(sync_now(f));
	assert_non_null(strstr(there(f, "a.md"), "a line two"));
	assert_non_null(strstr(there(f, "b.md"), "b line two"));
	assert_non_null(strstr(there(f, "c.md"), "c line two"));
	script(f, "DROP TABLE kept");
}

/*
 * The push succeeded, but the process died before it recorded that: the next run finds the commit
 * in the branch, even below later ones.
 */
static void
a_push_that_arrived_is_noted_later(void **state)
{
	struct fixture *f = *state;
	unsigned on_top;

	for (on_top = 0; on_top < 2; on_top++) {
		start_bound(f);
		write_here(f, "Here", "a", "a line 2", "a line two");
		/* Reading the pushed commit is the first step after the push: end the run there. */
		script(f, "CREATE TRIGGER ends AFTER UPDATE OF stage ON job WHEN NEW.stage = 'reading' AND EXISTS "
		    "(SELECT 1 FROM git_sync WHERE pending_oid IS NOT NULL) BEGIN UPDATE job SET cancel = 1 WHERE id = NEW.id; END");
		assert_string_equal(sync_now(f).state, "cancelled");
		script(f, "DROP TRIGGER ends");
		assert_string_equal(log_of(f), "OCTAVO-1: Here|Ada;First|W;");
		if (on_top == 1) {
			write_there(f, "a.md", "a line 7", "a line seven");
			write_here(f, "More", "a", "a line 4", "a line four");
		}
		done(sync_now(f));
		assert_string_equal(state_of(f, &q_state, 0), "synchronized");
		assert_string_equal(log_of(f), on_top == 0 ? "OCTAVO-1: Here|Ada;First|W;" :
		    "Merge branch 'main'|Ada;There|W;OCTAVO-2: More|Ada;OCTAVO-1: Here|Ada;First|W;");
		assert_string_equal(strstr(there(f, "a.md"), "\n\n") + 2, body_of(f, &(struct node){ .body = page_of(f, "a").body }));
		assert_non_null(strstr(there(f, "a.md"), "a line two"));
	}
}

static unsigned
files_with(struct fixture *f, const char *text)
{
	return (unsigned)strtoul(output_of(f, "git -C repo.git grep -l '%s' main | wc -l", text), NULL, 10);
}

/*
 * Both sides add a page with the same name: the result has two pages, two files, and a line for
 * each in the table of contents.
 */
static void
one_name_on_both_sides(void **state)
{
	struct fixture *f = *state;

	start_bound(f);
	edit_and_merge(f, "Ours", arena_strdup(f->arena, "[{'operation':'insert_page','title':'New','document':{'markdown':'Words of ours.'}}]"));
	assert_int_equal(run_in(f, "cd work && git fetch -q && git reset -q --hard origin/main && printf '# New\n\nWords of theirs.\n' >new.md && "
	    "printf '* [New](new.md)\n' >>SUMMARY.md && git add -A && git commit -q -m Theirs && git push -q origin HEAD:main"), 0);
	done(sync_now(f));
	assert_int_equal(files_with(f, "Words of ours"), 1);
	assert_int_equal(files_with(f, "Words of theirs"), 1);
	assert_string_equal(there(f, "new.md"), "# New\n\nWords of theirs.\n");
	assert_int_equal(run_in(f, "test $(git -C repo.git show main:SUMMARY.md | grep -c 'New') = 2"), 0);
	assert_non_null(strstr(body_of(f, &(struct node){ .body = page_of(f, "new").body }), "theirs"));
	assert_non_null(strstr(body_of(f, &(struct node){ .body = page_of(f, "new-1").body }), "ours"));
	/* Another run changes nothing. */
	done(sync_now(f));
	assert_string_equal(log_of(f), "Merge branch 'main'|Ada;Theirs|W;OCTAVO-1: Ours|Ada;First|W;");
}

/* The change request with the remote text is merged: then both sides have its text. */
static void
a_clash_is_merged(void **state)
{
	struct fixture *f = *state;
	struct merge_outcome out;
	struct edit e = { 0 };
	const char *request;
	struct point p;
	struct stmt *q;
	int64_t branch;

	start_bound(f);
	write_here(f, "Here", "a", "a line 2", "a line two, of us");
	write_there(f, "a.md", "a line 2", "a line two, of them");
	assert_string_equal(sync_now(f).state, "failed");
	request = state_of(f, &q_waiting, 0);
	db_begin(f->db, true);
	q = db_use(f->db, &q_request_branch);
	bind_text(q, ":id", request);
	branch = stmt_int(q, 0);
	assert_true(point_head(f->db, f->arena, branch, &p));
	request_update(f->db, f->arena, &p, f->user, &out);
	db_commit(f->db);
	assert_true(apply_changes(f, branch, arena_printf(f->arena, "[{'operation':'update_page','page':'%s','document':{'markdown':"
	    "'a line one, of us and them'}}]", page_of(f, "a").id), &e));
	db_begin(f->db, true);
	assert_true(point_head(f->db, f->arena, branch, &p));
	request_merge(f->db, f->arena, &p, f->user, NULL, &out);
	assert_null(out.clashes);
	request_merged(f->db, request, out.revision, f->user);
	db_commit(f->db);
	done(sync_now(f));
	assert_string_equal(state_of(f, &q_state, 0), "synchronized");
	assert_string_equal(there(f, "a.md"), "# a\n\na line one, of us and them\n");
	assert_non_null(strstr(output_of(f, "git -C repo.git log -p --full-history -m main"), "+a line two, of us\n"));
	assert_non_null(strstr(output_of(f, "git -C repo.git log -p --full-history -m main"), "+a line two, of them\n"));
	done(sync_now(f));
}

static int64_t
every(struct fixture *f)
{
	struct stmt *q;
	int64_t n;

	db_begin(f->db, false);
	q = db_use(f->db, &q_schedule);
	bind_text(q, ":space", f->space);
	n = stmt_int(q, -1);
	db_rollback(f->db);
	return n;
}

/* Back-off: a missing repository is polled less and less often, but at least once a day. */
static void
failures_back_off(void **state)
{
	struct fixture *f = *state;
	unsigned i;

	start_bound(f);
	assert_int_equal(every(f), 60000);
	assert_int_equal(run_in(f, "mv repo.git away.git"), 0);
	assert_string_equal(sync_now(f).state, "failed");
	assert_int_equal(every(f), 60000);
	assert_string_equal(sync_now(f).state, "failed");
	assert_int_equal(every(f), 120000);
	for (i = 0; i < 12; i++)
		assert_string_equal(sync_now(f).state, "failed");
	assert_int_equal(every(f), 86400000);
	assert_string_equal(state_of(f, &q_state, 0), "failing");
	assert_int_equal(run_in(f, "mv away.git repo.git"), 0);
	done(sync_now(f));
	assert_int_equal(every(f), 60000);
}

/* Commits have the e-mail address that their author chose; the binding shows the repository's web address. */
static void
the_binding_shows_the_chosen_address(void **state)
{
	struct fixture *f = *state;

	start_bound(f);
	write_here(f, "Before", "a", "a line 2", "a line two");
	done(sync_now(f));
	assert_string_equal(output_of(f, "git -C repo.git log -1 --format=%%ae main"),
	    arena_printf(f->arena, "%s@users.noreply.docs.example\n", f->user));
	script(f, arena_printf(f->arena, "UPDATE account SET commit_email = 'ada@example.com' WHERE id = '%s'", f->user));
	script(f, "UPDATE git_binding SET provider = 'gitlab', tree_url = 'https://git.example/tree', commit_url = 'https://git.example/commit'");
	write_here(f, "After", "a", "a line 3", "a line three");
	done(sync_now(f));
	assert_string_equal(output_of(f, "git -C repo.git log -1 --format='%%ae %%ce' main"), "ada@example.com ada@example.com\n");
	assert_string_equal(state_of(f, &q_shown, 0), "gitlab");
	assert_string_equal(state_of(f, &q_shown, 1), "https://git.example/tree");
	assert_string_equal(state_of(f, &q_shown, 2), "https://git.example/commit");
}

static void
rewritten_history_is_merged(void **state)
{
	struct fixture *f = *state;
	const char *request;

	start_bound(f);
	/* After a force-push the space keeps its content, on top of the new history. */
	write_here(f, "Here", "a", "a line 2", "a line two");
	done(sync_now(f));
	assert_int_equal(run_in(f, "cd work && git reset -q --hard && printf 'new\\n' >>other.txt && "
	    "git commit -q --amend -am Again && git push -q -f origin HEAD:main"), 0);
	assert_string_equal(sync_now(f).state, "failed");
	assert_string_equal(state_of(f, &q_state, 0), "conflict");
	assert_non_null(strstr(body_of(f, &(struct node){ .body = page_of(f, "a").body }), "a line two"));
	request = state_of(f, &q_waiting, 0);
	db_begin(f->db, true);
	request_set_status(f->db, request, "archived");
	db_commit(f->db);
	done(sync_now(f));
	assert_non_null(strstr(there(f, "a.md"), "a line two"));
	assert_non_null(strstr(there(f, "other.txt"), "new"));
	assert_string_equal(output_of(f, "git -C repo.git rev-list --count main"), "2\n");
	/* The branch was deleted. */
	assert_int_equal(run_in(f, "git -C repo.git update-ref -d refs/heads/main"), 0);
	assert_non_null(strstr(sync_now(f).error, "not in the repository any more"));
	assert_string_equal(state_of(f, &q_state, 0), "failing");
	/* The space is locked. */
	script(f, arena_printf(f->arena, "UPDATE space SET edit_mode = 'locked' WHERE id = '%s'", f->space));
	assert_non_null(strstr(sync_now(f).error, "locked"));
	assert_string_equal(state_of(f, &q_state, 0), "waiting");
}

/* A forced full import of the same commit must change nothing: the partial import before it left no stale data. */
static void
as_read_whole(struct fixture *f)
{
	struct ended e = git_job(f, "import", "repo.git", "", ",\"force\":true");

	done(e);
	if (strstr(e.result, "\"changed\":false") == NULL)
		fail_msg("%s", e.result);
}

static const char *
refs_of(struct fixture *f, const char *path)
{
	struct node n = page_of(f, path);
	struct str s;

	db_begin(f->db, false);
	assert_true(blob_get(f->db, f->arena, n.refs, &s));
	db_rollback(f->db);
	return arena_strndup(f->arena, s.p, s.n);
}

static bool
has_file(struct fixture *f, const char *title)
{
	struct point p = head_of(f, f->branch);
	struct node *all;
	bool found = false;
	size_t n, i;

	db_begin(f->db, false);
	all = node_list(f->db, f->arena, &p, NODE_FILE, &n);
	for (i = 0; i < n; i++)
		found |= strcmp(all[i].title, title) == 0;
	db_rollback(f->db);
	return found;
}

/*
 * After a commit that changes one page, the other pages are not read; their links and their files
 * are still correct.
 */
static void
only_changed_pages_are_read(void **state)
{
	struct fixture *f = *state;
	struct ended e;

	start_bound(f);
	assert_int_equal(run_in(f, "cd work && git fetch -q && git reset -q --hard origin/main && printf 'png' >pic.png && printf 'png2' >other.png && "
	    "printf '\n[there](b.md#Place), [gone](gone.md)\n' >>a.md && printf '\n![p](pic.png)\n' >>c.md && git add -A && "
	    "git commit -q -m Links && git push -q origin HEAD:main"), 0);
	e = sync_now(f);
	done(e);
	assert_non_null(strstr(e.result, "\"warnings\":3"));
	assert_null(strstr(refs_of(f, "a"), "\"anchor\":\"place\""));
	assert_true(has_file(f, "pic.png"));
	assert_false(has_file(f, "other.png"));
	as_read_whole(f);
	/* A change of another page: a is not read, so warnings about its links are not repeated. */
	write_there(f, "d.md", "d line 3", "d line three");
	e = sync_now(f);
	done(e);
	assert_non_null(strstr(e.result, "\"warnings\":1"));
	assert_true(has_file(f, "pic.png"));
	as_read_whole(f);
	/* The heading that a page links to is added, and removed. */
	write_there(f, "b.md", "b line 4", "\\n## Place\\n");
	done(sync_now(f));
	assert_non_null(strstr(refs_of(f, "a"), "\"anchor\":\"place\""));
	as_read_whole(f);
	write_there(f, "b.md", "## Place", "## Elsewhere");
	done(sync_now(f));
	assert_null(strstr(refs_of(f, "a"), "\"anchor\":\"place\""));
	as_read_whole(f);
	/* The same by an edit in the space, which is imported again from the branch. */
	write_here(f, "Here", "b", "## Elsewhere", "## Place");
	done(sync_now(f));
	as_read_whole(f);
	/* A page removes its last use of a picture and begins to use another one. */
	write_there(f, "c.md", "!.p.(pic.png)", "![p](other.png)");
	done(sync_now(f));
	assert_false(has_file(f, "pic.png"));
	assert_true(has_file(f, "other.png"));
	as_read_whole(f);
	/* A new file may be the target of broken links, so all pages are read. */
	assert_int_equal(run_in(f, "cd work && git fetch -q && git reset -q --hard origin/main && printf '# Gone\n' >gone.md && "
	    "printf '* [gone](gone.md)\n' >>SUMMARY.md && git add -A && git commit -q -m Came && git push -q origin HEAD:main"), 0);
	done(sync_now(f));
	assert_non_null(strstr(refs_of(f, "a"), page_of(f, "gone").id));
	as_read_whole(f);
}

static void
put_away(struct fixture *f, const char *request)
{
	db_begin(f->db, true);
	request_set_status(f->db, request, "archived");
	db_commit(f->db);
}

/*
 * Merge rules apply to commits as well: those of the space, or of the organization if the space
 * inherits them. The rules may exempt the user who made the binding, as long as that user is a
 * member.
 */
static void
merge_rules_hold_commits(void **state)
{
	struct fixture *f = *state;
	const char *bypass, *request;
	unsigned i;

	start_bound(f);
	bypass = arena_printf(f->arena, ",{\"rule\":\"allow_bypass\",\"users\":[\"%s\"]}", f->user);
	for (i = 0; i < 4; i++) {
		const char *line = arena_printf(f->arena, "a line %u", i + 2), *words = arena_printf(f->arena, "words %u of theirs", i);
		const char *text = arena_printf(f->arena, "{\"type\":\"rules\",\"rules\":[{\"rule\":\"require_subject\"}%s]}",
		    i < 2 ? "" : bypass);

		script(f, arena_printf(f->arena, "UPDATE space SET merge_rules = '%s' WHERE id = '%s'; UPDATE org SET merge_rules = '%s'",
		    i == 1 ? "{\"type\":\"inherit\"}" : text, f->space, i == 1 ? text : "{\"type\":\"rules\",\"rules\":[]}"));
		if (i == 3)
			script(f, arena_printf(f->arena, "UPDATE member SET disabled = 1 WHERE account = '%s'", f->user));
		write_there(f, "a.md", line, words);
		if (i == 2) {
			done(sync_now(f));
			assert_string_equal(state_of(f, &q_state, 0), "synchronized");
			assert_non_null(strstr(body_of(f, &(struct node){ .body = page_of(f, "a").body }), words));
			continue;
		}
		assert_string_equal(sync_now(f).state, "failed");
		assert_string_equal(state_of(f, &q_state, 0), "conflict");
		assert_non_null(strstr(state_of(f, &q_state, 1), "merge it, or archive it"));
		assert_null(strstr(body_of(f, &(struct node){ .body = page_of(f, "a").body }), words));
		request = state_of(f, &q_waiting, 0);
		assert_non_null(request);
		/* Nothing is pushed while the request waits; after it is archived, the space's content is pushed. */
		assert_string_equal(sync_now(f).state, "failed");
		assert_non_null(strstr(there(f, "a.md"), words));
		put_away(f, request);
		done(sync_now(f));
		assert_null(strstr(there(f, "a.md"), words));
		assert_non_null(strstr(output_of(f, "git -C repo.git log -p main"), words));
	}
}

/* While the space is locked, neither side gets changes of the other; after it is unlocked, both are merged. */
static void
a_locked_space_waits(void **state)
{
	struct fixture *f = *state;

	start_bound(f);
	write_here(f, "Here", "a", "a line 2", "a line two");
	write_there(f, "b.md", "b line 2", "b line two");
	script(f, arena_printf(f->arena, "UPDATE space SET edit_mode = 'locked' WHERE id = '%s'", f->space));
	assert_string_equal(sync_now(f).state, "failed");
	assert_string_equal(state_of(f, &q_state, 0), "waiting");
	assert_non_null(strstr(state_of(f, &q_state, 1), "unlock it"));
	assert_string_equal(log_of(f), "There|W;First|W;");
	assert_null(strstr(body_of(f, &(struct node){ .body = page_of(f, "b").body }), "b line two"));
	/* Waiting is not a failure, so the interval between runs stays the same. */
	assert_string_equal(sync_now(f).state, "failed");
	assert_int_equal(every(f), 60000);
	script(f, arena_printf(f->arena, "UPDATE space SET edit_mode = 'live' WHERE id = '%s'", f->space));
	done(sync_now(f));
	assert_non_null(strstr(there(f, "a.md"), "a line two"));
	assert_non_null(strstr(body_of(f, &(struct node){ .body = page_of(f, "b").body }), "b line two"));
}

static void
bind_to(struct fixture *f, const char *repository)
{
	script(f, arena_printf(f->arena, "UPDATE git_binding SET url = '%s/%s', state = 'new'", f->dir, repository));
}

static size_t
pages_of(struct fixture *f)
{
	struct point p = head_of(f, f->branch);
	size_t n;

	db_begin(f->db, false);
	node_list(f->db, f->arena, &p, NODE_DOCUMENT, &n);
	db_rollback(f->db);
	return n;
}

/*
 * A space bound to another repository for a while and then to the first again continues from its
 * last commit there: commits pushed in between and edits of the space are merged, and nothing is
 * imported twice.
 */
static void
a_second_binding_goes_on_from_its_commit(void **state)
{
	struct fixture *f = *state;
	unsigned removed;

	for (removed = 0; removed < 2; removed++) {
		start_bound(f);
		write_here(f, "Here", "a", "a line 2", "a line two");
		done(sync_now(f));
		assert_int_equal(run_in(f, "rm -rf other.git && git clone -q --bare repo.git other.git"), 0);
		if (removed == 1) {
			script(f, arena_printf(f->arena, "INSERT INTO git_source (space, url, ref, project_dir, branch, commit_oid, root, "
			    "done_oid, done_seq, done_outside) SELECT space, url, ref, project_dir, branch, commit_oid, root, done_oid, done_seq, "
			    "done_outside FROM git_sync WHERE space = '%s'; DELETE FROM git_sync WHERE space = '%s'", f->space, f->space));
		}
		bind_to(f, "other.git");
		done(sync_now(f));
		assert_string_equal(state_of(f, &q_state, 0), "synchronized");
		/* Edits and a new page on either side, and meanwhile a commit in the first repository. */
		edit_and_merge(f, "New", arena_strdup(f->arena, "[{'operation':'insert_page','title':'Ours','document':{'markdown':'Ours.'}}]"));
		assert_int_equal(run_in(f, "rm -rf work2 && git clone -q other.git work2 && cd work2 && sed -i 's/b line 2/b line two/' b.md && "
		    "git rm -q d.md && sed -i /d.md/d SUMMARY.md && git commit -q -am Elsewhere && git push -q origin HEAD:main"), 0);
		done(sync_now(f));
		write_there(f, "c.md", "c line 2", "c line two");
		write_there(f, "a.md", "a line 7", "a line seven");
		assert_int_equal(pages_of(f), 4);
		bind_to(f, "repo.git");
		done(sync_now(f));
		assert_string_equal(state_of(f, &q_state, 0), "synchronized");
		assert_null(state_of(f, &q_waiting, 0));
		assert_int_equal(pages_of(f), 4);
		assert_non_null(strstr(there(f, "a.md"), "a line two\n"));
		assert_non_null(strstr(there(f, "a.md"), "a line seven\n"));
		assert_non_null(strstr(there(f, "b.md"), "b line two\n"));
		assert_non_null(strstr(there(f, "c.md"), "c line two\n"));
		assert_string_equal(there(f, "ours.md"), "# Ours\n\nOurs.\n");
		assert_string_equal(output_of(f, "git -C repo.git ls-tree --name-only main | tr '\n' ' '"),
		    "SUMMARY.md a.md b.md c.md other.txt ours.md ");
		assert_int_equal(run_in(f, "test $(git -C repo.git show main:SUMMARY.md | grep -c 'Ours') = 1"), 0);
		assert_non_null(strstr(body_of(f, &(struct node){ .body = page_of(f, "c").body }), "c line two"));
		/* No commit of the first repository's history was made again. */
		assert_int_equal(run_in(f, "test $(git -C repo.git log --format=%%s main | grep -c -e '^There$' -e '^First$' -e 'OCTAVO-1: Here') = 4"), 0);
		done(sync_now(f));
		/* The same with the other repository again. */
		bind_to(f, "other.git");
		done(sync_now(f));
		assert_string_equal(output_of(f, "git -C other.git show main:a.md"), there(f, "a.md"));
		assert_string_equal(output_of(f, "git -C other.git show main:c.md"), there(f, "c.md"));
		assert_int_equal(pages_of(f), 4);
		assert_string_equal(output_of(f, "git -C other.git ls-tree --name-only main | tr '\n' ' '"),
		    "SUMMARY.md a.md b.md c.md other.txt ours.md ");
	}
}

/* Runs a shell command in a clone, commits its changes and pushes them. */
static void
commit_there(struct fixture *f, const char *what)
{
	assert_int_equal(run_in(f, "cd work && git fetch -q && git reset -q --hard origin/main && %s && git add -A && "
	    "git commit -q -m There && git push -q origin HEAD:main", what), 0);
}

/* The text in main that a page includes by its only link; NULL: none. */
static char *
included_by(struct fixture *f, const char *path)
{
	static const char name[] = "\"reusableContent\":\"";
	const char *at = strstr(refs_of(f, path), name);
	struct point p = head_of(f, f->branch);
	struct node *all;
	size_t n, i;

	if (at == NULL)
		return NULL;
	at += strlen(name);
	db_begin(f->db, false);
	all = node_list(f->db, f->arena, &p, NODE_REUSABLE, &n);
	db_rollback(f->db);
	for (i = 0; i < n && strncmp(all[i].id, at, strlen(all[i].id)) != 0; i++)
		;
	if (i == n)
		fail_msg("%s includes what is not there", path);
	return body_of(f, &all[i]);
}

/* Nested texts outside the includes folder that only b includes: commits to other files do not change them. */
static void
unchanged_includes_stay(void **state)
{
	struct fixture *f = *state;
	const char *before;
	int i;

	start_bound(f);
	commit_there(f, "mkdir parts && printf 'Part one.\\n\\n{%% include \"more.txt\" %%}\\n' >parts/part.md && printf 'More of it.\\n' >parts/more.txt && "
	    "printf '\\n{%% include \"parts/part.md\" %%}\\n' >>b.md");
	done(sync_now(f));
	before = refs_of(f, "b");
	for (i = 2; i < 5; i++) {
		write_there(f, "c.md", arena_printf(f->arena, "c line %d", i), arena_printf(f->arena, "c line %d, new", i));
		done(sync_now(f));
		assert_string_equal(refs_of(f, "b"), before);
		assert_non_null(strstr(included_by(f, "b"), "Part one."));
		as_read_whole(f);
	}
	/* The same after an export, whose commit is imported. */
	write_here(f, "Here", "a", "a line 2", "a line two");
	done(sync_now(f));
	assert_string_equal(refs_of(f, "b"), before);
	write_there(f, "parts/part.md", "Part one", "Part two");
	done(sync_now(f));
	assert_string_equal(refs_of(f, "b"), before);
	assert_non_null(strstr(included_by(f, "b"), "Part two."));
	as_read_whole(f);
}

/*
 * A file that is no text at first: when it becomes one, the unchanged page includes it, and when it
 * ceases to be one, the page does not.
 */
static void
a_later_include_is_put_in(void **state)
{
	struct fixture *f = *state;

	start_bound(f);
	commit_there(f, "mkdir parts && printf '\\377\\n' >parts/part.md && printf '\\n{%% include \"parts/part.md\" %%}\\n' >>b.md");
	done(sync_now(f));
	assert_null(included_by(f, "b"));
	as_read_whole(f);
	commit_there(f, "printf 'Part one.\\n' >parts/part.md");
	done(sync_now(f));
	assert_non_null(included_by(f, "b"));
	assert_non_null(strstr(included_by(f, "b"), "Part one."));
	as_read_whole(f);
	commit_there(f, "printf '\\377\\n' >parts/part.md");
	done(sync_now(f));
	assert_null(included_by(f, "b"));
	as_read_whole(f);
}

/* Random edits on both sides, each in separate lines: in the end both sides have all of them and are equal. */
static void
random_histories_end_equal(void **state)
{
	struct fixture *f = *state;
	struct rnd dice = { 4711 };
	const char *const pages[] = { "a", "b", "c", "d" };
	unsigned here = 0, away = 0, i, p;
	struct node n;

	start_bound(f);
	for (i = 0; i < 16; i++) {
		p = rnd(&dice, 4);
		switch (rnd(&dice, 3)) {
		case 0: write_here(f, "Here", pages[p], arena_printf(f->arena, "%s line 1", pages[p]),
			arena_printf(f->arena, "%s line 1 h%u.", pages[p], here++)); break;
		case 1: write_there(f, arena_printf(f->arena, "%s.md", pages[p]), arena_printf(f->arena, "%s line 8", pages[p]),
			arena_printf(f->arena, "%s line 8 t%u.", pages[p], away++)); break;
		default: done(sync_now(f)); break;
		}
	}
	done(sync_now(f));
	done(sync_now(f));
	for (i = 0; i < here; i++)
		assert_int_equal(run_in(f, "git -C repo.git grep -q ' h%u\\.' main", i), 0);
	for (i = 0; i < away; i++)
		assert_int_equal(run_in(f, "git -C repo.git grep -q ' t%u\\.' main", i), 0);
	for (p = 0; p < 4; p++) {
		n = page_of(f, pages[p]);
		assert_string_equal(strstr(there(f, arena_printf(f->arena, "%s.md", pages[p])), "\n\n") + 2, body_of(f, &n));
	}
	assert_int_equal(run_in(f, "git -C repo.git fsck --strict 2>&1 | grep -v dangling | grep -q . && exit 1; exit 0"), 0);
}

static const char *
shown_body(struct fixture *f, const char *path)
{
	struct node n = page_of(f, path);

	return body_of(f, &n);
}

/*
 * Variables of book.json: a change of a variable changes pages whose files are unchanged. A page
 * edited in the space is exported with its variables, except in the edited lines.
 */
static void
variables_of_a_book_change_its_pages(void **state)
{
	struct fixture *f = *state;

	start_bound(f);
	commit_there(f, "sed -i 's/line 2/version {{ book.v }} of [{{ book.p.name }}]({{ book.p.url }})/; s/# a/# a {{ book.v }}/' a.md && "
	    "sed -i 's/\\[b\\]/[b {{ book.v }}]/' SUMMARY.md && sed -i 's/line 1/{{ book.v }}/' d.md && "
	    "printf '{\"variables\":{\"v\":\"1.0\",\"p\":{\"name\":\"Acme\",\"url\":\"https://acme.example\"}}}' >book.json");
	done(sync_now(f));
	assert_non_null(strstr(shown_body(f, "a"), "a version 1.0 of [Acme](https://acme.example)\n"));
	assert_string_equal(page_of(f, "b").title, "b 1.0");
	/* Only the file with the variables changes. */
	commit_there(f, "sed -i 's/1\\.0/1.1/' book.json");
	done(sync_now(f));
	assert_non_null(strstr(shown_body(f, "a"), "a version 1.1 of [Acme]"));
	assert_string_equal(page_of(f, "b").title, "b 1.1");
	assert_non_null(strstr(shown_body(f, "d"), "d 1.1\n"));
	assert_string_equal(output_of(f, "git -C repo.git rev-list --count main"), "3\n");
	/* Edits in the space: of another line, of a line with a variable, and of the table of contents. */
	write_here(f, "Beside", "a", "a line 7", "a line seven");
	write_here(f, "The line", "d", "d 1.1", "d 1.1 by hand");
	edit_and_merge(f, "Title", arena_printf(f->arena, "[{'operation':'update_page','page':'%s','title':'c two'}]", page_of(f, "c").id));
	done(sync_now(f));
	assert_non_null(strstr(there(f, "a.md"), "# a {{ book.v }}\n"));
	assert_non_null(strstr(there(f, "a.md"), "a version {{ book.v }} of [{{ book.p.name }}]({{ book.p.url }})\n"));
	assert_non_null(strstr(there(f, "a.md"), "a line seven\n"));
	assert_non_null(strstr(there(f, "d.md"), "d 1.1 by hand\n"));
	assert_non_null(strstr(there(f, "SUMMARY.md"), "* [b {{ book.v }}](b.md)\n* [c two](c.md)\n"));
	assert_string_equal(output_of(f, "git -C repo.git diff --stat --format= main~3 main | tail -1"), " 4 files changed, 4 insertions(+), 4 deletions(-)\n");
	done(sync_now(f));
	as_read_whole(f);
	/* The edited line stays when the variable changes again; then the variables are deleted. */
	commit_there(f, "sed -i 's/1\\.1/2.0/' book.json");
	done(sync_now(f));
	assert_non_null(strstr(shown_body(f, "a"), "a version 2.0 of [Acme]"));
	assert_non_null(strstr(shown_body(f, "a"), "a line seven\n"));
	assert_non_null(strstr(shown_body(f, "d"), "d 1.1 by hand\n"));
	commit_there(f, "git rm -q book.json");
	done(sync_now(f));
	assert_non_null(strstr(shown_body(f, "a"), "a version {{ book.v }} of"));
	assert_string_equal(page_of(f, "b").title, "b {{ book.v }}");
	as_read_whole(f);
}

/*
 * A temporary error is tried again, as long as all attempts fit into the time limit of one import;
 * a permanent error is not.
 */
static void
errors_that_pass_are_tried_again(void **state)
{
	struct fixture *f = *state;
	/* Port 1 has no listener. */
	const char *refused = "{\"url\":\"http://127.0.0.1:1/x.git\",\"ref\":\"refs/heads/main\",\"local\":true}";

	assert_string_equal(run_job(f, "import", refused).state, "queued");
	setenv("OCTAVO_IMPORT_SECONDS", "5", 1);
	assert_string_equal(run_job(f, "import", refused).state, "failed");
	unsetenv("OCTAVO_IMPORT_SECONDS");
	assert_string_equal(run_job(f, "import", "{\"url\":\"http://no-such-name.invalid/x.git\",\"ref\":\"refs/heads/main\","
	    "\"local\":true}").state, "failed");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_commit_for_each_request, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(both_sides_are_merged, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_clash_waits, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_run_that_ended_early_is_made_again, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_push_that_arrived_is_noted_later, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(one_name_on_both_sides, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_clash_is_merged, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(failures_back_off, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_binding_shows_the_chosen_address, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(rewritten_history_is_merged, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(only_changed_pages_are_read, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(merge_rules_hold_commits, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_locked_space_waits, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_second_binding_goes_on_from_its_commit, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(unchanged_includes_stay, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_later_include_is_put_in, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(random_histories_end_equal, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(variables_of_a_book_change_its_pages, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(errors_that_pass_are_tried_again, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
