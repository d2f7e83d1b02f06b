/*
 * Exports: unchanged content keeps its bytes, tested with the corpus; a changed file differs only
 * in the changed lines.
 */
#include <sodium.h>

#include "db_fixture.h"
#include "corpus_fixture.h"

SQL(q_job_ended, "SELECT state, error, result FROM job WHERE id = :id");
SQL(q_request_branch, "SELECT branch FROM change_request WHERE id = :id");
SQL(q_warnings, "SELECT file, message FROM job_warning WHERE job = :id ORDER BY n");

#include "sync_fixture.h"
#include "store/stage.h"
#include "../../src/sync/export_parts.h"

static const struct corpus_row {
	const char *repo, *dir;
} rows[] = {
	{ "public-docs", "documentation/" }, { "public-docs", "guides/" }, { "public-docs", "developers/" },
	{ "public-docs", "policies" }, { "public-docs", "changelog" }, { "predicthq", "docs/tech-docs/" },
	{ "predicthq", "docs/api/" }, { "predicthq", "docs/changelog/" }, { "predicthq", "styleguides/" },
	{ "fluentd", "" }, { "gl-sdk", "gitbook/" }, { "sunrise", "." }, { "sunrise", "ja/" },
};

/* Makes a bare clone of a bundle with a branch main; false: there is no corpus. */
static bool
clone_bundle(struct fixture *f, const char *name)
{
	char *real = corpus_bundle(name);

	if (real == NULL)
		return false;
	assert_int_equal(run_in(f, "rm -rf repo.git && git clone -q --bare '%s' repo.git 2>/dev/null && cd repo.git && "
	    "b=$(git symbolic-ref --short HEAD) && { [ \"$b\" = main ] || git branch -q -M \"$b\" main; }", real), 0);
	free(real);
	return true;
}

/*
 * Writes a revision that gives every page and file a new version, and every page a new key, without
 * changing content.
 */
static void
touch_all(struct fixture *f)
{
	struct point p = head_of(f, f->branch), now = revision_begin(f, f->branch);
	size_t n, i;
	struct node *all = node_list(f->db, f->arena, &p, NODE_PAGES | NODE_FILE | NODE_REUSABLE, &n);

	for (i = 0; i < n; i++) {
		all[i].front = node_front(f->db, f->arena, &all[i]);
		all[i].ord = all[i].ord[0] == '\0' ? "" : arena_printf(f->arena, "V%s", all[i].ord);
		node_put(f->db, f->branch, now.seq, &all[i]);
	}
	propagate_revision(f->db, f->arena, f->space, f->branch, now.seq);
	db_commit(f->db);
}

/* An export after an import changes nothing; nor does one after all rows were rewritten: byte for byte. */
static void
the_corpus_comes_back_byte_for_byte(void **state)
{
	struct fixture *f = *state;
	struct ended e;
	const char *before;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!clone_bundle(f, rows[i].repo)) {
			print_message("skipped: no corpus\n");
			skip();
		}
		new_space(f);
		done(git_job(f, "import", "repo.git", rows[i].dir, ""));
		before = output_of(f, "git -C repo.git rev-parse main");
		e = git_job(f, "export", "repo.git", rows[i].dir, "");
		done(e);
		assert_non_null(strstr(e.result, "\"skipped\":\"unchanged\""));
		touch_all(f);
		e = git_job(f, "export", "repo.git", rows[i].dir, "");
		done(e);
		if (strcmp(before, output_of(f, "git -C repo.git rev-parse main")) != 0)
			fail_msg("%s %s: %s", rows[i].repo, rows[i].dir, output_of(f, "git -C repo.git show --stat -p main | head -60"));
	}
}

/* ---- small repositories ---- */

