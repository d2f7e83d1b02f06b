/*
 * Requests served in this process, without a web server, to measure Octavo's work only:
 *
 *   ask [--cold] ROUNDS RUNS DIR TOKEN PATH DIR TOKEN PATH
 *
 * PATH includes the query. With --cold a user's access changes before each request, so that no
 * cached role and no cached count is used; the change itself is not measured. Prints one line per
 * round: microseconds per request of the first and of the second, which alternate. Any status other
 * than 200 ends the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/routes.h"
#include "http/req.h"
#include "base/secret.h"

struct side {
	struct io        io;       /* first, so that a struct io * can be cast to a struct side * */
	const char      *dir, *uri, *query, *bearer;
	struct settings *set;
	struct db       *db;
	char             head[40]; /* beginning of the last response */
	size_t           bytes;
};

static struct arena *life, *arena;
static bool cold;

static double
micros(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static const char *
param(struct io *io, const char *name)
{
	struct side *s = (struct side *)io;

	return strcmp(name, "REQUEST_METHOD") == 0 ? "GET" :
	    strcmp(name, "REQUEST_URI") == 0 ? s->uri :
	    strcmp(name, "QUERY_STRING") == 0 ? s->query :
	    strcmp(name, "HTTP_AUTHORIZATION") == 0 ? s->bearer : NULL;
}

static long
no_body(struct io *io, void *p, size_t n)
{
	(void)io;
	(void)p;
	(void)n;
	return 0;
}

static bool
take(struct io *io, const void *p, size_t n)
{
	struct side *s = (struct side *)io;

	if (s->bytes == 0)
		snprintf(s->head, sizeof(s->head), "%.*s", (int)(n < 20 ? n : 20), (const char *)p);
	s->bytes += n;
	return true;
}

static const char *
setting(void *ctx, const char *name)
{
	return strcmp(name, "OCTAVO_DIR") == 0 ? ((struct side *)ctx)->dir : NULL;
}

static void
give_up(const char *why)
{
	fprintf(stderr, "ask: %s\n", why);
	exit(1);
}

static void
open_side(struct side *s, char **argv)
{
	const char *error = NULL, *query = strchr(argv[2], '?');

	*s = (struct side){ .io = { param, no_body, take }, .dir = argv[0], .uri = argv[2],
		.query = query == NULL ? "" : query + 1,
		.bearer = arena_printf(life, "Bearer %s", argv[1]) };
	s->set = settings_read(life, setting, s, &error);
	if (s->set == NULL || (error = secret_open(life, s->dir)) != NULL)
		give_up(error);
	s->db = db_open(life, settings_db(life, s->set), DB_READ_WRITE, NULL, &error);
	if (s->db == NULL)
		give_up(error);
}

/* Raises the access version as the triggers do. */
static void
change_access(struct side *s)
{
	const char *error = NULL;

	if (!db_script(s->db, life, "UPDATE access_version SET n = n + 1", &error))
		give_up(error);
}

/* Serves the request once; returns microseconds. */
static double
ask_once(struct side *s)
{
	struct req *r = arena_alloc(arena, sizeof(*r));
	double start;

	*r = (struct req){ .io = &s->io, .arena = arena, .db = s->db, .set = s->set, .app = &octavo_app };
	s->bytes = 0;
	if (cold)
		change_access(s);
	start = micros();
	dispatch(r);
	start = micros() - start;
	if (strncmp(s->head, "Status: 200", 11) != 0)
		give_up(arena_printf(life, "%s: %s", s->uri, s->head));
	arena_reset(arena);
	return start;
}

static double
ask(struct side *s, long runs)
{
	double sum = 0;
	long i;

	for (i = 0; i < runs; i++)
		sum += ask_once(s);
	return sum / (double)runs;
}

int
main(int argc, char **argv)
{
	struct side a, b;
	long rounds, runs;

	cold = argc > 1 && strcmp(argv[1], "--cold") == 0;
	argv += cold;
	argc -= cold;
	if (argc != 9) {
		fprintf(stderr, "usage: ask [--cold] ROUNDS RUNS DIR TOKEN PATH DIR TOKEN PATH\n");
		return 2;
	}
	life = arena_new(1 << 20);
	arena = arena_new(1 << 30);
	open_side(&a, argv + 3);
	open_side(&b, argv + 6);
	rounds = strtol(argv[1], NULL, 10);
	runs = strtol(argv[2], NULL, 10);
	ask(&a, 3);
	ask(&b, 3);
	while (rounds-- > 0) {
		double one = ask(&a, runs);
		printf("%.1f %.1f\n", one, ask(&b, runs));
	}
	db_close(a.db);
	db_close(b.db);
	arena_free(arena);
	arena_free(life);
	return 0;
}
