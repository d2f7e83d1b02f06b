/* Texts into which the texts they include are inserted, and the cache key of these (store/include.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/json.h"
#include "store/include.h"

/* A text whose id is a letter; `more` counts how often it was rewritten. */
struct text {
	char        id;
	const char *body;
	const char *names;   /* the texts it includes, one letter each */
	int         more;
};

struct shelf {
	struct arena *arena;
	struct text  *texts;
	int           asked;   /* number of reads */
};

/* The link map {"a":{"kind":"reusable-content",…}}: texts are spelled by their ids. */
static struct link_map
map_of(struct arena *a, const char *names)
{
	const char *json = "{";

	for (const char *p = names; *p != '\0'; p++)
		json = arena_printf(a, "%s%s\"%c\":{\"kind\":\"reusable-content\",\"reusableContent\":\"%c\"}", json, p == names ? "" : ",", *p, *p);
	return link_map_read(a, str_of(arena_printf(a, "%s}", json)));
}

static bool
get(void *ctx, const char *id, bool bytes, struct include_text *out)
{
	struct shelf *s = ctx;
	struct text *t;

	s->asked += bytes;
	for (t = s->texts; t->id != '\0' && t->id != *id; t++)
		;
	if (t->id == '\0')
		return false;
	*out = (struct include_text){ .body = str_of(t->body), .hash = str_of(arena_printf(s->arena, "%c%d.", t->id, t->more)),
		.map = map_of(s->arena, t->names) };
	return true;
}

static struct shelf
shelf(void **state, struct text *texts)
{
	struct arena *a = *state;

	json_arena(a);
	return (struct shelf){ .arena = a, .texts = texts };
}

static const char *
body(struct shelf *s, const char *text, const char *names)
{
	struct include_source source = { .get = get, .ctx = s };
	struct link_map map = map_of(s->arena, names);
	struct str out = include_body(s->arena, &source, "self", str_of(text), &map);

	return arena_strndup(s->arena, out.p, out.n);
}

static const char *
key(struct shelf *s, const char *names)
{
	struct include_source source = { .get = get, .ctx = s };
	struct link_map map = map_of(s->arena, names);
	struct str out = include_key(s->arena, &source, "self", &map);

	return arena_strndup(s->arena, out.p, out.n);
}

#define TAG(x) "{% include \"" x "\" %}"

/* The key names directly and indirectly included texts, each once, without reading their bytes. */
static void
a_key_names_each_included_text_once(void **state)
{
	struct text texts[] = { { 'a', "", "b", 0 }, { 'b', "", "c", 0 }, { 'c', "", "", 0 }, { 'd', "", "c", 0 }, { 0 } };
	struct shelf s = shelf(state, texts);
	const char *before = key(&s, "a");

	assert_string_equal(before, "a0.b0.c0.");
	texts[2].more = 1;
	assert_string_equal(key(&s, "a"), "a0.b0.c1.");
	assert_string_equal(key(&s, "ad"), "a0.b0.c1.d0.");
	assert_string_equal(key(&s, "x"), "");
	assert_int_equal(s.asked, 0);
	json_arena(NULL);
}

/* The key is finite for circles, and for more levels than are inserted. */
static void
a_key_ends_in_circles(void **state)
{
	struct text circle[] = { { 'a', "", "b", 0 }, { 'b', "", "a", 0 }, { 0 } };
	struct text deep[27] = { { 0 } };
	struct shelf s = shelf(state, circle);

	assert_string_equal(key(&s, "a"), "a0.b0.");
	for (int i = 0; i < 26; i++)
		deep[i] = (struct text){ (char)('a' + i), "", i < 25 ? arena_printf(s.arena, "%c", 'b' + i) : "", 0 };
	s.texts = deep;
	assert_string_equal(key(&s, "a"), "a0.b0.c0.d0.e0.f0.g0.");
	json_arena(NULL);
}

static void
included_texts_are_put_in(void **state)
{
	struct text texts[] = { { 'a', "One\n\n" TAG("b") "\n", "b", 0 }, { 'b', "Two\n", "", 0 }, { 0 } };
	struct shelf s = shelf(state, texts);

	assert_string_equal(body(&s, TAG("a") "\n", "a"), "One\n\nTwo\n");
	assert_string_equal(body(&s, TAG("x") "\n", "x"), TAG("x") "\n");
	json_arena(NULL);
}

/* A text that includes itself stays a tag at the inner place; side by side it may be included twice. */
static void
a_text_in_a_circle_stays_a_tag(void **state)
{
	struct text texts[] = { { 'a', "A\n\n" TAG("b") "\n", "b", 0 }, { 'b', "B\n\n" TAG("a") "\n", "a", 0 }, { 'c', "C\n", "", 0 }, { 0 } };
	struct shelf s = shelf(state, texts);

	assert_string_equal(body(&s, TAG("a") "\n", "a"), "A\n\nB\n\n" TAG("a") "\n");
	assert_string_equal(body(&s, TAG("c") "\n\n" TAG("c") "\n", "c"), "C\n\nC\n");
	json_arena(NULL);
}

/* Beyond the limits of depth and size a text stays a tag. */
static void
a_text_beyond_the_limits_stays_a_tag(void **state)
{
	struct text deep[27] = { { 0 } }, large[] = { { 'l', NULL, "", 0 }, { 0 } };
	struct shelf s = shelf(state, deep);
	char *text = arena_bytes(s.arena, (5 << 20) + 1);
	const char *out;

	for (int i = 0; i < 25; i++)
		deep[i] = (struct text){ (char)('a' + i), arena_printf(s.arena, "(%c)\n\n{%% include \"%c\" %%}\n", 'a' + i, 'b' + i),
			arena_printf(s.arena, "%c", 'b' + i), 0 };
	out = body(&s, TAG("a") "\n", "a");
	assert_non_null(strstr(out, "(g)"));
	assert_null(strstr(out, "(h)"));
	assert_non_null(strstr(out, TAG("h")));
	memset(text, 'x', 5 << 20);
	text[5 << 20] = '\0';
	large[0].body = text;
	s.texts = large;
	out = body(&s, TAG("l") "\n\n" TAG("l") "\n", "l");
	assert_int_equal(strspn(out, "x"), 5 << 20);
	assert_string_equal(out + (5 << 20), "\n\n" TAG("l") "\n");
	json_arena(NULL);
}

static int
setup(void **state)
{
	*state = arena_new(512 << 20);
	return 0;
}

static int
teardown(void **state)
{
	arena_free(*state);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_key_names_each_included_text_once, setup, teardown),
		cmocka_unit_test_setup_teardown(a_key_ends_in_circles, setup, teardown),
		cmocka_unit_test_setup_teardown(included_texts_are_put_in, setup, teardown),
		cmocka_unit_test_setup_teardown(a_text_in_a_circle_stays_a_tag, setup, teardown),
		cmocka_unit_test_setup_teardown(a_text_beyond_the_limits_stays_a_tag, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
