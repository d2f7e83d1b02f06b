/*
 * Emoji shortcodes of GitHub's set (gemoji, MIT). The build makes the table, sorted by name, from
 * Debian's package of it and src/markdown/emoji.txt.
 */
#include <stdlib.h>
#include <string.h>

#include "markdown/document_tree.h"
#include "base/sort.h"

struct emoji {
	const char *name;   /* shortcode without its colons */
	const char *code;   /* code points in hex, joined by "-" */
	int         alias;  /* not 0: another name is preferred */
};

static const struct emoji table[] = {
#include "emoji_table.h"
};

enum { COUNT = sizeof(table) / sizeof(*table) };

/*
 * Compares a key, which has no NUL at its end, with a name: bytes that agree may be only the
 * beginning of a longer name.
 */
static int
by_name(const void *key, const void *member)
{
	const struct str *k = key;
	const struct emoji *e = member;
	int d = strncmp(k->p, e->name, k->n);

	return d != 0 ? d : -(e->name[k->n] != '\0');
}

/*
 * Compares by code, then by alias. A search uses alias 0, which only the preferred name of an emoji
 * has.
 */
static int
by_code(const void *a, const void *b)
{
	const struct emoji *const *x = a, *const *y = b;
	int d = strcmp((*x)->code, (*y)->code);

	return d != 0 ? d : (*x)->alias - (*y)->alias;
}

/* Static text; NULL: no such shortcode. */
const char *
emoji_code(struct arena *a, struct str shortcode)
{
	const struct emoji *e = find_sorted(&shortcode, table, COUNT, sizeof(*table), by_name);

	(void)a;
	return e == NULL ? NULL : e->code;
}

/* The table is sorted by name, so the first call makes a second order, by code. */
const char *
emoji_shortcode(struct arena *a, const char *code)
{
	static const struct emoji *order[COUNT];
	struct emoji probe = { "", code, 0 };
	const struct emoji *p = &probe, **hit;
	size_t i;

	(void)a;
	if (order[0] == NULL) {
		for (i = 0; i < COUNT; i++)
			order[i] = &table[i];
		sort_list(order, COUNT, sizeof(*order), by_code);
	}
	hit = find_sorted(&p, order, COUNT, sizeof(*order), by_code);
	return hit == NULL ? NULL : (*hit)->name;
}

/* Skips the variation selectors at p: keys of emoji have none (base/emoji.h). */
static const char *
past_selectors(const char *p)
{
	while (strncmp(p, "-fe0f", 5) == 0)
		p += 5;
	return p;
}

/* Compares codes as if they had no variation selectors. */
static int
by_key(const void *a, const void *b)
{
	const struct emoji *const *x = a, *const *y = b;
	const char *p = past_selectors((*x)->code), *q = past_selectors((*y)->code);

	for (; *p != '\0' && *p == *q; p = past_selectors(p + 1), q = past_selectors(q + 1))
		;
	return (unsigned char)*p - (unsigned char)*q;
}

const char *
emoji_spelling(const char *key)
{
	static const struct emoji *order[COUNT];
	struct emoji probe = { "", key, 0 };
	const struct emoji *p = &probe, **hit;
	size_t i;

	if (order[0] == NULL) {
		for (i = 0; i < COUNT; i++)
			order[i] = &table[i];
		sort_list(order, COUNT, sizeof(*order), by_key);
	}
	hit = find_sorted(&p, order, COUNT, sizeof(*order), by_key);
	return hit == NULL ? key : (*hit)->code;
}

/* Appends the characters of a code; a part that is no code point adds nothing. */
void
emoji_utf8(struct buf *out, const char *code)
{
	unsigned long cp;
	char *end;

	while (code != NULL && *code != '\0') {
		cp = strtoul(code, &end, 16);
		if (end == code)
			return;
		/* Codes come from attributes and from clients: no control characters, no surrogates. */
		if (cp >= 0x20 && cp <= 0x10FFFF && (cp < 0xD800 || cp > 0xDFFF))
			buf_utf8(out, (uint32_t)cp);
		code = *end == '-' ? end + 1 : end;
	}
}
