/*
 * A repository of one to three files: MODE 1: SUMMARY.md, 2: a page (frontmatter), 3:
 * .gitbook.yaml. Whatever they contain, layout_read() ends, within its limits.
 */
#include <string.h>

#include "fuzz.h"
#include "layout/layout.h"

#ifndef MODE
#define MODE 1
#endif

static struct str contents[4];

static bool
read_entry(void *ctx, struct arena *a, const struct layout_entry *e, struct str *out)
{
	const struct layout_entry *first = ctx;

	*out = contents[e - first];
	out->p = arena_strndup(a, out->p, out->n);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[] = { ".gitbook.yaml", "README.md", "SUMMARY.md", "a/b.md" };
	struct layout_limits limits = { 2000, 32, 1 << 20, 1 << 20, 1024 };
	struct layout_entry entries[4];
	struct layout_source src = { entries, 4, read_entry, entries };
	struct arena *a = fuzz_arena();
	struct layout out;
	size_t i;

	contents[0] = STR("root: ./\n");
	contents[1] = STR("# Home\n");
	contents[2] = STR("* [Home](README.md)\n* [B](a/b.md)\n");
	contents[3] = STR("---\ndescription: x\n---\n\n# B\n\nText\n");
	contents[MODE == 1 ? 2 : MODE == 2 ? 3 : 0] = (struct str){ (const char *)data, size };
	for (i = 0; i < 4; i++) {
		entries[i] = (struct layout_entry){ .path = str_of(names[i]), .mode = 0100644,
			.size = (int64_t)contents[i].n };
		memset(entries[i].oid, 'a', 40);
		entries[i].oid[40] = '\0';
	}
	if (size <= 65536)
		layout_read(a, &src, "", &limits, &out);
	arena_free(a);
	return 0;
}
