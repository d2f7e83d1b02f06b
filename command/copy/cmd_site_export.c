/* octavo site export: writes a published site as a folder of HTML files. Contract: copy.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../backup/backup_parts.h"
#include "../cmd_data.h"
#include "base/file.h"
#include "base/json.h"
#include "copy.h"

SQL(q_copy_site, "SELECT id, title FROM site WHERE id = :key OR hostname = :key OR title = :key OR basename = :key ORDER BY id /*scan*/");

enum { SHOWN = 20 };   /* lines of the report that the terminal shows; README.txt has all */

bool
copy_fail(struct copy *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	if (c->error == NULL)
		c->error = arena_vprintf(c->arena, fmt, ap);
	va_end(ap);
	return false;
}

void
copy_lack(struct copy *c, const char *what, const char *why)
{
	what = arena_strdup(c->arena, what);
	if (!map_add(c->lacking, str_of(what), c))
		return;
	c->lacks = arena_grow(c->arena, c->lacks, c->lack_count, &c->lack_room, sizeof(*c->lacks));
	c->lacks[c->lack_count++] = (struct copy_lack){ what, why };
}

/* ---- the report ---- */

static bool
write_readme(struct copy *c)
{
	struct buf b;

	buf_init(&b, c->arena, 256 << 20);
	buf_printf(&b, "%s\n\nA copy of a published site, made by octavo site export. Open index.html, or let any web server send\n"
	    "this folder, at any path. Search works in both, and needs JavaScript.\n\n"
	    "404.html is for the web server to send for missing addresses. It expects the folder at the path %s\n"
	    "(--path of the command).\n\nNot in this folder:\n\n", c->title, c->root);
	for (size_t i = 0; i < c->lack_count; i++)
		buf_printf(&b, "- %s: %s\n", c->lacks[i].what, c->lacks[i].why);
	return copy_write(c, "README.txt", buf_view(&b));
}

static int
print_report(struct copy *c, const char *to)
{
	struct json *j;

	cli_progress_end();
	if (!c->cli->json) {
		printf("exported: %zu pages, %" PRId64 " redirects, %" PRId64 " files, %" PRId64 " bytes: %s\n", c->page_count, c->redirects,
		    c->file_count, c->bytes, to);
		for (size_t i = 0; i < c->lack_count && i < SHOWN; i++)
			printf("left out: %s: %s\n", c->lacks[i].what, c->lacks[i].why);
		if (c->lack_count > SHOWN)
			printf("and %zu more, see README.txt in the folder\n", c->lack_count - SHOWN);
		return CLI_OK;
	}
	j = cli_json(c->cli);
	json_obj(j);
	json_kint(j, "pages", (int64_t)c->page_count);
	json_kint(j, "redirects", c->redirects);
	json_kint(j, "files", c->file_count);
	json_kint(j, "bytes", c->bytes);
	json_karr(j, "leftOut");
	for (size_t i = 0; i < c->lack_count; i++) {
		json_obj(j);
		json_kstr(j, "what", c->lacks[i].what);
		json_kstr(j, "why", c->lacks[i].why);
		json_end(j);
	}
	json_end(j);
	json_end(j);
	cli_json_print(c->cli);
	return CLI_OK;
}

/* ---- the folder ---- */

/* True if the path does not exist or is an empty folder. */
static bool
is_free(const char *path)
{
	struct stat st;

	return lstat(path, &st) != 0 ? errno == ENOENT : S_ISDIR(st.st_mode) && folder_is_empty(path);
}

/* Makes the copy in a temporary folder beside the target, which is renamed at the end. */
static bool
write_folder(struct copy *c, const char *to)
{
	const char *slash = strrchr(to, '/');
	char *own = arena_printf(c->arena, "%.*s/.octavo-site.XXXXXX", (int)(slash - to), to);
	struct backup b = { .arena = c->arena };
	bool ok;

	if (mkdtemp(own) == NULL)
		return copy_fail(c, "a folder beside %s cannot be made (%s): name a place where you may write", to, strerror(errno));
	backup_temp_contents(&b, own);
	backup_temp_register(&b, own);
	c->to = own;
	ok = copy_list(c) && copy_pages(c) && write_readme(c);
	/* The web server reads the folder as another user. */
	if (ok && c->open && chmod(own, 0755) != 0)
		ok = copy_fail(c, "%s: %s", own, strerror(errno));
	if (ok && rename(own, to) != 0)
		ok = copy_fail(c, "%s: %s; name a new or an empty folder", to, strerror(errno));
	if (!ok)
		folder_remove(own);
	backup_temp_forget();
	return ok;
}

/* ---- the command ---- */

/* The id of the site that the operand names. False after printing an error. */
static bool
find_site(struct cli *c, struct db *db, const char *key, const char **id)
{
	struct stmt *q = db_use(db, &q_copy_site);
	bool one;

	bind_text(q, ":key", key);
	if (!stmt_step(q))
		return cli_fail(c, "there is no site %s: name its id, hostname or title", key) == CLI_OK;
	*id = col_dup(q, 0, c->arena);
	one = !stmt_step(q);
	return one || cli_fail(c, "several sites are called %s: name the id of one", key) == CLI_OK;
}

static const char *
root_of(struct cli *c)
{
	const char *path = cli_option(c, "path");
	size_t n;

	if (path == NULL)
		return "/";
	n = strlen(path);
	if (*path != '/' || strpbrk(path, "\"<>&?# ") != NULL || strncmp(path, "//", 2) == 0)
		return NULL;
	return path[n - 1] == '/' ? path : arena_printf(c->arena, "%s/", path);
}

static int
export_site(struct cli *c, struct db *db, const char *to, const char *root)
{
	const char *error;
	struct copy copy = { .cli = c, .arena = c->arena, .db = db, .root = root, .set = settings_env(c->arena, &error),
		.targets = map_new(c->arena), .files = map_new(c->arena), .sources = map_new(c->arena), .lacking = map_new(c->arena) };
	bool ok;

	if (copy.set == NULL)
		return cli_fail(c, "%s", error);
	if (!find_site(c, db, c->argv[0], &copy.site))
		return CLI_FAILED;
	db_begin(db, false);
	ok = write_folder(&copy, to);
	db_rollback(db);
	return ok ? print_report(&copy, to) : cli_fail(c, "%s. Nothing was exported", copy.error);
}

int
cmd_site_export(struct cli *c)
{
	const char *to = c->argc == 2 ? cli_path(c->arena, c->argv[1]) : NULL, *root = root_of(c), *url;
	struct db *db;
	int rc;

	if (to == NULL)
		return cli_usage(c, "name a site and a new folder: octavo site export SITE FOLDER --dir DIR");
	if (root == NULL)
		return cli_usage(c, "--path is the path of an address, such as /docs/");
	if (!is_free(to))
		return cli_fail(c, "%s exists already: name a new or an empty folder", to);
	if ((db = data_open(c, DB_READ_WRITE)) == NULL)
		return CLI_FAILED;
	url = data_url(c);
	setenv("OCTAVO_DIR", c->dir, 1);
	if (url != NULL)
		setenv("OCTAVO_URL", url, 1);
	umask(022);
	rc = export_site(c, db, to, root);
	db_close(db);
	return rc;
}