/* Makes guide/ with a page, a folder page, a group, an unlisted file, a script with its mode, and odd spellings. */
static void
make_small(struct fixture *f)
{
	assert_int_equal(run_in(f, "rm -rf work repo.git && git init -q -b main work && cd work && "
	    "mkdir -p guide/deep .gitbook/assets ref && "
	    "printf -- '---\nkeywords: [a, b]\ndescription: First words\n---\n\n# Home\n\nWelcome, see [one](guide/one.md).\n' >README.md && "
	    "printf '# Contents\n\nSome remark of ours.\n\n- [Home](README.md)\n- [Guide](guide/README.md)\n    - [One](guide/one.md)\n"
	    "    - [Two](guide/two.md)\n\n<!-- - [Hidden](x.md) -->\n\n## Reference\n\n- [API](ref/api.md)\n- [Site](https://example.com)\n' >SUMMARY.md && "
	    "printf 'Guide\n=====\n\nSee [two](two.md) and ![dot](../.gitbook/assets/dot.png).\n' >guide/README.md && "
	    "printf '# One\n\n+ odd bullet\n+ other\n\nA paragraph\nof two lines.\n\nLast one, [up](README.md) and [api](../ref/api.md#x).\n' >guide/one.md && "
	    "printf '# Two\n\nText of two, [one](./one.md).' >guide/two.md && "
	    "printf '# API\n\nCalls, [one](../guide/one.md).\n' >ref/api.md && "
	    "printf 'never listed\r\n' >guide/notes.md && printf '#!/bin/sh\n' >build.sh && chmod +x build.sh && "
	    "printf dot >.gitbook/assets/dot.png && ln -s README.md link.md && "
	    "git add -A && git commit -q -m First && cd .. && git clone -q --bare work repo.git"), 0);
}

static void
start_small(struct fixture *f)
{
	make_small(f);
	new_space(f);
	done(git_job(f, "import", "repo.git", "", ""));
}

/* Exports, and returns the changes of the new commit: lines added, lines removed and file, or a rename. */
static const char *
exported(struct fixture *f)
{
	struct ended e = git_job(f, "export", "repo.git", "", "");

	done(e);
	return output_of(f, "git -C repo.git show --format= --numstat -M30%% main | tr '\\t\\n' ' ;'");
}

static const char *
show(struct fixture *f, const char *path)
{
	return output_of(f, "git -C repo.git show main:%s", path);
}

#define CHANGE(f, ...) edit_and_merge(f, "Edit", arena_printf((f)->arena, __VA_ARGS__))

static void
one_word_changes_one_line(void **state)
{
	struct fixture *f = *state;
	struct node n;

	start_small(f);
	n = page_of(f, "guide/one");
	CHANGE(f, "[{'operation':'update_page','page':'%s','document':{'markdown':'# One\\n\\n+ odd bullet\\n+ other\\n\\nA paragraph\\nof two words.\\n\\n"
	    "Last one, [up](README.md) and [api](../ref/api.md#x).\\n'}}]", n.id);
	assert_string_equal(exported(f), "1 1 guide/one.md;");
	assert_non_null(strstr(show(f, "guide/one.md"), "+ odd bullet\n+ other\n\nA paragraph\nof two words.\n"));
	/* A second export changes nothing. */
	assert_non_null(strstr(git_job(f, "export", "repo.git", "", "").result, "\"skipped\":\"unchanged\""));
	/* An import of the exported commit changes nothing either, and main's pages have their new git objects. */
	assert_string_equal(page_of(f, "guide/one").git_oid, output_of(f, "git -C repo.git rev-parse main:guide/one.md | tr -d '\\n'"));
	assert_non_null(strstr(git_job(f, "import", "repo.git", "", "").result, "\"changed\":false"));
}

static void
titles_and_properties_are_exported(void **state)
{
	struct fixture *f = *state;

	start_small(f);
	CHANGE(f, "[{'operation':'update_page','page':'%s','title':'Guides'}]", page_of(f, "guide").id);
	assert_string_equal(exported(f), "1 1 SUMMARY.md;1 2 guide/README.md;");
	assert_true(strncmp(show(f, "guide/README.md"), "# Guides\n\nSee", 13) == 0);
	assert_non_null(strstr(show(f, "SUMMARY.md"), "\n- [Guides](guide/README.md)\n    - [One]"));
	CHANGE(f, "[{'operation':'update_page','page':'%s','description':'Other words: more of them'}]", page_of(f, "readme").id);
	assert_string_equal(exported(f), "1 1 README.md;");
	assert_int_equal(strspn(show(f, "README.md"), "-"), 3);
	assert_non_null(strstr(show(f, "README.md"), "---\nkeywords: [a, b]\ndescription: \"Other words: more of them\"\n---\n\n# Home\n"));
	CHANGE(f, "[{'operation':'update_page','page':'%s','description':null}]", page_of(f, "readme").id);
	assert_string_equal(exported(f), "0 1 README.md;");
}

