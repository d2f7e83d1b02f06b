/*
 * Pages that the web server sends without a program, if its configuration offers that
 * (OCTAVO_PAGES; nginx/locations.conf, nginx/apache.conf). Contract: base/served.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/database.h"
#include "base/build.h"
#include "base/secret.h"
#include "base/served.h"
#include "reader_parts.h"

/*
 * Call before the read transaction. If there is no folder, it is made, unless another process is
 * writing.
 */
void
served_begin(struct answer *w)
{
	const char *on = w->io->param(w->io, "OCTAVO_PAGES"), *dir = w->set->dir, *stamp;

	if (on == NULL || strcmp(on, "1") != 0 || w->post)
		return;
	/* A commit of another machine cannot drop the pages of this one. */
	if (database_is_shared()) {
		served_drop(dir);
		return;
	}
	/*
	 * The build, the base address and the setting of diagrams change the pages, so each
	 * combination has its own folder.
	 */
	stamp = hex(w->arena, str_slice(hash_of(w->arena, str_of(arena_printf(w->arena, "%s\n%s\n%s", octavo_build,
	    w->set->url, w->set->mermaid))), 0, 16));
	w->served_folder = served_open(w->arena, dir, stamp);
	/*
	 * Take the write lock, so that one process makes the folder. Do not wait for it: pages can
	 * be sent without.
	 */
	if (w->served_folder >= 0 || !db_try_begin(w->db))
		return;
	if (db_try_alone(w->db, DB_LOCK_SHOWN))
		served_make(w->arena, dir, stamp);
	db_rollback(w->db);
	w->served_folder = served_open(w->arena, dir, stamp);
}

/* Call this also after a failure, since the descriptor must be closed. */
void
served_end(struct answer *w)
{
	if (w->served_folder >= 0)
		close(w->served_folder);
	w->served_folder = -1;
}

/* Host header in the form of the web server's $host: lower case, without a port. */
static char *
request_host(struct answer *w)
{
	const char *host = w->io->param(w->io, "HTTP_HOST");
	char *out, *p;

	if (host == NULL)
		return "";
	out = arena_strndup(w->arena, host, strcspn(host, ":"));
	for (p = out; *p != '\0'; p++)
		*p = (char)tolower((unsigned char)*p);
	return out;
}

/* A page has one file, for its own address; programs answer its other addresses. */
static char *
page_file(struct view *s)
{
	const char *uri = s->w->io->param(s->w->io, "REQUEST_URI"), *host = request_host(s->w), *p;
	size_t n = strlen(host);

	if ((p = s->v.canonical) == NULL || (p = strstr(p, "://")) == NULL || strncmp(p += 3, host, n) != 0 ||
	    /*
	     * An address with a query, another host or another spelling gets no file, because the
	     * web server would look the file up under its own reading of the address.
	     */
	    (p[n] != '/' && p[n] != ':') || (p = strchr(p, '/')) == NULL || strcmp(p, uri) != 0 ||
	    !served_name(host, uri))
		return NULL;
	return arena_printf(s->arena, "%s%s", host, uri);
}

/*
 * The time that the file of a page gets: not a real time, but 31 bits of the hash in the ETag (file
 * systems store no larger times). The web server makes its ETag from the time and the length.
 */
static uint32_t
file_time(const char *etag)
{
	char first[9] = "";

	strncat(first, etag, 8);
	return (uint32_t)strtoul(first, NULL, 16) & 0x7fffffff;
}

char *
served_tag(struct view *s, const struct body *b)
{
	return arena_printf(s->arena, "%x-%zx", (unsigned)file_time(b->etag), b->bytes.n);
}

/*
 * Accepts an ETag that the web server made: "TIME-LENGTH". TIME is derived from the content
 * (file_time()), so any length is accepted. A suffix means that the web server compressed the page.
 */
char *
served_tag_in(struct view *s, const char *list, const char *etag)
{
	const char *begin = arena_printf(s->arena, "\"%x-", (unsigned)file_time(etag)), *p = strstr(list, begin);
	size_t n = p == NULL ? 0 : strspn(p + strlen(begin), "0123456789abcdef");

	if (n == 0 || (p[strlen(begin) + n] != '"' && p[strlen(begin) + n] != '-'))
		return NULL;
	return arena_strndup(s->arena, p + 1, strlen(begin) - 1 + n);
}

void
served_keep(struct view *s, const struct body *b)
{
	const char *name = s->w->served_folder < 0 || !view_shared(s) ? NULL : page_file(s);

	/* Suffixes of the files, as in nginx/locations.conf: "=n" for pages that search engines must not list. */
	if (name != NULL)
		served_put(s->arena, s->w->set->dir, s->w->served_folder, s->v.site.id, name, b->index ? "=" : "=n", b->bytes,
		    file_time(b->etag));
}
