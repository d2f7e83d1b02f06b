/*
 * Reader for Obsidian: a folder (vault) of notes. Its folders become the tree of pages. A link
 * [[name]] refers to the note or file with that name, in whatever folder it is (blocks_wiki.c).
 */
#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "readers.h"

enum { LOOK = 40 };    /* notes that are looked at */

/* "[[Name]]", but not the "[[text]](address)" of other Markdown, nor a list of numbers in code. */
static bool
has_link(struct str s)
{
	const char *at = s.n == 0 ? NULL : memmem(s.p, s.n, "[[", 2);
	const char *end = at == NULL ? NULL : memmem(at, s.n - (size_t)(at - s.p), "]]", 2);

	return end != NULL && end - at < 200 && memchr(at, '\n', (size_t)(end - at)) == NULL && isalpha((unsigned char)at[2]) && end[2] != '(';
}

static bool
is_obsidian(struct arrival *t)
{
	const struct arrival_file *f = source_below(t, ".obsidian");
	size_t i, looked = 0, linked = 0;
	struct str bytes;

	if (f < t->files + t->file_count && path_is_below(f->path, ".obsidian"))
		return true;
	/* A vault may be copied without its settings; then it is recognised by links of the form [[name]]. */
	for (i = 0; i < t->file_count && looked < LOOK; i++, arena_reset(t->scratch)) {
		if (!path_ends(t->files[i].path, ".md") || !source_read(t, t->scratch, &t->files[i], &bytes))
			continue;
		looked++;
		linked += has_link(bytes);
	}
	return linked >= 2 && linked * 4 >= looked;
}

static bool
read_obsidian(struct arrival *t)
{
	struct map *by_name = map_new(t->arena);
	struct arrival_page *p;
	size_t i;

	t->own = by_name;
	for (i = 0; i < t->file_count; i++) {
		struct arrival_file *f = &t->files[i];
		if (path_is_below(f->path, ".obsidian") || path_is_below(f->path, ".trash"))
			f->part = true;
		else if (!path_is_markdown(f->path))
			map_add(by_name, str_of(utf8_lower(t->arena, path_name(f->path))), f);
	}
	arrival_add_folder(t, NULL, "");
	for (p = t->made; p != NULL; p = p->after) {
		struct str stem = p->file == NULL ? STR("") : path_stem(p->file->path), name = path_name(stem);
		if (p->file == NULL)
			continue;
		arrival_name(t, p, arena_strndup(t->arena, name.p, name.n));
		arrival_name(t, p, arena_strndup(t->arena, stem.p, stem.n));
		/* The name of a note is its title, even where its text begins with another heading. */
		p->title = arena_strndup(t->arena, name.p, name.n);
	}
	return true;
}

/* Finds a file by its name alone, because a link of Obsidian need not contain the folder. */
static bool
find_target(struct arrival *t, struct arrival_page *p, struct str s, struct arrival_target *out)
{
	(void)p;
	*out = (struct arrival_target){ 0 };
	/* The part after "#", as in "picture.png#interface", only affects how the picture is shown. */
	s = text_until(s, "#");
	if (s.n == 0 || memchr(s.p, '/', s.n) != NULL || memchr(s.p, ':', s.n) != NULL)
		return false;
	out->file = map_get(t->own, str_of(utf8_lower(t->scratch, s)));
	return out->file != NULL;
}

const struct arrive_reader reader_obsidian = { .name = "obsidian", .title = "Obsidian", .syntax = SYNTAX_WIKI, .is = is_obsidian,
	.read = read_obsidian, .target = find_target };