static void
a_move_is_exported_as_a_rename(void **state)
{
	struct fixture *f = *state;
	struct node group, one;

	start_small(f);
	one = page_of(f, "guide/one");
	group = page_of(f, "reference");
	CHANGE(f, "[{'operation':'update_page','page':'%s','into':'%s','at':0}]", one.id, group.id);
	/* A rename changes the page's own links, the links to it, and the table of contents. */
	assert_string_equal(exported(f), "1 1 README.md;1 1 SUMMARY.md;1 1 guide/two.md;1 1 ref/api.md;1 1 {guide => reference}/one.md;");
	assert_non_null(strstr(show(f, "reference/one.md"), "[up](../guide/README.md) and [api](../ref/api.md#x)"));
	assert_non_null(strstr(show(f, "guide/two.md"), "[one](../reference/one.md)"));
	assert_non_null(strstr(show(f, "SUMMARY.md"), "- [Guide](guide/README.md)\n    - [Two](guide/two.md)\n\n<!-- - [Hidden](x.md) -->\n\n"
	    "## Reference\n\n- [One](reference/one.md)\n- [API](ref/api.md)\n"));
	assert_non_null(strstr(show(f, "README.md"), "[one](reference/one.md)"));
	assert_string_equal(page_of(f, "reference/one").id, one.id);
}

static void
new_and_deleted_pages_are_exported(void **state)
{
	struct fixture *f = *state;
	const char *one, *files;

	start_small(f);
	one = page_of(f, "guide/one").id;
	/* The first page below another one: "one.md" becomes one/README.md. A link by id becomes a path. */
	CHANGE(f, "[{'operation':'insert_page','title':'Deeper','into':'%s','document':{'markdown':'Below, [two](/pages/%s).'}},"
	    "{'operation':'insert_page','title':'Notes','into':'%s','document':{'markdown':'Mine.'}},"
	    "{'operation':'delete_page','page':'%s'}]", one, page_of(f, "guide/two").id, page_of(f, "guide").id, page_of(f, "ref/api").id);
	exported(f);
	files = output_of(f, "git -C repo.git ls-tree -r --name-only main | tr '\\n' ' '");
	assert_string_equal(files, ".gitbook/assets/dot.png README.md SUMMARY.md build.sh guide/README.md guide/notes-1.md guide/notes.md "
	    "guide/one/README.md guide/one/deeper.md guide/two.md link.md ");
	assert_string_equal(show(f, "guide/one/deeper.md"), "# Deeper\n\nBelow, [two](../two.md).\n");
	assert_string_equal(show(f, "guide/notes.md"), "never listed\r\n");
	assert_string_equal(output_of(f, "git -C repo.git ls-tree main build.sh link.md | cut -c1-6 | tr '\\n' ' '"), "100755 120000 ");
	assert_non_null(strstr(show(f, "SUMMARY.md"), "- [Guide](guide/README.md)\n    - [One](guide/one/README.md)\n        - [Deeper](guide/one/deeper.md)\n"
	    "    - [Two](guide/two.md)\n    - [Notes](guide/notes-1.md)\n\n<!-- - [Hidden](x.md) -->\n\n## Reference\n\n- [Site](https://example.com)\n"));
	assert_non_null(strstr(show(f, "guide/one/README.md"), "[up](../README.md)"));
	/* The last page below is deleted: back to "one.md". */
	CHANGE(f, "[{'operation':'delete_page','page':'%s'}]", page_of(f, "guide/one/deeper").id);
	exported(f);
	assert_non_null(strstr(show(f, "guide/one.md"), "[up](README.md)"));
	assert_string_equal(page_of(f, "guide/one").id, one);
	assert_non_null(strstr(git_job(f, "export", "repo.git", "", "").result, "\"skipped\":\"unchanged\""));
}

