/*
 * Requirements of the API's description for every route and every field: a text, examples that the
 * service itself would accept, names, types. Each fault names the place and what to add; all faults
 * are printed at once.
 */
#include <stdio.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "api/routes.h"
#include "http/req.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { MANY = 1000 };

static const struct shape *all[MANY];
static size_t              count, faults;
static bool                quiet;   /* faults are counted, but not printed */

/* Prints a fault; the test fails at its end. */
static void fault(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void
fault(const char *fmt, ...)
{
	va_list ap;

	faults++;
	if (quiet)
		return;
	fputs("  - ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static void collect(const struct shape *s);

static void
collect_field(const struct field *f)
{
	if (f->of != NULL)
		collect(f->of);
	if (f->item != NULL)
		collect_field(f->item);
}

/* Collects all shapes that can be reached from a shape, each once. */
static void
collect(const struct shape *s)
{
	const struct field *f;
	size_t i;

	for (i = 0; i < count; i++)
		if (all[i] == s)
			return;
	assert_true(count < MANY);
	all[count++] = s;
	for (i = 0; s->one_of != NULL && s->one_of[i] != NULL; i++)
		collect(s->one_of[i]);
	for (f = s->fields; f != NULL && f->name != NULL; f++)
		collect_field(f);
}

static int
collect_all(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < octavo_app.count; i++) {
		const struct route *row = &octavo_app.routes[i];
		if (row->query != NULL)
			collect(row->query);
		if (row->body != NULL)
			collect(row->body);
		if (row->reply != NULL)
			collect(row->reply);
	}
	return 0;
}

static void
none(void)
{
	size_t n = faults;

	faults = 0;
	if (n > 0)
		fail_msg("%zu faults, told above", n);
}

static bool
is_text(const char *s)
{
	return s != NULL && strlen(s) > 2;
}

/* The description of a name; NULL: none. */
static const struct described *
known(const struct described *list, const char *name, size_t n)
{
	for (; list->name != NULL; list++)
		if (strlen(list->name) == n && strncmp(list->name, name, n) == 0 && is_text(list->doc))
			return list;
	return NULL;
}

static void
check_path(const struct route *row)
{
	const struct described *d;
	const char *p, *end;
	size_t n;

	for (p = strchr(row->path, '{'); p != NULL; p = strchr(end, '{')) {
		end = strchr(p, '}');
		n = (size_t)(end - p - 1) - (end[-1] == '.' ? 3 : 0);
		d = known(octavo_app.parameters, p + 1, n);
		if (d == NULL || !is_text(d->example))
			fault("%s: what {%.*s} means is not said: add it to describe_parameters "
			    "in src/api/describe.c, with an example", row->operation, (int)n, p + 1);
	}
}

static void
every_route_is_described(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < octavo_app.count; i++) {
		const struct route *row = &octavo_app.routes[i];
		if (!is_text(row->summary))
			fault("%s has no summary: write one in src/routes.def", row->operation);
		if (!is_text(row->about) || strchr(".)", row->about[strlen(row->about) - 1]) == NULL)
			fault("%s has no description: end its row in src/routes.def with a sentence or two",
			    row->operation);
		if (row->about != NULL && row->summary != NULL && strcmp(row->about, row->summary) == 0)
			fault("%s: its description says no more than its summary", row->operation);
		if (row->tag == NULL || known(octavo_app.tags, row->tag, strlen(row->tag)) == NULL)
			fault("%s: the tag \"%s\" is none of describe_tags in src/api/describe.c",
			    row->operation, row->tag != NULL ? row->tag : "");
		if (known(octavo_app.rules, row->rule, strlen(row->rule)) == NULL)
			fault("%s: what %s takes is not said: add it to describe_rules in src/api/describe.c",
			    row->operation, row->rule);
		check_path(row);
	}
	none();
}

static void
every_field_is_described(void **state)
{
	const struct field *f;
	size_t i;

	(void)state;
	for (i = 0; i < count; i++)
		for (f = all[i]->fields; f != NULL && f->name != NULL; f++) {
			if (!is_text(f->doc))
				fault("%s.%s has no description: add .doc = \"what it means\" to its row",
				    all[i]->name, f->name);
			else if (strcmp(f->doc, f->name) == 0)
				fault("%s.%s: its description says no more than its name", all[i]->name, f->name);
			if (!field_has_example(f))
				fault("%s.%s has no example: add .example = \"…\" to its row (a string as it is, "
				    "anything else as JSON)", all[i]->name, f->name);
		}
	none();
}

/* Checks the field's example against the field itself. */
static void
check_example(const struct shape *s, const struct field *f)
{
	struct field alone[2] = { *f, { 0 } };
	struct shape one = { .name = s->name, .fields = alone };
	struct arena *a = arena_new(16 << 20);
	struct faults fs;
	struct json j;
	struct buf b;
	cJSON *v;

	alone[0].flags &= ~(unsigned)F_TYPE_ONLY;
	faults_init(&fs, a);
	buf_init(&b, a, 1 << 20);
	json_init(&j, &b);
	json_obj(&j);
	json_key(&j, f->name);
	field_example(&j, f);
	json_end(&j);
	v = cJSON_ParseWithLength(b.p, b.n);
	if (v == NULL)
		fault("%s.%s: its example is no JSON: %s", s->name, f->name, b.p);
	else if (!shape_check(&fs, &one, v, ""))
		fault("%s.%s: its example is wrong: %s %s", s->name, f->name, fs.first->path, fs.first->message);
	cJSON_Delete(v);
	arena_free(a);
}

static void
every_example_fits_its_field(void **state)
{
	const struct field *f;
	size_t i;

	(void)state;
	for (i = 0; i < count; i++)
		for (f = all[i]->fields; f != NULL && f->name != NULL; f++)
			if (field_has_example(f))
				check_example(all[i], f);
	none();
}

static void
no_name_is_used_twice(void **state)
{
	size_t i, k;

	(void)state;
	for (i = 0; i < count; i++)
		for (k = i + 1; k < count; k++)
			if (strcmp(all[i]->name, all[k]->name) == 0)
				fault("two shapes have the name %s: share one of them, or give it another name",
				    all[i]->name);
	none();
}

static bool
typed(const struct field *f)
{
	switch (f->type) {
	case T_ANY:    return false;
	case T_OBJECT: return f->of != NULL;
	case T_LIST:
	case T_MAP:    return f->of != NULL || (f->item != NULL && typed(f->item));
	case T_EITHER: return f->of != NULL && f->item != NULL;
	case T_CONST:
	case T_ENUM:   return f->set != NULL;
	default:       return true;
	}
}

static void
every_field_has_a_type(void **state)
{
	const struct field *f;
	size_t i;

	(void)state;
	for (i = 0; i < count; i++) {
		const struct shape *s = all[i];
		for (f = s->fields; f != NULL && f->name != NULL; f++)
			if (!typed(f))
				fault("%s.%s is of any type: give it a shape (.of), with F_TYPE_ONLY where the "
				    "handler checks what is in it", s->name, f->name);
		/* Only AnyObject may leave its members open: they are free by specification. */
		if (s->fields != NULL && s->fields->name == NULL && (s->flags & SHAPE_OPEN) != 0 &&
		    strcmp(s->name, "AnyObject") != 0)
			fault("%s says nothing of its members: give it fields", s->name);
	}
	none();
}

/* The whole document: it is JSON, and every reference in it can be resolved. */
static void
follow(const cJSON *root, const cJSON *v, size_t *seen)
{
	const cJSON *child, *to = root;
	const char *p;
	char name[200];
	size_t n;

	if (cJSON_IsString(v) && v->string != NULL && strcmp(v->string, "$ref") == 0) {
		assert_int_equal(strncmp(v->valuestring, "#/", 2), 0);
		for (p = v->valuestring + 2; to != NULL && *p != '\0'; p += n + (p[n] == '/')) {
			n = strcspn(p, "/");
			snprintf(name, sizeof(name), "%.*s", (int)n, p);
			to = cJSON_GetObjectItemCaseSensitive(to, name);
		}
		if (to == NULL)
			fault("%s leads nowhere", v->valuestring);
		++*seen;
	}
	cJSON_ArrayForEach(child, v)
		follow(root, child, seen);
}

static void
the_document_is_complete(void **state)
{
	struct arena *a = arena_new(64 << 20);
	size_t seen = 0;
	struct json j;
	struct buf b;
	cJSON *v;

	(void)state;
	buf_init(&b, a, 16 << 20);
	json_init(&j, &b);
	openapi_write(&j, &octavo_app, "http://127.0.0.1");
	v = cJSON_ParseWithLength(b.p, b.n);
	assert_non_null(v);
	follow(v, v, &seen);
	assert_true(seen > 1000);
	cJSON_Delete(v);
	arena_free(a);
	none();
}

/* Checks that the checks above detect faults. */
static void
the_checks_find_their_faults(void **state)
{
	static const struct field bad = { "x", T_INT, .min = 1, .max = 9, .doc = "A number", .example = "10" };
	static const struct field loose[] = { { "x", T_ANY }, { "x", T_LIST }, { "x", T_OBJECT }, { "x", T_TEXT } };
	struct shape s = { .name = "Bad" };
	size_t before;

	(void)state;
	before = faults;
	quiet = true;
	check_example(&s, &bad);
	quiet = false;
	assert_int_equal(faults, before + 1);
	faults = 0;
	assert_false(typed(&loose[0]));
	assert_false(typed(&loose[1]));
	assert_false(typed(&loose[2]));
	assert_false(field_has_example(&loose[3]));
	assert_null(known(octavo_app.tags, "Space", 5));
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(every_route_is_described),
	cmocka_unit_test(every_field_is_described),
		cmocka_unit_test(every_example_fits_its_field), cmocka_unit_test(no_name_is_used_twice),
		cmocka_unit_test(every_field_has_a_type),
		cmocka_unit_test(the_document_is_complete), cmocka_unit_test(the_checks_find_their_faults) };

	return cmocka_run_group_tests(tests, collect_all, NULL);
}
