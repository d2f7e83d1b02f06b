/* Finds the file for an address of the site, and rewrites links. Contract: copy.h. */
#include <string.h>
#include <strings.h>

#include "base/url.h"
#include "copy.h"

enum { NAME_MOST = 180, HOPS = 5 };

/* ---- names of files ---- */

bool
copy_claim(struct copy *c, const char *file)
{
	const char *slash;

	for (slash = strchr(file, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
		if (map_has(c->files, (struct str){ file, (size_t)(slash - file) }))
			return false;
	file = arena_strdup(c->arena, file);
	if (map_has(c->files, str_of(arena_printf(c->arena, "%s/", file))) || !map_add(c->files, str_of(file), c))
		return false;
	for (slash = strchr(file, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
		map_add(c->files, (struct str){ file, (size_t)(slash - file) + 1 }, c);
	return true;
}

/*
 * Makes a file name from a segment: without control characters and characters that Windows refuses.
 */
static char *
plain_name(struct arena *a, const char *p, size_t n)
{
	char *name;

	/* Cut a long name at its beginning, since its end contains the extension. */
	for (; n > NAME_MOST || (n > 0 && ((unsigned char)*p & 0xc0) == 0x80); n--)
		p++;
	name = arena_strndup(a, p, n);
	for (p = name; *p != '\0'; p++)
		if ((unsigned char)*p < ' ' || strchr("\\:*?\"<>|\x7f", *p) != NULL)
			name[p - name] = '-';
	return name;
}

/* As plain_name(), but never ".", ".." or "index.html", which each folder has. */
static char *
name_of(struct arena *a, const char *p, size_t n)
{
	char *name = plain_name(a, p, n);

	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, "index.html") == 0 ? arena_printf(a, "-%s", name) : name;
}

/* A unique file name for a decoded path below the site. */
static const char *
file_for(struct copy *c, const char *path, bool page)
{
	const char *out = "", *file, *p = path;
	size_t n;

	for (; *p != '\0'; p += n, p += strspn(p, "/")) {
		n = strcspn(p, "/");
		if (n > 0)
			out = arena_printf(c->arena, "%s%s%s", out, *out == '\0' ? "" : "/", name_of(c->arena, p, n));
		/* These files are at the top of the folder (copy_list()). */
		if (strcmp(out, "404.html") == 0 || strcasecmp(out, "README.txt") == 0)
			out = arena_printf(c->arena, "-%s", out);
	}
	file = !page ? out : *out == '\0' ? "index.html" : arena_printf(c->arena, "%s/index.html", out);
	for (int k = 2; !copy_claim(c, file); k++)
		file = page ? arena_printf(c->arena, "%s-%d/index.html", out, k) : arena_printf(c->arena, "%s-%d", out, k);
	return file;
}

const char *
copy_moved_file(struct copy *c, const char *path)
{
	const char *p = path, *name = "", *file;
	size_t n;

	for (; *p != '\0'; p += n, p += *p == '/') {
		n = strcspn(p, "/");
		name = plain_name(c->arena, p, n);
		if (n == 0 || *p == '~' || strlen(name) != n || memcmp(name, p, n) != 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			return NULL;
	}
	n = strlen(name);
	file = n > 5 && strcmp(name + n - 5, ".html") == 0 ? path : arena_printf(c->arena, "%s/index.html", path);
	return copy_claim(c, file) ? file : NULL;
}

/* ---- addresses ---- */

/*
 * The rest of the path after the base address; NULL: it does not begin with it. base "": there is
 * no such base.
 */
static const char *
after_base(const char *base, const char *path)
{
	size_t n = strlen(base);

	/* The address of the site may also lack its last slash. */
	if (n > 0 && strncmp(path, base, n - 1) == 0 && (path[n - 1] == '\0' || strchr("?#", path[n - 1]) != NULL))
		return path + n - 1;
	return n > 0 && strncmp(path, base, n) == 0 ? path + n : NULL;
}

const char *
copy_below(struct copy *c, const char *address, bool *lost)
{
	const char *path = address, *host = strstr(address, "://"), *rest;

	*lost = false;
	if (strncmp(address, "//", 2) == 0)
		host = address - 1;
	else if (*address != '/' && (host == NULL || (strncasecmp(address, "http://", 7) != 0 && strncasecmp(address, "https://", 8) != 0)))
		return NULL;
	if (*address != '/' || host == address - 1) {
		path = host + 3 + strcspn(host + 3, "/?#");
		rest = arena_strndup(c->arena, host + 3, (size_t)(path - host - 3));
		if (strcasecmp(rest, c->host) != 0) {
			*lost = strcasecmp(rest, c->own_host) == 0;
			return NULL;
		}
	}
	if ((rest = after_base(c->base, path)) == NULL)
		rest = after_base(c->base_by_id, path);
	*lost = rest == NULL;
	return rest;
}

/* The path as key of the map. */
static const char *
key_of(struct copy *c, const char *path)
{
	char *key = arena_strdup(c->arena, url_unescape(c->arena, (struct str){ path, strcspn(path, "?#") }).p);
	size_t n = strlen(key);

	while (n > 0 && key[n - 1] == '/')
		key[--n] = '\0';
	return key;
}

static struct copy_target *
add_target(struct copy *c, const char *key, const char *path)
{
	struct copy_target *t = arena_alloc(c->arena, sizeof(*t));

	*t = (struct copy_target){ .path = arena_strndup(c->arena, path, strcspn(path, "?#")) };
	return map_add(c->targets, str_of(key), t) ? t : NULL;
}

struct copy_target *
copy_add(struct copy *c, const char *path, bool page)
{
	const char *key = key_of(c, path);
	struct copy_target *t = add_target(c, key, path);

	if (t != NULL)
		t->file = file_for(c, key, page);
	return t;
}

/* ---- what is fetched at its first use ---- */

/* The part of a path from "~" on, which the site itself serves; NULL: none. */
static const char *
own_part(const char *path)
{
	const char *tilde = *path == '~' ? path : strstr(path, "/~");

	return tilde == NULL ? NULL : *tilde == '~' ? tilde : tilde + 1;
}

static bool
begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static void
fetch_file(struct copy *c, struct copy_target *t, const char *key)
{
	struct arena *a = arena_new(1u << 30);
	struct copy_answer got;

	t->file = file_for(c, key, false);
	if (copy_get(c, a, t->path, t->file, &got) && got.status != 200)
		t->file = NULL;
	else if (c->error == NULL && got.saved < 0)
		copy_write(c, t->file, copy_css(c, a, t->file, got.body));
	arena_free(a);
}

/*
 * Handles an address that is not a page: a former address leads to a page, other addresses are not
 * in the copy.
 */
static void
follow(struct copy *c, struct copy_target *t, int hops)
{
	struct arena *a = arena_new(1u << 30);
	struct copy_answer got;
	const char *below;
	bool lost;

	if (hops < HOPS && copy_get(c, a, t->path, NULL, &got) && got.status > 300 && got.status < 400 && got.location != NULL) {
		below = copy_below(c, got.location, &lost);
		t->moves = true;
		if (below != NULL) {
			const char *key = key_of(c, below), *hash = strchr(below, '#');
			struct copy_target *to = map_get(c->targets, str_of(key));

			if (to == NULL && own_part(below) != NULL)
				to = copy_find(c, below);
			else if (to == NULL && (to = add_target(c, key, below)) != NULL)
				follow(c, to, hops + 1);
			t->file = to == NULL ? NULL : to->file;
			t->away = to == NULL ? NULL : to->away;
			t->fragment = hash != NULL ? arena_strdup(c->arena, hash) : to == NULL ? NULL : to->fragment;
		} else if (!lost && strstr(got.location, "://") != NULL)
			t->away = arena_strdup(c->arena, got.location);
	}
	arena_free(a);
}

struct copy_target *
copy_find(struct copy *c, const char *path)
{
	const char *key = key_of(c, path), *own = own_part(key);
	struct copy_target *t = map_get(c->targets, str_of(key));

	if (t != NULL || (t = add_target(c, key, path)) == NULL)
		return t;
	if (own != NULL && (begins(own, "~asset/") || begins(own, "~look/") || begins(own, "~stored/") || begins(own, "~file/"))) {
		fetch_file(c, t, key);
	} else if (own != NULL && begins(own, "~schema/")) {
		t->file = file_for(c, key, true);
		c->schemas = arena_grow(c->arena, c->schemas, c->schema_count, &c->schema_room, sizeof(struct copy_target *));
		c->schemas[c->schema_count++] = t;
	} else if (own == NULL)
		follow(c, t, 0);
	return t;
}

/* ---- links ---- */

char *
copy_relative(struct arena *a, const char *from, const char *file)
{
	const char *slash, *up = "", *name;
	size_t same = 0;

	/* Skip the folders that both paths share. */
	for (size_t i = 0; from[i] != '\0' && from[i] == file[i]; i++)
		if (from[i] == '/')
			same = i + 1;
	for (slash = strchr(from + same, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
		up = arena_printf(a, "%s../", up);
	name = url_path(a, file + same);
	return arena_printf(a, "%s%s", up, name);
}

const char *
copy_link(struct copy *c, struct arena *a, const char *from, const char *address)
{
	const char *below, *hash, *fragment;
	struct copy_target *t;
	bool lost;

	if (*address == '#')
		return address;
	below = copy_below(c, address, &lost);
	if (below == NULL)
		return lost ? NULL : address;
	t = copy_find(c, below);
	if (t == NULL || (t->file == NULL && t->away == NULL))
		return NULL;
	if (t->file == NULL)
		return t->away;
	hash = strchr(below, '#');
	fragment = hash != NULL ? hash : t->fragment != NULL ? t->fragment : "";
	return arena_printf(a, "%s%s", copy_relative(a, from, t->file), fragment);
}