static void
an_empty_repository_takes_an_export(void **state)
{
	struct fixture *f = *state;
	struct ended e;

	make_small(f);
	new_space(f);
	assert_int_equal(run_in(f, "rm -rf repo.git && git init -q --bare -b main repo.git"), 0);
	CHANGE(f, "[{'operation':'insert_page','title':'\xf0\x9f\x8e\x89 Welcome','document':{'markdown':'Hello [b](./b.md).'}},"
	    "{'operation':'insert_page','ref':'b','title':'A (b) [c]','icon':'book','hidden':true,'document':{'markdown':'# A (b) [c]\\n\\nText'}}]");
	e = git_job(f, "export", "repo.git", "docs", "");
	done(e);
	assert_string_equal(output_of(f, "git -C repo.git ls-tree -r --name-only main | tr '\\n' ' '"),
	    "docs/README.md docs/SUMMARY.md docs/a-b-c.md ");
	assert_string_equal(show(f, "docs/a-b-c.md"), "---\nhidden: true\nicon: book\n---\n\n# A (b) [c]\n\nText\n");
	assert_string_equal(show(f, "docs/SUMMARY.md"), "# Table of contents\n\n* [\xf0\x9f\x8e\x89 Welcome](README.md)\n* [A (b) \\[c\\]](a-b-c.md)\n");
	assert_non_null(strstr(git_job(f, "export", "repo.git", "docs", "").result, "\"skipped\":\"unchanged\""));
	assert_non_null(strstr(git_job(f, "import", "repo.git", "docs", "").result, "\"skipped\":\"unchanged\""));
	/* A branch that has its own table of contents is not overwritten. */
	assert_int_equal(run_in(f, "rm -rf other.git && git clone -q --bare work other.git"), 0);
	e = git_job(f, "export", "other.git", "", "");
	assert_string_equal(e.state, "failed");
	assert_non_null(strstr(e.error, "import it first"));
}

/* The warnings of a job, one per line. */
static char *
warnings_of(struct fixture *f, struct ended e)
{
	struct stmt *q;
	struct buf b;

	buf_init(&b, f->arena, 1 << 20);
	buf_str(&b, "");
	db_begin(f->db, false);
	q = db_use(f->db, &q_warnings);
	bind_text(q, ":id", e.id);
	while (stmt_step(q))
		buf_printf(&b, "%s: %s\n", col_text(q, 0), col_text(q, 1));
	db_rollback(f->db);
	return b.p;
}

/* Page slugs that are names of folders in the repository, or special to git. */
static void
a_taken_file_name_is_avoided(void **state)
{
	struct fixture *f = *state;
	struct ended e;

	make_small(f);
	assert_int_equal(run_in(f, "cd work && mkdir .gitbook/assets/images && printf x >.gitbook/assets/images/x.txt && printf y >plain && "
	    "git add -A && git commit -q -m More && git push -q ../repo.git main"), 0);
	new_space(f);
	done(git_job(f, "import", "repo.git", "", ""));
	CHANGE(f, "[{'operation':'insert_files','files':[{'name':'images','contentType':'text/plain','base64':'YQ=='},"
	    "{'name':'.git','contentType':'text/plain','base64':'YQ=='},{'name':'GIT~1','contentType':'text/plain','base64':'YQ=='},"
	    "{'name':'n.txt','contentType':'text/plain','base64':'YQ=='},{'name':'n.txt','contentType':'text/plain','base64':'Yg=='}]}]");
	e = git_job(f, "export", "repo.git", "", "");
	done(e);
	assert_non_null(strstr(e.result, "\"warnings\":2"));
	assert_non_null(strstr(warnings_of(f, e), ".gitbook/assets/.git: a file of a name that means something to git"));
	assert_non_null(strstr(warnings_of(f, e), ".gitbook/assets/GIT~1: a file of a name that means something to git"));
	assert_string_equal(output_of(f, "git -C repo.git ls-tree -r --name-only main .gitbook | tr '\\n' ' '"),
	    ".gitbook/assets/dot.png .gitbook/assets/images (1) .gitbook/assets/images/x.txt .gitbook/assets/n (1).txt .gitbook/assets/n.txt ");
	/* A page below one whose path is a file in the repository: the file is not replaced. */
	CHANGE(f, "[{'operation':'insert_page','ref':'p','title':'Plain','document':{'markdown':'Text.'}},"
	    "{'operation':'insert_page','title':'Below','into':'p','document':{'markdown':'Text.'}}]");
	e = git_job(f, "export", "repo.git", "", "");
	assert_string_equal(e.state, "failed");
	assert_non_null(strstr(e.error, "rename"));
	assert_string_equal(show(f, "plain"), "y");
}

