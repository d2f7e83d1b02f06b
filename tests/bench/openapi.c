/*
 * What reading and checking a description of an API costs, next to parsing the
 * same bytes with cJSON: bench_openapi FILE prints "seconds seconds bytes bytes",
 * ours first; bench_openapi FILE check prints what is wrong with it.
 */
#include <cjson/cJSON.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "openapi/parts.h"

static double
seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
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

int
main(int argc, char **argv)
{
	const struct openapi_input in = { .limits = { 64 << 20, 2000000, 128 }, .files = 1 };
	struct arena *a = arena_new((size_t)4 << 30);
	struct openapi_file file = { .uri = "" };
	struct schema_report report;
	struct schema_error *e;
	enum openapi_version version;
	const char *why = NULL;
	double t[5];
	struct openapi_parts parts = { NULL };
	struct openapi_operation *o;
	struct openapi_page *p;
	size_t n = 0, bytes = 0;

	file.text = file_text(argv[1]);
	schema_report_init(&report, a, 20);
	t[0] = seconds();
	file.root = value_read(a, file.text, &in.limits, &why);
	t[1] = seconds();
	if (file.root == NULL || (version = openapi_recognise(a, file.root, &why)) == OPENAPI_NONE) {
		printf("%s\n", why);
		return 1;
	}
	schema_check(openapi_schema(a, version), file.root, &report);
	t[2] = seconds();
	openapi_follow(a, &file, &in, &report);
	t[3] = seconds();
	if (report.count == 0)
		openapi_take_apart(a, file.root, version, &parts);
	t[4] = seconds();
	for (o = parts.operations; o != NULL; o = o->next) {
		n++;
		bytes += o->data.n;
		if (argc > 2 && strcmp(argv[2], o->id) == 0)
			printf("%.*s\n", (int)o->data.n, o->data.p);
	}
	for (p = parts.pages; p != NULL; p = p->next)
		if (argc > 2 && strcmp(argv[2], "pages") == 0)
			printf("%s %s %s\n", p->kind, p->slug, p->title);
	for (e = report.first; e != NULL; e = e->next)
		printf("%s: %s\n", e->pointer, e->message);
	printf("version %d, %zu errors; read %.3f check %.3f follow %.3f apart %.3f: %zu operations, %zu bytes; %zu bytes\n", version, report.count,
	    t[1] - t[0], t[2] - t[1], t[3] - t[2], t[4] - t[3], n, bytes, arena_used(a));
	t[0] = seconds();
	cJSON *c = cJSON_ParseWithLength(file.text.p, file.text.n);
	printf("cJSON %.3f, %zu bytes\n", seconds() - t[0], (size_t)mallinfo2().uordblks);
	cJSON_Delete(c);
	return report.count > 0;
}
