/*
 * Judgements of searches, and the quality of a ranking by them.
 *
 * Each line of a file of judgements has: space title, query, page path, grade (3: the page that
 * answers it, 2: answers it too, 1: helps), separated by tabs; lines of one query follow each
 * other. Pages without a line are worth 0. nDCG uses gains 2^grade - 1 over the first TOP results.
 */
#ifndef OCTAVO_NDCG_H
#define OCTAVO_NDCG_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

enum { TOP = 10, MAX_LINES = 4000 };

struct line {
	char *space, *query, *path;
	int   grade;
};

/* Returns the next column and advances *rest; NULL: there is none. */
static inline char *
column(char **rest)
{
	char *text = *rest, *end;

	if (text == NULL || *text == '\0')
		return NULL;
	end = text + strcspn(text, "\t\n");
	*rest = *end == '\0' ? end : end + 1;
	*end = '\0';
	return text;
}

/* Reads a file into list, which has room for MAX_LINES; ends the program at an invalid line. */
static inline size_t
read_lines(struct arena *a, const char *file, struct line *list)
{
	FILE *f = fopen(file, "r");
	char *text = NULL, *rest, *grade;
	size_t room = 0, n = 0;

	while (f != NULL && n < MAX_LINES && getline(&text, &room, f) > 0) {
		struct line *l = &list[n];
		if (*text == '#' || *text == '\n')
			continue;
		rest = arena_strdup(a, text);
		l->space = column(&rest);
		l->query = column(&rest);
		l->path = column(&rest);
		if ((grade = column(&rest)) == NULL || *grade < '1' || *grade > '3') {
			fprintf(stderr, "%s: not space, query, path, grade: %s\n", file, text);
			exit(2);
		}
		l->grade = *grade - '0';
		n++;
	}
	free(text);
	if (f != NULL)
		fclose(f);
	return n;
}

/* Number of lines in l[0..n) that belong to the query of the first. */
static inline size_t
query_lines(const struct line *l, size_t n)
{
	size_t k = 0;

	while (k < n && strcmp(l[k].query, l->query) == 0 && strcmp(l[k].space, l->space) == 0)
		k++;
	return k;
}

static inline double
gain(int grade, size_t rank)
{
	return (pow(2, grade) - 1) / log2((double)rank + 2);
}

static inline int
by_grade(const void *x, const void *y)
{
	return *(const int *)y - *(const int *)x;
}

static inline int
grade_of(const struct line *l, size_t n, const char *path)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (strcmp(l[i].path, path) == 0)
			return l[i].grade;
	return 0;
}

/* nDCG of a ranking's paths, best first; *first: position of the first page of grade 3, from 1; 0: none. */
static inline double
ndcg(const struct line *l, size_t n, const char *const *paths, size_t count, int *first)
{
	int ideal[MAX_LINES];
	double dcg = 0, best = 0;
	size_t i;

	*first = 0;
	for (i = 0; i < count && i < TOP; i++) {
		int g = grade_of(l, n, paths[i]);
		dcg += gain(g, i);
		if (g == 3 && *first == 0)
			*first = (int)i + 1;
	}
	for (i = 0; i < n; i++)
		ideal[i] = l[i].grade;
	qsort(ideal, n, sizeof(ideal[0]), by_grade);
	for (i = 0; i < n && i < TOP; i++)
		best += gain(ideal[i], i);
	return dcg / best;
}

#endif
