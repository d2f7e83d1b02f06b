/*
 * How well conversations that others labelled are analysed: reads lines
 *
 *   LABEL <tab> PART [<tab> PART]...
 *
 * from standard input ("\n" is a newline, "\\" a backslash; a part that begins with "T: " is a team member's,
 * one that begins with "S: " is the subject, all others are the user's) and prints a line for each:
 *
 *   CLUSTER <tab> NUMBER-OF-ISSUES <tab> TITLE-OF-THE-FIRST
 *
 * Clusters are numbered from 1; 0: the conversation has no issue. tests/conversations/judge.py makes the
 * lines from public data sets and computes figures from what this prints.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "memory_store.h"

enum { LINE = 1 << 20, PARTS = 512 };

static struct memory *memory;
static struct issue found[ISSUES_MAX];

static int64_t
frequency(void *ctx, uint64_t term)
{
	return mem_frequency(ctx, term);
}

/* "\n" is a newline; in place. */
static struct str
unescape(char *s)
{
	char *out = s, *p;

	for (p = s; *p != '\0'; p++)
		if (p[0] == '\\' && p[1] != '\0')
			*out++ = *++p == 'n' ? '\n' : *p;
		else
			*out++ = *p;
	*out = '\0';
	return str_of(s);
}

/* The issues of a line, which is taken apart. */
static size_t
read_line(struct analyst *w, struct arena *a, char *line)
{
	static struct part parts[PARTS];
	struct str subject = STR("");
	char *p = strchr(line, '\t'), *next;
	size_t n = 0;

	for (; p != NULL && n < PARTS; p = next) {
		next = strchr(++p, '\t');
		if (next != NULL)
			*next = '\0';
		if (strncmp(p, "S: ", 3) == 0)
			subject = unescape(p + 3);
		else if (strncmp(p, "T: ", 3) == 0)
			parts[n++] = (struct part){ PART_TEAM, unescape(p + 3) };
		else
			parts[n++] = (struct part){ PART_USER, unescape(p) };
	}
	return analyst_read(w, a, subject, parts, n, found);
}

int
main(void)
{
	struct arena *a = arena_new((size_t)4 << 30), *scratch = arena_new((size_t)1 << 30);
	struct analyst *w = analyst_new(a);
	struct cluster_store s = mem_store(memory = mem_new(a));
	struct corpus corpus = { memory, mem_issues, frequency };
	struct line { int64_t issue; size_t n; char *title; } *lines = calloc(MEM_MAX, sizeof(*lines));
	char *line = malloc(LINE);
	size_t n = 0, i, k;

	analyst_compare(w, &corpus);
	for (; n < MEM_MAX && fgets(line, LINE, stdin) != NULL; n++) {
		line[strcspn(line, "\n")] = '\0';
		lines[n].n = read_line(w, a, line);
		for (k = 0; k < lines[n].n && memory->issues + 1 < MEM_MAX; k++) {
			int64_t issue = mem_add(memory, &found[k].terms);
			cluster_place(&s, &cluster_rules, scratch, issue);
			if (k == 0) {
				lines[n].issue = issue;
				lines[n].title = strdup(found[0].title.p);
			}
			arena_reset(scratch);
		}
	}
	for (i = 0; i < n; i++)
		printf("%lld\t%zu\t%s\n", lines[i].issue == 0 ? 0LL : (long long)memory->cluster[lines[i].issue], lines[i].n,
		    lines[i].title == NULL ? "" : lines[i].title);
	return 0;
}
