/*
 * Lists of people, for test_access_model.c: compares with the model what a member sees of other
 * members, and who can read a place, with random page sizes.
 */
#ifndef OCTAVO_ACCESS_PEOPLE_H
#define OCTAVO_ACCESS_PEOPLE_H

#include "access_fixture.h"

static const char *
text_of(const cJSON *item, const char *name)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, name));
}

static int
number_of(const cJSON *item, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(item, name)->valueint;
}

/* Index of the user with this id. */
static int
whose(struct world *w, const char *id)
{
	int u = 0;

	while (u < USERS && strcmp(w->user[u], id) != 0)
		u++;
	assert_true(u < USERS);
	return u;
}

/* A list that must contain exactly these users, each once, over all its pages; item() checks each entry. */
struct people {
	const char *uri;                    /* with its query string */
	int         n;
	bool        in[USERS];
	int         org, place, reader;     /* for item() */
	int       (*item)(struct world *w, const struct people *l, const cJSON *item);  /* returns the entry's user */
};

static void
look_at_pages(struct world *w, struct people *l)
{
	char page[400] = "";
	const char *next = "", *uri = arena_strdup(w->keep, l->uri);
	int found = 0, limit = 1 + roll(w, USERS), u;
	const cJSON *item;

	while (next != NULL) {
		call(w, l->reader, "GET", NULL, "%s&limit=%d%s", uri, limit, page);
		want(w, 200, uri);
		assert_int_equal(number_of(w->answer, "count"), l->n);
		cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(w->answer, "items")) {
			u = l->item(w, l, item);
			if (!l->in[u])
				fail_msg("seed %d step %d: user %d in %s", w->seed, w->step, u, uri);
			l->in[u] = false;
			found++;
		}
		next = text_of(cJSON_GetObjectItemCaseSensitive(w->answer, "next"), "page");
		snprintf(page, sizeof(page), "&page=%s", next != NULL ? next : "");
	}
	assert_int_equal(found, l->n);
}

/* Number of spaces that both users may read. */
static int
shared_spaces(const struct world *w, int org, int u, int other)
{
	int i, n = 0;

	for (i = 0; i < w->places; i++)
		n += w->place[i].alive && w->place[i].space && w->place[i].org == org &&
		    role_on(w, i, u) >= 1 && role_on(w, i, other) >= 1;
	return n;
}

static int
member_item(struct world *w, const struct people *l, const cJSON *item)
{
	int u = whose(w, text_of(item, "id"));

	assert_int_equal(number_of(item, "spaces"), shared_spaces(w, l->org, l->reader, u));
	return u;
}

/* Compares the members of an organization, under a random filter and in a random order. */
static void
look_at_members(struct world *w, int org, int reader)
{
	static const char *const roles[] = { "guest", "read", "comment", "edit", "review", "create", "admin" };
	int role = roll(w, 14), who = roll(w, 3 * USERS), u;   /* values beyond the last one: no filter */
	bool seen = roll(w, 3) == 0;
	struct people l = { .org = org, .reader = reader, .item = member_item };

	if (acts(w, org, reader) < 1)
		return;
	for (u = 0; u < USERS; u++) {
		l.in[u] = w->member[org][u] != NOBODY && (role > 6 || w->member[org][u] == role) &&
		    (who >= USERS || who == u) && (!seen || (w->seen[org][u] && !w->off[org][u]));
		l.n += l.in[u];
	}
	l.uri = arena_printf(w->keep, "/v1/orgs/%s/members?order=%s%s%s%s%s", w->org[org],
	    roll(w, 2) == 0 ? "asc" : "desc", role > 6 ? "" : "&role=", role > 6 ? "" : roles[role],
	    seen ? "&sort=lastSeenAt" : "", who >= 2 * USERS ? "" : who >= USERS ? "&search=SER" :
	    arena_printf(w->keep, "&search=uSER%d%%40", who));
	look_at_pages(w, &l);
}

/* Compares the spaces that `u` may see of another member, and their number. */
static void
look_at_member(struct world *w, int org, int u, int other)
{
	int n;

	call(w, u, "GET", NULL, "/v1/orgs/%s/members/%s", w->org[org], w->user[other]);
	if (acts(w, org, u) == NOBODY || (acts(w, org, u) == 0 && u != other)) {
		want(w, acts(w, org, u) == NOBODY ? 404 : 403, "member");
		return;
	}
	want(w, w->member[org][other] == NOBODY ? 404 : 200, "member");
	if (w->status != 200)
		return;
	n = shared_spaces(w, org, u, other);
	assert_int_equal(number_of(w->answer, "spaces"), n);
	call(w, u, "GET", NULL, "/v1/orgs/%s/members/%s/spaces?limit=%d", w->org[org], w->user[other],
	    roll(w, 2) * 1000);
	assert_int_equal(number_of(w->answer, "count"), n);
	if (cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(w->answer, "items")) > 0)
		assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(w->answer, "items")), n);
}

static int
reader_item(struct world *w, const struct people *l, const cJSON *item)
{
	int u = whose(w, text_of(cJSON_GetObjectItemCaseSensitive(item, "user"), "id"));
	const char *role = role_json(role_on(w, l->place, u));

	assert_memory_equal(role + 1, text_of(item, "permission"), strlen(role) - 2);
	return u;
}

/* Compares who can read a place, and with which role. */
static void
look_at_readers(struct world *w, int p, int reader)
{
	struct place *x = &w->place[p];
	int role = roll(w, 12), u;
	struct people l = { .place = p, .reader = reader, .item = reader_item };

	call(w, reader, "GET", NULL, "/v1/%s/%s/permissions/aggregate", kind_of(x), x->id);
	want(w, !x->alive || role_on(w, p, reader) < 1 ? 404 : under_cap(w, role_on(w, p, reader)) < 5 ? 403 : 200,
	    "readers");
	if (w->status != 200)
		return;
	for (u = 0; u < USERS; u++) {
		l.in[u] = role_on(w, p, u) >= 1 && (role < 1 || role > 6 || role_on(w, p, u) == role);
		l.n += l.in[u];
	}
	l.uri = arena_printf(w->keep, "/v1/%s/%s/permissions/aggregate?%s%.*s", kind_of(x), x->id,
	    role < 1 || role > 6 ? "x" : "role=", role < 1 || role > 6 ? 0 : (int)strlen(role_json(role)) - 2,
	    role_json(role) + 1);
	look_at_pages(w, &l);
}

#endif
