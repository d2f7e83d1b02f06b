/*
 * Recognises folders and files that no import reads: those of version control, package managers and
 * file managers.
 */
#ifndef OCTAVO_ARRIVE_FOREIGN_H
#define OCTAVO_ARRIVE_FOREIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/str.h"

/* True if a part of the path, between slashes, is one of these names. */
static inline bool
path_is_foreign(struct str path)
{
	static const char *const names[] = { ".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "__MACOSX", ".DS_Store" };
	size_t i;

	while (path.n > 0) {
		const char *end = memchr(path.p, '/', path.n);
		struct str part = end == NULL ? path : str_slice(path, 0, (size_t)(end - path.p));

		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (str_is(part, names[i]))
				return true;
		path = str_slice(path, end == NULL ? path.n : part.n + 1, path.n);
	}
	return false;
}

#endif
