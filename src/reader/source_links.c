/*
 * Makes the addresses at which readers edit a page's source file in git, or report a fault of it.
 * Only if the customization enables it (git.showEditLink), and if the host is known or the binding
 * contains a prefix of file addresses (repoTreeURL).
 */
#include <strings.h>

#include "base/url.h"
#include "reader_parts.h"

/*
 * The repository and branch from which the content came (git_sync). The binding's provider and
 * prefix are used only if it has the same repository and branch.
 */
SQL(q_source,
    "SELECT g.url, g.ref, CASE WHEN b.provider <> 'plain' THEN b.provider ELSE g.provider END, "
    "COALESCE(b.tree_url, g.tree_url) FROM git_sync g "
    "LEFT JOIN git_binding b ON b.space = g.space AND b.url = g.url AND b.ref = g.ref WHERE g.space = :space");

/* Address formats; %s: the repository, then branch and file, or the title. */
static const struct host {
	const char *provider, *name, *edit, *report;
} hosts[] = {
	{ "github", "github.com", "%s/edit/%s/%s", "%s/issues/new?title=%s" },
	{ "gitlab", "gitlab.com", "%s/-/edit/%s/%s", "%s/-/issues/new?issue%%5Btitle%%5D=%s" },
	{ "gitea", "codeberg.org", "%s/_edit/%s/%s", "%s/issues/new?title=%s" },
	{ "gitea", "gitea.com", "%s/_edit/%s/%s", "%s/issues/new?title=%s" },
};

static bool
ends_with(struct str s, const char *end)
{
	size_t n = strlen(end);

	return s.n > n && memcmp(s.p + s.n - n, end, n) == 0;
}

/*
 * Web address of the repository, "https://HOST/OWNER/NAME", from its fetch address (git_split_url()
 * has removed credentials); NULL if it has no host.
 */
static char *
web_address(struct arena *a, const char *url, struct str *host)
{
	bool web = strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0;
	const char *sep = strstr(url, "://"), *at, *path;
	struct str rest;

	if (sep == NULL || (!web && strncmp(url, "ssh://", 6) != 0))
		return NULL;
	path = strchr(sep + 3, '/');
	if (path == NULL)
		return NULL;
	/* ssh addresses begin with a user name. */
	at = memchr(sep + 3, '@', (size_t)(path - sep - 3));
	host->p = at != NULL ? at + 1 : sep + 3;
	host->n = (size_t)(path - host->p);
	rest = str_of(path);
	while (ends_with(rest, "/"))
		rest.n--;
	if (ends_with(rest, ".git"))
		rest.n -= 4;
	/* Drop the port of ssh, which is not that of the web pages. */
	if (!web && memchr(host->p, ':', host->n) != NULL)
		host->n = (size_t)((const char *)memchr(host->p, ':', host->n) - host->p);
	return arena_printf(a, "%s://%.*s%.*s", strncmp(url, "http:", 5) == 0 ? "http" : "https", (int)host->n,
	    host->p, (int)rest.n, rest.p);
}

/*
 * The address formats for the binding's provider, otherwise for the host's name; NULL: unknown
 * host.
 */
static const struct host *
find_host(const char *provider, struct str name)
{
	for (size_t i = 0; provider != NULL && i < sizeof(hosts) / sizeof(hosts[0]); i++)
		if (strcasecmp(hosts[i].provider, provider) == 0)
			return &hosts[i];
	for (size_t i = 0; i < sizeof(hosts) / sizeof(hosts[0]); i++)
		if (str_is(name, hosts[i].name))
			return &hosts[i];
	return NULL;
}

/* Name of the branch of a ref; NULL: the ref is not a branch, so there is nothing to edit. */
static const char *
branch_name(const char *ref)
{
	if (strncmp(ref, "refs/heads/", 11) == 0)
		return ref + 11;
	return strncmp(ref, "refs/", 5) == 0 ? NULL : ref;
}

/* The space's row of q_source; NULL if edit links are off, or the content is from no repository. */
static struct stmt *
source_row(struct view *s)
{
	struct stmt *q;

	if (!s->look->edit_link || s->v.space == NULL)
		return NULL;
	q = db_use(s->w->db, &q_source);
	bind_text(q, ":space", s->v.space->space);
	return stmt_step(q) ? q : NULL;
}

/* printf() with a format from the table, which the compiler cannot check. */
static char *
fill_form(struct arena *a, const char *form, const char *first, const char *second, const char *third)
{
	const char *text[] = { first, second, third };
	struct buf b;
	size_t n = 0;

	buf_init(&b, a, 64 << 10);
	for (; *form != '\0'; form++)
		if (form[0] == '%' && form[1] == 's') {
			buf_str(&b, text[n++]);
			form++;
		} else if (form[0] != '%' || form[1] != '%') {
			buf_char(&b, *form);
		}
	return b.p;
}

const char *
source_state(struct view *s)
{
	struct stmt *q = source_row(s);

	if (q == NULL)
		return "";
	return arena_printf(s->arena, "%s %s %s %s", col_text(q, 0), col_text(q, 1), col_null(q, 2) ? "" : col_text(q, 2),
	    col_null(q, 3) ? "" : col_text(q, 3));
}

static size_t
length_without_slash(const char *address)
{
	size_t n = strlen(address);

	return n > 0 && address[n - 1] == '/' ? n - 1 : n;
}

void
source_of_page(struct view *s, const struct page *p, struct source *out)
{
	struct stmt *q = source_row(s);
	const struct host *host;
	const char *branch, *web, *file, *tree;
	struct str name;

	*out = (struct source){ NULL, NULL };
	/* A page that was not exported yet, or that shows an API description, has no file. */
	if (q == NULL || p->node.git_path == NULL)
		return;
	web = web_address(s->arena, col_text(q, 0), &name);
	host = web != NULL ? find_host(col_null(q, 2) ? NULL : col_text(q, 2), name) : NULL;
	branch = branch_name(col_text(q, 1));
	file = url_path(s->arena, p->node.git_path);
	tree = col_null(q, 3) ? NULL : col_text(q, 3);
	/* A prefix that a user set has priority over the format for the host. */
	if (tree != NULL)
		out->edit = arena_printf(s->arena, "%.*s/%s", (int)length_without_slash(tree), tree, file);
	else if (host != NULL && branch != NULL)
		out->edit = fill_form(s->arena, host->edit, web, url_path(s->arena, branch), file);
	if (host != NULL)
		out->report = fill_form(s->arena, host->report, web,
		    url_segment(s->arena, str_of(page_title(s, p))), NULL);
}
