/*
 * Readers for folders without a table of contents: plain Markdown, whose tree is made from the
 * folders, and the git-sync layout, whose files are imported unchanged.
 */
#include "readers.h"

static bool
is_gitsync(struct arrival *t)
{
	return source_find(t, ".gitbook.yaml") != NULL || source_find(t, "book.json") != NULL ||
	    (source_find(t, "SUMMARY.md") != NULL && source_find(t, "book.toml") == NULL);
}

static bool
no_tree(struct arrival *t)
{
	(void)t;
	return true;
}

const struct arrive_reader reader_gitsync = { .name = "git-sync", .title = "git-sync layout", .as_is = true,
	.is = is_gitsync, .read = no_tree };

static bool
is_markdown(struct arrival *t)
{
	size_t i;

	for (i = 0; i < t->file_count; i++)
		if (path_is_markdown(t->files[i].path))
			return true;
	return false;
}

static bool
read_markdown(struct arrival *t)
{
	arrival_add_folder(t, NULL, "");
	return true;
}

const struct arrive_reader reader_markdown = { .name = "markdown", .title = "Markdown", .is = is_markdown,
	.read = read_markdown };
