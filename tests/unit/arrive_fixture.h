/* Sources of a few files, as the readers see them (src/arrive). */
#ifndef OCTAVO_TEST_ARRIVE_FIXTURE_H
#define OCTAVO_TEST_ARRIVE_FIXTURE_H

#include "arena_fixture.h"

#include "../../src/arrive/readers.h"
#include "../../src/arrive/write_parts.h"
#include "base/json.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];
static struct settings set = { .import_page_bytes = 1 << 20, .import_file_bytes = 4 << 20 };

static inline void
put_bytes(const char *path, struct str bytes)
{
	char *full = arena_printf(arena, "%s/%s", folder, path), *p;
	int fd;

	for (p = full + strlen(folder) + 1; (p = strchr(p, '/')) != NULL; p++) {
		*p = '\0';
		mkdir(full, 0700);
		*p = '/';
	}
	assert_true((fd = open(full, O_WRONLY | O_CREAT | O_TRUNC, 0600)) >= 0);
	assert_int_equal(write(fd, bytes.p, bytes.n), bytes.n);
	close(fd);
}

static inline void
put(const char *path, const char *text)
{
	put_bytes(path, str_of(text));
}

static inline int
set_up_source(void **state)
{
	set_up(state);
	snprintf(folder, sizeof(folder), "/tmp/octavo-arrive-XXXXXX");
	return mkdtemp(folder) == NULL;
}

static inline int
tear_down_source(void **state)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return tear_down(state) + system(command);
}

/* The source of the files that were put; its tree is not made yet. */
static inline struct arrival *
listed(const struct arrive_reader *reader)
{
	struct arrival *t = arena_alloc(arena, sizeof(*t));

	*t = (struct arrival){ .arena = arena_within(arena, (size_t)1 << 30), .kept = arena, .scratch = arena_within(arena, (size_t)1 << 30), .set = &set, .reader = reader,
		.name = "source", .root = "", .table = "source", .names = map_new(arena), .once = map_new(arena), .tags = map_new(arena) };
	t->made_end = &t->made;
	t->warnings_end = &t->warnings;
	t->redirects_end = &t->redirects;
	json_arena(arena);
	assert_true(source_folder(t, folder));
	return t;
}

static inline struct arrival *
arrived(const struct arrive_reader *reader)
{
	struct arrival *t = listed(reader);

	assert_true(reader->is(t));
	assert_true(reader->read(t));
	return t;
}

static inline bool
alive(void *ctx, size_t done, size_t total)
{
	(void)ctx, (void)done, (void)total;
	return true;
}

static inline struct written *
written(struct arrival *t)
{
	char *scratch = arena_printf(arena, "%s/.scratch", folder);
	struct written *w;

	mkdir(scratch, 0700);
	w = arrival_write(t, scratch, alive, NULL);
	assert_non_null(w);
	return w;
}

/* The text of a file of the layout. */
static inline const char *
file_of(struct written *w, const char *path)
{
	struct layout_source all = written_source(w);
	struct str s = { NULL, 0 };
	size_t i = 0;

	while (i < all.count && !str_is(all.entries[i].path, path))
		i++;
	if (i == all.count || !all.read(w, arena, &all.entries[i], &s))
		fail_msg("no file %s", path);
	return arena_strndup(arena, s.p, s.n);
}

static inline void
assert_has(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("no \"%s\" in: %.4000s", part, text);
}

/* Number of lines of the report that have this text. */
static inline size_t
warned(const struct arrival *t, const char *part)
{
	const struct layout_warning *w;
	size_t n = 0;

	for (w = t->warnings; w != NULL; w = w->next)
		n += strstr(w->message, part) != NULL;
	return n;
}

#define source_test(f) cmocka_unit_test_setup_teardown(f, set_up_source, tear_down_source)

#endif
