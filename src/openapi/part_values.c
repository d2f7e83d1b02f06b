/* Reads values of a description for all files that write parts. Contracts: parts_inside.h. */
#include "parts_inside.h"

const char *
line_of(struct arena *a, struct str s, size_t max)
{
	size_t n = s.n < max ? s.n : max, i;
	char *out;

	while (n > 0 && n < s.n && ((unsigned char)s.p[n] & 0xC0) == 0x80)
		n--;
	out = arena_strndup(a, s.n == 0 ? "" : s.p, n);
	for (i = 0; i < n; i++)
		if ((unsigned char)out[i] < ' ')
			out[i] = ' ';
	return out;
}

bool
is_internal(const struct value *v)
{
	return value_is(value_get(v, "x-internal"), VALUE_TRUE) || value_is(value_get(v, "x-gitbook-ignore"), VALUE_TRUE);
}

const struct value *
get_dereferenced(const struct value *m, const char *key)
{
	return openapi_deref(value_get(m, key));
}

const struct value *
named_schema(struct part_writer *t, const struct value *target)
{
	return target == NULL ? NULL : map_get(t->names, (struct str){ (const char *)&target, sizeof(target) });
}

struct parameters
collect_parameters(struct part_writer *t, const struct located_operation *f)
{
	const struct value *const lists[] = { value_get(f->op, "parameters"), value_get(f->item, "parameters") };
	/* Room for all parameters of both lists. */
	struct parameters out = { arena_array(t->arena, (lists[0] != NULL ? lists[0]->n : 0) +
	    (lists[1] != NULL ? lists[1]->n : 0), sizeof(*out.at)), 0 };
	struct map *seen = map_new(t->arena);
	const struct value *p, *m;
	size_t i;

	for (i = 0; i < 2; i++) {
		for (m = value_is(lists[i], VALUE_LIST) ? lists[i]->first : NULL; m != NULL; m = m->next) {
			/*
			 * The operation's list comes first, so that its parameters replace those of
			 * the path item with the same place and name (OpenAPI, "Operation Object").
			 */
			p = openapi_deref(m);
			if (p != NULL && map_add(seen, str_of(arena_printf(t->arena, "%.*s %.*s",
			    (int)value_text(value_get(p, "in")).n, value_text(value_get(p, "in")).p,
			    (int)value_text(value_get(p, "name")).n, value_text(value_get(p, "name")).p)), NULL))
				out.at[out.n++] = p;
		}
	}
	return out;
}
