/*
 * The cost of an API description: bench_openapi FILE process reads it, checks it and divides it
 * into parts, bench_openapi FILE cjson parses the same bytes with cJSON. Each prints the
 * microseconds of processor time, and the peak memory in KiB above that of the program and the
 * bytes before.
 *
 * bench_openapi FILE check prints the faults of a description; bench_openapi FILE pages and
 * bench_openapi FILE ID print its parts.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "openapi/parts.h"

static double
microseconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static long
peak(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return u.ru_maxrss;
}

static struct str
file_text(const char *path)
{
	FILE *f = fopen(path, "r");
	struct str s = { NULL, 0 };
	char *p;

	if (f == NULL)
		exit(2);
	fseek(f, 0, SEEK_END);
	p = malloc((size_t)ftell(f) + 1);
	rewind(f);
	s.n = fread(p, 1, 1 << 30, f);
	p[s.n] = '\0';
	fclose(f);
	s.p = p;
	return s;
}

static void
show(const struct openapi_parts *parts, const char *what)
{
	const struct openapi_operation *o;
	const struct openapi_page *p;

	for (o = parts->operations; o != NULL; o = o->next)
		if (strcmp(what, o->id) == 0)
			printf("%.*s\n", (int)o->data.n, o->data.p);
	for (p = parts->pages; p != NULL && strcmp(what, "pages") == 0; p = p->next)
		printf("%s %s %s\n", p->kind, p->slug, p->title);
}

static int
process(struct arena *a, struct str text, const char *what)
{
	const struct openapi_input in = { .limits = { 64 << 20, 3000000, 128 }, .files = 1 };
	struct openapi_file file = { .uri = "", .text = text };
	struct openapi_parts parts;
	struct schema_report report;
	struct schema_error *e;
	enum openapi_version version;
	const char *why = NULL;

	schema_report_init(&report, a, 100);
	file.root = value_read(a, text, &in.limits, &why);
	if (file.root == NULL || (version = openapi_recognise(a, file.root, &why)) == OPENAPI_NONE) {
		printf("%s\n", why);
		return 1;
	}
	schema_check(openapi_schema(a, version), file.root, &report);
	openapi_follow(a, &file, &in, &report);
	for (e = report.first; e != NULL && strcmp(what, "check") == 0; e = e->next)
		printf("%s: %s\n", e->pointer, e->message);
	openapi_take_apart(a, file.root, version, &parts);
	show(&parts, what);
	return 0;
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_new((size_t)4 << 30);
	struct str text;
	double from;
	long before;
	int rc = 0;

	if (argc != 3)
		return 2;
	text = file_text(argv[1]);
	before = peak();
	from = microseconds();
	if (strcmp(argv[2], "cjson") == 0)
		rc = cJSON_ParseWithLength(text.p, text.n) == NULL;
	else
		rc = process(a, text, argv[2]);
	if (strcmp(argv[2], "cjson") == 0 || strcmp(argv[2], "process") == 0)
		printf("%.0f %ld\n", microseconds() - from, peak() - before);
	return rc;
}