/* Slugs that are device names on Windows, forbidden or changed there: a checkout on Windows has every file. */
static void
file_names_suit_every_system(void **state)
{
	static const char *const parts[] = { "con", "PRN", "nul.tar.gz", "lpt9 ", "com\xc2\xb9", "CONIN$", "a:b", "q?", "bar|", "back\\slash",
		"<less>", "star*", "end.", "end. .", "...", " ", "com10", "console", "conf.d" };
	struct fixture *f = *state;
	struct buf want, got;
	size_t i;

	make_small(f);
	new_space(f);
	assert_int_equal(run_in(f, "rm -rf repo.git && git init -q --bare -b main repo.git"), 0);
	CHANGE(f, "[{'operation':'insert_page','title':'Home','document':{'markdown':'Home.'}},"
	    "{'operation':'insert_page','title':'con','ref':'c','document':{'markdown':'Con.'}},"
	    "{'operation':'insert_page','title':'AUX','into':'c','document':{'markdown':'Aux.'}},"
	    "{'operation':'insert_page','title':'The end...','into':'c','document':{'markdown':'End, there.'}},"
	    "{'operation':'insert_files','files':[{'name':'nul.png','contentType':'image/png','base64':'YQ=='},"
	    "{'name':'what?.txt','contentType':'text/plain','base64':'YQ=='},{'name':'dots..','contentType':'text/plain','base64':'YQ=='}]}]");
	done(git_job(f, "export", "repo.git", "", ""));
	assert_string_equal(output_of(f, "git -C repo.git ls-tree -r --name-only main | tr '\\n' ' '"),
	    ".gitbook/assets/dots .gitbook/assets/file-nul.png .gitbook/assets/what-.txt README.md SUMMARY.md page-con/README.md "
	    "page-con/page-aux.md page-con/the-end.md ");
	/* A new import finds the same pages. */
	assert_string_equal(page_of(f, "con/aux").git_path, "page-con/page-aux.md");
	assert_non_null(strstr(git_job(f, "import", "repo.git", "", "").result, "\"skipped\":\"unchanged\""));
	buf_init(&want, f->arena, 4096);
	buf_init(&got, f->arena, 4096);
	buf_str(&want, "page-con page-PRN page-nul.tar.gz page-lpt9 page-com\xc2\xb9 page-CONIN$ a-b q- bar- back-slash -less- star- end end page page "
	    "com10 console conf.d ");
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		buf_printf(&got, "%s ", export_name(f->arena, parts[i], "page"));
	assert_string_equal(got.p, want.p);
	assert_string_equal(export_name(f->arena, "a/nul/.git/x", "page"), "a/page-nul/page.git/x");
	assert_string_equal(export_file_name(f->arena, ".DS_Store"), ".DS_Store");
}

/* Text with U+2028 is quoted, in pages and in reusable contents. */
static void
line_ends_of_unicode_are_quoted(void **state)
{
	struct fixture *f = *state;

	make_small(f);
	new_space(f);
	assert_int_equal(run_in(f, "rm -rf repo.git && git init -q --bare -b main repo.git"), 0);
	CHANGE(f, "[{'operation':'insert_page','title':'A','description':'a\xe2\x80\xa8" "b','hidden':true,'document':{'markdown':'Text.'}}]");
	done(git_job(f, "export", "repo.git", "", ""));
	assert_string_equal(show(f, "README.md"), "---\ndescription: \"a\\u2028b\"\nhidden: true\n---\n\n# A\n\nText.\n");
	new_space(f);
	done(git_job(f, "import", "repo.git", "", ""));
	assert_non_null(strstr(page_of(f, "readme").props, "\"hidden\":true"));
	assert_non_null(strstr(page_of(f, "readme").props, "\"description\":\"a\xe2\x80\xa8" "b\""));
}

/*
 * Words with a meaning in YAML or Markdown, as title and as description of a page: a space that
 * imports the export has the same words.
 */
