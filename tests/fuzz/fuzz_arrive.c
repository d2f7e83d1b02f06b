/*
 * Sources of an import. MODE 1: settings in JavaScript; 2: comma-separated values; 3: a whole source, read by any of
 * the readers and written as a layout. Such an input is a line with the name of the reader, and files: "==> PATH",
 * then the lines of the file.
 */
#include <signal.h>

#include "../unit/arrive_fixture.h"
#include "../../src/arrive/csv.h"
#include "../../src/arrive/js.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "fuzz_folder.h"

#ifndef MODE
#define MODE 3
#endif

enum { FILES = 20 };

static void
must(bool holds)
{
	if (!holds)
		abort();
}

static void
read_js(struct str text)
{
	struct js_skipped skipped = { 0 };
	struct yaml *y = js_read(arena, text, &skipped);
	struct json j;
	struct buf b;

	must((skipped.count > 0) == (skipped.line > 0));
	if (y == NULL)
		return;
	buf_init(&b, arena, (size_t)512 << 20);
	json_init(&j, &b);
	yaml_json(&j, y);
	must(utf8_valid(buf_view(&b)) || !utf8_valid(text));
}

static void
read_csv(struct str csv)
{
	struct text out = { .arena = arena };
	size_t lost, rows = csv_table(&out, csv, NULL, NULL, &lost);

	must(rows <= csv.n && (utf8_valid(text_bytes(arena, &out)) || !utf8_valid(csv)));
}

/* ---- a whole source ---- */

/* A path that leads out of the folder, or that is a file and a folder, is passed over. */
static void
put_file(const char *path, const char *text)
{
	char *full = arena_printf(arena, "%s/%s", folder, path), *p;
	FILE *f;

	if (*path == '\0' || *path == '/' || strstr(path, "..") != NULL || strlen(path) > 100)
		return;
	for (p = full + strlen(folder) + 1; (p = strchr(p, '/')) != NULL; *p++ = '/') {
		*p = '\0';
		mkdir(full, 0700);
	}
	if ((f = fopen(full, "wb")) == NULL)
		return;
	fputs(text, f);
	fclose(f);
}

static void
put_files(char *rest)
{
	char *path, *text, *next;
	int n;

	for (n = 0; n < FILES && rest != NULL && strncmp(rest, "==> ", 4) == 0; n++, rest = next) {
		path = rest + 4;
		if ((text = strchr(path, '\n')) == NULL)
			return;
		*text = '\0';
		if ((next = strstr(text + 1, "\n==> ")) != NULL)
			*next++ = '\0';
		put_file(path, text + 1);
	}
}

static const struct arrive_reader *
find_reader(const char *name)
{
	const struct arrive_reader *const *r;

	for (r = arrive_readers; *r != NULL && strcmp((*r)->name, name) != 0; r++)
		continue;
	return *r;
}

/* Each line of the report is valid, and a failure has a reason. */
static void
check_report(const struct arrival *t)
{
	const struct layout_warning *w;

	for (w = t->warnings; w != NULL; w = w->next)
		must(w->message != NULL && utf8_valid(str_of(w->message)));
}

static void
import_source(char *text)
{
	const struct arrive_reader *r = find_reader(strsep(&text, "\n"));
	struct arrival *t;

	if (r == NULL || r->as_is)
		return;
	make_folder(folder);
	put_files(text);
	t = listed(r);
	(void)r->is(t);
	if (r->read(t))
		(void)written(t);
	else
		must(t->error != NULL);
	check_report(t);
	empty_folder();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };

	if (size > 65536)
		return 0;
	arena = fuzz_arena();
	switch (MODE) {
	case 1: read_js(text); break;
	case 2: read_csv(text); break;
	default: import_source(fuzz_text(arena, data, size));
	}
	json_arena(NULL);
	arena_free(arena);
	return 0;
}
