/*
 * The access model for test_access_model.c: people, teams, collections and spaces in a few arrays,
 * the rules in role_on(), and calls of the API itself (dispatch, with the request in memory). The
 * model never reads the database.
 */
#ifndef OCTAVO_ACCESS_FIXTURE_H
#define OCTAVO_ACCESS_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "api/routes.h"
#include "../temp_dir.h"
#include "base/arena.h"
#include "app/people.h"
#include "http/req.h"

/* After req.h, because cmocka defines a macro fail. */
#include <cmocka.h>

enum { ORGS = 2, USERS = 6, TEAMS = 4, PLACES = 40, SEEDS = 16, STEPS = 800, NOBODY = -1, SCOPES = 3 };

static const struct { const char *scope; int cap; } scopes[SCOPES] = { { "admin", 6 }, { "write", 5 },
	{ "read", 1 } };

/* ---- the model ---- */

struct place {
	bool    space, alive;
	int     org, parent;                  /* -1: at the top */
	int     level;                        /* -1 inherits, 0 none, otherwise a role */
	int     user[USERS], team[TEAMS];     /* grants, 0: none */
	double  ord;                          /* among its siblings */
	char    id[32];
};

struct world {
	struct db       *db;
	struct settings *set;
	struct arena    *arena;              /* reset after each request */
	struct arena    *keep;
	char             dir[TEMP_MAX];
	char            *token[USERS][SCOPES], *user[USERS], *org[ORGS];
	int              cap;                    /* highest role the token in use allows; 1 = read only */
	int              member[ORGS][USERS];    /* NOBODY, 0 for a guest, otherwise a role */
	bool             off[ORGS][USERS];       /* disabled */
	bool             seen[ORGS][USERS];      /* has pinged as a member */
	int              team_org[TEAMS];
	char             team[TEAMS][32];
	int              in_team[TEAMS][USERS];  /* 0 not, 1 member, 2 owner */
	struct place     place[PLACES];
	int              places;
	double           ord;                    /* highest order number assigned so far */
	unsigned         rng;
	int              seed, step;
	long             calls;
	int              status;                 /* of the last response */
	cJSON           *answer;
};

static int
roll(struct world *w, int n)
{
	w->rng = w->rng * 1664525u + 1013904223u;
	return (int)((w->rng >> 8) % (unsigned)n);
}

/* Level that the place itself sets for a user; -1: the user inherits. */
static int
level_on(const struct world *w, int p, int u)
{
	const struct place *x = &w->place[p];
	int t, best = 0;

	if (x->user[u] > 0)
		return x->user[u];
	for (t = 0; t < TEAMS; t++)
		if (w->in_team[t][u] > 0 && x->team[t] > best)
			best = x->team[t];
	return best > 0 ? best : x->level;
}

/* Role of a user in an organization; NOBODY if the user is not a member or is disabled. */
static int
acts(const struct world *w, int org, int u)
{
	return w->off[org][u] ? NOBODY : w->member[org][u];
}

/*
 * Role of a user on a place. NOBODY and 0: the user cannot see it. A deleted place still passes its
 * levels on to the places inside it.
 */
static int
role_on(const struct world *w, int p, int u)
{
	int m = acts(w, w->place[p].org, u);

	if (m == NOBODY || m == 6)
		return m;
	for (; p >= 0; p = w->place[p].parent)
		if (level_on(w, p, u) >= 0)
			return level_on(w, p, u);
	return m;
}

/* The role, reduced to what the token in use allows. */
static int
under_cap(const struct world *w, int role)
{
	return role > w->cap ? w->cap : role;
}

static bool
is_below(const struct world *w, int p, int above)
{
	for (; p >= 0; p = w->place[p].parent)
		if (p == above)
			return true;
	return false;
}

/* ---- calling the API ---- */

struct call {
	struct io   io;
	const char *method, *uri, *bearer, *body;
	size_t      at;
	struct buf  out;
};

static const char *
call_param(struct io *io, const char *name)
{
	struct call *c = (struct call *)io;
	const char *query = strchr(c->uri, '?');

	if (strcmp(name, "REQUEST_METHOD") == 0)
		return c->method;
	if (strcmp(name, "REQUEST_URI") == 0)
		return c->uri;
	if (strcmp(name, "QUERY_STRING") == 0)
		return query != NULL ? query + 1 : "";
	if (strcmp(name, "HTTP_AUTHORIZATION") == 0)
		return c->bearer;
	return strcmp(name, "CONTENT_TYPE") == 0 ? "application/json" : NULL;
}

static long
call_read(struct io *io, void *p, size_t n)
{
	struct call *c = (struct call *)io;
	size_t left = c->body == NULL ? 0 : strlen(c->body) - c->at;

	n = n < left ? n : left;
	if (n > 0)
		memcpy(p, c->body + c->at, n);
	c->at += n;
	return (long)n;
}

static bool
call_write(struct io *io, const void *p, size_t n)
{
	buf_add(&((struct call *)io)->out, p, n);
	return true;
}

static int
call(struct world *w, int user, const char *method, const char *body, const char *fmt, ...)
{
	struct call c = { .io = { call_param, call_read, call_write }, .method = method, .body = body };
	struct req *r;
	const char *text;
	va_list ap;
	int scope;

	arena_reset(w->arena);
	cJSON_Delete(w->answer);
	va_start(ap, fmt);
	c.uri = arena_vprintf(w->arena, fmt, ap);
	va_end(ap);
	for (scope = 0; scopes[scope].cap != w->cap; scope++)
		;
	c.bearer = arena_printf(w->arena, "Bearer %s", w->token[user][scope]);
	buf_init(&c.out, w->arena, 64 << 20);
	r = arena_alloc(w->arena, sizeof(*r));
	r->io = &c.io;
	r->arena = w->arena;
	r->db = w->db;
	r->set = w->set;
	r->app = &octavo_app;
	dispatch(r);
	buf_char(&c.out, '\0');
	w->status = atoi(strstr(c.out.p, "Status: ") + 8); /* style: digits of our own */
	text = strstr(c.out.p, "\r\n\r\n");
	w->answer = cJSON_Parse(text + 4);
	w->calls++;
	return w->status;
}

static void
want(struct world *w, int status, const char *what)
{
	char *text;

	if (w->status == status)
		return;
	text = cJSON_Print(w->answer);
	fail_msg("seed %d step %d: %s: %d instead of %d: %s", w->seed, w->step, what, w->status, status,
	    text);
}

static const char *
answer_id(struct world *w)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(w->answer, "id"));
}

static const char *
role_json(int role)
{
	return role < 0 ? "\"inherit\"" : role == 0 ? "null" : role == 1 ? "\"read\"" : role == 2 ?
	    "\"comment\"" : role == 3 ? "\"edit\"" : role == 4 ? "\"review\"" : role == 5 ?
	    "\"create\"" : "\"admin\"";
}

static const char *
kind_of(const struct place *x)
{
	return x->space ? "spaces" : "collections";
}

/* A random place, rarely a deleted one. */
static int
any_place(struct world *w)
{
	int p = roll(w, w->places), i;

	for (i = 0; i < 5 && !w->place[p].alive; i++)
		p = roll(w, w->places);
	return p;
}

/* Usually a user who may change the place: otherwise most steps would be refused. */
static int
able(struct world *w, int p, int actor)
{
	int from = roll(w, USERS), i;

	for (i = 0; roll(w, 4) != 0 && i < USERS; i++)
		if (role_on(w, p, (from + i) % USERS) >= 5)
			return (from + i) % USERS;
	return actor;
}

#endif