static void
words_of_yaml_and_markdown_come_back(void **state)
{
	static const char *const words[] = {
		"a\xe2\x80\xa8" "b", "a\xe2\x80\xa9" "b", "a\xc2\x85" "b", "\xef\xbb\xbfmark", "a\xc2\xa0" "b", "- dash", "# hash", "a # b", "[x](y)",
		"`code`", "*star* _under_", "back\\slash", "<b>bold</b>", "&amp; &lt;", "yes", "null", "~", "1.0", "0x1F", "1_000",
		"2020-01-01", "12:30:45", "{{ x }}", "{% hint %}", "a: b", "a :b", "'single'", "\"double\"", "| bar", "> more", "@at",
		"%per", "!bang", "&anchor", "*alias", "?", ": x", "{a}", "[b]", "---", "...", "<<", "=", ".inf", "1. one", "a {#id}", "~~x~~",
	};
	struct fixture *f = *state;
	size_t i, k, n, count = sizeof(words) / sizeof(words[0]);
	const char *description, *at;
	struct node *all;
	struct point p;
	struct buf json;
	cJSON *list, *c, *d;

	json_arena(f->arena);
	list = cJSON_CreateArray();
	new_space(f);
	assert_int_equal(run_in(f, "rm -rf repo.git && git init -q --bare -b main repo.git"), 0);
	for (i = 0; i < count; i++) {
		c = cJSON_CreateObject();
		d = cJSON_CreateObject();
		cJSON_AddStringToObject(d, "markdown", "Text.");
		cJSON_AddStringToObject(c, "operation", "insert_page");
		cJSON_AddStringToObject(c, "title", arena_printf(f->arena, "%s %zu", words[i], i));
		cJSON_AddStringToObject(c, "description", words[i]);
		cJSON_AddBoolToObject(c, "hidden", true);
		cJSON_AddItemToObject(c, "document", d);
		cJSON_AddItemToArray(list, c);
	}
	/* CHANGE() writes "'" for a quotation mark. */
	buf_init(&json, f->arena, 64 << 10);
	for (at = cJSON_PrintUnformatted(list); *at != '\0'; at++)
		buf_printf(&json, *at == '\'' ? "\\u0027" : "%c", *at);
	edit_and_merge(f, "Words", json.p);
	done(git_job(f, "export", "repo.git", "", ""));
	new_space(f);
	done(git_job(f, "import", "repo.git", "", ""));
	p = head_of(f, f->branch);
	db_begin(f->db, false);
	all = node_list(f->db, f->arena, &p, NODE_DOCUMENT, &n);
	db_rollback(f->db);
	assert_int_equal(n, count);
	for (i = 0; i < count; i++) {
		for (k = 0; k < n && strcmp(all[k].title, arena_printf(f->arena, "%s %zu", words[i], i)) != 0; k++)
			;
		if (k == n)
			fail_msg("no title %s %zu", words[i], i);
		description = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(cJSON_Parse(all[k].props), "description"));
		if (description == NULL || strcmp(description, words[i]) != 0 || strstr(all[k].props, "\"hidden\":true") == NULL)
			fail_msg("%s: %s", words[i], all[k].props);
	}
}

