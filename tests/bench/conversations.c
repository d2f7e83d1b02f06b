/*
 * Conversations ingested and clustered: the cost of one as their number grows.
 *
 *   conversations N
 *
 * Makes N conversations about subjects of different frequency (the kth in proportion to 1/(k +
 * 20)), in the words of many people and with words that occur only once, ingests them 200 at a time
 * and analyses them as the job does, in a database below $TMPDIR. At 1,000 conversations, at 10,000
 * and at N it prints
 *
 *   COUNT  MILLISECONDS-EACH  CLUSTERS  MEMORY-IN-MIB
 *
 * where milliseconds are this process's processor time for the next 1,000.
 */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/people.h"
#include "base/json.h"
#include "base/secret.h"
#include "conversations/storage.h"

enum { SUBJECTS = 3000, BATCH = 200, STEP = 1000 };

static uint64_t seed = 42;

static uint32_t
next(uint32_t below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % below;
}

/* The nth made-up word: three syllables, so that stemmers leave it alone. */
static void
word(char *out, uint32_t n)
{
	static const char first[] = "bdfgklmnprstvz", second[] = "aiou";
	int i;

	n = n * 2654435761u;
	for (i = 0; i < 3; i++) {
		*out++ = first[n % 14];
		n /= 14;
		*out++ = second[n % 4];
		n /= 4;
	}
	*out++ = 'k';
	*out = '\0';
}

/* A random subject k, in proportion to 1/(k + 20). */
static uint32_t
subject(void)
{
	static double sums[SUBJECTS];
	double x;
	int low = 0, high = SUBJECTS - 1, i;

	for (i = 0; sums[SUBJECTS - 1] == 0 && i < SUBJECTS; i++)
		sums[i] = (i > 0 ? sums[i - 1] : 0) + 1.0 / (i + 20);
	x = (double)next(1u << 30) / (double)(1u << 30) * sums[SUBJECTS - 1];
	while (low < high) {
		i = (low + high) / 2;
		if (sums[i] < x)
			low = i + 1;
		else
			high = i;
	}
	return (uint32_t)low;
}

static char *
body(struct arena *a)
{
	uint32_t s = subject();
	char w[4][16];
	int i;

	for (i = 0; i < 3; i++)
		word(w[i], s * 5 + next(4));
	word(w[3], 1000000 + next(1u << 20));
	switch (next(6)) {
	case 0:  return arena_printf(a, "Hello,\nhow can I %s the %s in our %s? I tried it with %s yesterday.\nThanks,\nAnn",
	             w[0], w[1], w[2], w[3]);
	case 1:  return arena_printf(a, "the %s %s does not work since we have a new %s, it says %s", w[0], w[1], w[2], w[3]);
	case 2:  return arena_printf(a, "Why is the %s of the %s empty? Our %s needs it, and %s as well.", w[0], w[1], w[2], w[3]);
	case 3:  return arena_printf(a, "Hi team, where do I find %s for %s? The page about %s only tells of %s.\nRegards\nJo",
	             w[0], w[1], w[2], w[3]);
	case 4:  return arena_printf(a, "%s %s is broken. Please fix the %s, because %s cannot wait.", w[0], w[1], w[2], w[3]);
	default: return arena_printf(a, "Is there a way to %s a %s without the %s? I have asked %s already.", w[0], w[1], w[2], w[3]);
	}
}

static void
ingest(struct db *db, const char *org, int64_t from, int64_t count)
{
	struct arena *a = arena_new((size_t)256 << 20);
	int64_t i;

	json_arena(a);
	db_begin(db, true);
	for (i = from; i < from + count; i++) {
		cJSON *parts = cJSON_CreateArray(), *part = cJSON_CreateObject();
		struct conversation_in c = { .id = arena_printf(a, "t%lld", (long long)i), .source = "email", .parts = parts };
		cJSON_AddStringToObject(part, "type", "message");
		cJSON_AddStringToObject(part, "role", "user");
		cJSON_AddStringToObject(part, "body", body(a));
		cJSON_AddItemToArray(parts, part);
		conversation_put(db, a, org, &c);
	}
	db_commit(db);
	json_arena(NULL);
	arena_free(a);
}

static void
analyse(struct db *db, const struct settings *set, const char *org)
{
	struct arena *a = arena_new((size_t)4 << 30);

	conversations_run(db, a, set, &(struct job){ .id = "bench", .kind = "conversations", .org = org, .args = "{}", .attempts = 1 });
	arena_free(a);
}

static double
spent_ms(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) * 1000 + (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) / 1000;
}

SQL(q_clusters, "SELECT clusters FROM conversation_state WHERE org = :org");

static void
say(struct db *db, const char *org, int64_t n, double ms)
{
	struct stmt *q = db_use(db, &q_clusters);
	struct rusage r;

	bind_text(q, ":org", org);
	getrusage(RUSAGE_SELF, &r);
	printf("%lld %.3f %lld %ld\n", (long long)n, ms, (long long)stmt_int(q, 0), r.ru_maxrss / 1024);
	fflush(stdout);
}

static void
run(struct db *db, const struct settings *set, const char *org, int64_t all)
{
	int64_t n, k;
	double before;

	for (n = 0; n <= all; n += STEP) {
		before = spent_ms();
		for (k = 0; k < STEP; k += BATCH) {
			ingest(db, org, n + k, BATCH);
			analyse(db, set, org);
		}
		if (n == 1000 || n == 10000 || n == all)
			say(db, org, n, (spent_ms() - before) / STEP);
	}
}

int
main(int argc, char **argv)
{
	struct arena *a = arena_new((size_t)64 << 20);
	char *dir = arena_printf(a, "%s/bench-conversations-XXXXXX", getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
	const char *error = NULL, *org;
	struct settings set;
	struct db *db;

	if (argc != 2 || mkdtemp(dir) == NULL || secret_create(a, dir) != NULL || (error = secret_open(a, dir)) != NULL)
		return fprintf(stderr, "conversations: takes how many\n"), 2;
	set = *settings_env(a, &error);
	set.dir = dir;
	if ((db = db_open(a, settings_db(a, &set), DB_CREATE, &(struct db_options){ .relaxed = true }, &error)) == NULL)
		return fprintf(stderr, "conversations: %s\n", error), 1;
	db_begin(db, true);
	org = org_make(db, a, &(struct org_new){ .title = "Bench" });
	db_commit(db);
	run(db, &set, org, strtoll(argv[1], NULL, 10));
	db_close(db);
	execlp("rm", "rm", "-rf", dir, (char *)NULL);   /* deletes the data, and ends the process */
	return 1;
}