/* An SVG that could run code in any browser is left out, with a warning; a harmless one is exported. */
static void
an_svg_with_scripts_is_left_out(void **state)
{
	static const char *const runs[] = {
		"<svg><script>1</script></svg>", "<svg xmlns:s='http://www.w3.org/2000/svg'><s:script>1</s:script></svg>",
		"<svg\nonauxclick='x()'/>", "<svg><rect\tx=1 ONTOGGLE = x()></rect></svg>", "<svg><g id='a'onwheel='x'/></svg>",
		"<svg><a href='java&#115;cript:x()'>t</a></svg>", "<svg><a xlink:href=' java\tscript:x()'>t</a></svg>",
		"<svg><a href='java&#x73cript&colon;x()'>t</a></svg>", "<svg><animate attributeName=href values='#a;javascript:x()'/></svg>",
		"<svg><set attributeName='onmouseover' to='x()'/></svg>", "<svg><use href='data:image/svg+xml;base64,AA=='/></svg>",
		"<svg><foreignObject><p>t</p></foreignObject></svg>", "<!DOCTYPE svg [<!ENTITY x '&#60;script>'>]><svg>&x;</svg>",
		"<!DOCTYPE svg [<!ENTITY x 'java'>]><svg><a href='&x;script:x()'/></svg>",
		"<svg><!-- --!><script>1</script> --></svg>", "<svg><iframe src='x'/></svg>" };
	static const char *const rests[] = {
		"<svg xmlns='http://www.w3.org/2000/svg' width='4'><title>Once, on = off; javascript: no</title><path d='M0 0'/></svg>",
		"<!DOCTYPE svg [<!ENTITY ns 'http://www.w3.org/2000/svg'>]><svg xmlns='&ns;'><a href='#on'>t</a></svg>",
		"<svg><a href='https://example.org/?a=1&amp;b=2'>t</a><image href='data:image/png;base64,AA=='/></svg>" };
	struct fixture *f = *state;
	struct ended e;
	struct buf b;
	size_t i, n = sizeof(runs) / sizeof(runs[0]), m = sizeof(rests) / sizeof(rests[0]);

	start_small(f);
	buf_init(&b, f->arena, 1 << 20);
	buf_str(&b, "[{'operation':'insert_files','files':[");
	for (i = 0; i < n + m; i++) {
		const char *text = i < n ? runs[i] : rests[i - n];
		size_t len = strlen(text), room = sodium_base64_ENCODED_LEN(len, sodium_base64_VARIANT_ORIGINAL);
		buf_printf(&b, "%s{'name':'%s%zu.svg','contentType':'image/svg+xml','base64':'%s'}", i == 0 ? "" : ",", i < n ? "runs" : "rests",
		    i, sodium_bin2base64(arena_alloc(f->arena, room), room, (const unsigned char *)text, len, sodium_base64_VARIANT_ORIGINAL));
	}
	buf_str(&b, "]}]");
	edit_and_merge(f, "Files", b.p);
	e = git_job(f, "export", "repo.git", "", "");
	done(e);
	for (i = 0; i < n; i++)
		if (strstr(warnings_of(f, e), arena_printf(f->arena, ".gitbook/assets/runs%zu.svg: an SVG that holds scripts", i)) == NULL)
			fail_msg("exported: %s", runs[i]);
	assert_non_null(strstr(e.result, arena_printf(f->arena, "\"warnings\":%zu", n)));
	assert_string_equal(output_of(f, "git -C repo.git ls-tree --name-only main .gitbook/assets/ | grep svg | tr '\\n' ' '"),
	    ".gitbook/assets/rests16.svg .gitbook/assets/rests17.svg .gitbook/assets/rests18.svg ");
}

/*
 * A refused push says nothing about the content of the repository: its commit is not recorded as
 * the space's last export.
 */
static void
a_refused_push_is_not_recorded(void **state)
{
	struct fixture *f = *state;
	struct ended e;

	start_small(f);
	assert_int_equal(run_in(f, "rm -rf third && git init -q -b main third && cd third && printf '# Foreign\n' >foreign.md && "
	    "git add -A && git commit -q -m Theirs"), 0);
	e = git_job(f, "export", "third", "", "");
	assert_string_equal(e.state, "failed");
	assert_non_null(strstr(e.error, "checked out"));
	e = git_job(f, "export", "third", "", "");
	assert_non_null(strstr(e.error, "checked out"));
	assert_int_equal(run_in(f, "cd third && git checkout -q -b side"), 0);
	done(git_job(f, "export", "third", "", ""));
	assert_string_equal(output_of(f, "git -C third log --format=%%s main | tr '\\n' ';'"), "Export;Theirs;");
	assert_string_equal(output_of(f, "git -C third ls-tree -r --name-only main | tr '\\n' ' '"),
	    ".gitbook/assets/dot.png README.md SUMMARY.md foreign.md guide/README.md guide/one.md guide/two.md ref/api.md ");
	assert_string_equal(output_of(f, "git -C third show main:foreign.md"), "# Foreign\n");
	assert_non_null(strstr(git_job(f, "export", "third", "", "").result, "\"skipped\":\"unchanged\""));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(one_word_changes_one_line, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(titles_and_properties_are_exported, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_move_is_exported_as_a_rename, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(new_and_deleted_pages_are_exported, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_empty_repository_takes_an_export, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_taken_file_name_is_avoided, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(file_names_suit_every_system, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(line_ends_of_unicode_are_quoted, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(words_of_yaml_and_markdown_come_back, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(an_svg_with_scripts_is_left_out, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(a_refused_push_is_not_recorded, db_setup, db_teardown),
		cmocka_unit_test_setup_teardown(the_corpus_comes_back_byte_for_byte, db_setup, db_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
