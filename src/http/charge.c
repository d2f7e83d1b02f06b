/* Measures the cost of each person's requests and limits them. Contract: charge.h. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/priority.h"
#include "base/spare.h"
#include "base/watch.h"
#include "charge.h"

/*
 * COSTS, PEOPLE: sizes of the tables. WAYS: places of the table of people that one person's entry
 * may have. BYTES_PER_US, ROW_US: estimated work of the web server and the disk. The tables are not
 * locked: if two processes write one entry, or an entry replaces another, a request is only judged
 * with less information.
 */
enum { COSTS = 4096, PEOPLE = 1024, WAYS = 4, BYTES_PER_US = 100, ROW_US = 10, WAIT_US = 1000 };

/*
 * WAITS: how often a heavy request, before it is refused, checks whether a running request of
 * unknown cost turns out to be heavy. WAIT_US: microseconds between two checks.
 */
enum { WAITS = 20 };

enum { HEAVY_NICE = 10 };

/* The request that a worker is serving; indexed by slots of base/watch.h. */
struct under_way {
	int64_t pid;       /* of the worker; 0: no worker of octavo-api has used the slot */
	int64_t who;       /* hash of the person; 0: no request */
	int64_t path;      /* hash of the path */
	int64_t began;     /* ms */
	int64_t cpu;       /* microseconds of processor time that the process had used when the request began */
	int64_t heavy;     /* 0 or 1: it is known to be heavy */
	int64_t known;     /* 1: it is known whether the request is heavy; 0: not yet */
	int64_t writes;    /* 0 or 1 */
};

struct cost { int64_t key, us; };

struct person {
	int64_t who, us;   /* us used, as of `at` */
	int64_t at;        /* ms */
};

struct charges {
	struct under_way under_way[WATCH_SLOTS];
	struct cost      costs[COSTS];
	struct person    people[PEOPLE];
};

static struct charges *charges;
/* The current request: a process serves one at a time. rows: db_changes() when it began. */
static struct under_way *own_entry;
static int64_t current_person, path_cost_key, operation_cost_key, thing_cost_key, rows;

static int64_t
load_shared(const int64_t *n)
{
	return __atomic_load_n(n, __ATOMIC_ACQUIRE);
}

static void
store_shared(int64_t *n, int64_t value)
{
	__atomic_store_n(n, value, __ATOMIC_RELEASE);
}

/* FNV-1a; never 0. */
static int64_t
hash_bytes(int64_t seed, const char *p, size_t n)
{
	uint64_t h = (uint64_t)seed ^ 14695981039346656037u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p[i]) * 1099511628211u;
	return (int64_t)(h | 1);
}

static int64_t
hash_text(int64_t seed, const char *s)
{
	return hash_bytes(seed, s, strlen(s));
}

/* Hash of the path without its last segment: the object that a write changes. */
static int64_t
hash_thing(int64_t seed, const char *path)
{
	const char *slash = strrchr(path, '/');

	return hash_bytes(seed, path, slash == NULL ? 0 : (size_t)(slash - path));
}

/* The number of processors is cached, since the C library reads it from a file each time. */
static long
count_processors(void)
{
	static long n;

	if (n == 0)
		n = sysconf(_SC_NPROCESSORS_ONLN);
	return n;
}

static int64_t
read_cpu_time(pid_t pid)
{
	clockid_t clock;
	struct timespec t;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
		return 0;
	return t.tv_sec * INT64_C(1000000) + t.tv_nsec / 1000;
}

/* ---- costs ---- */

static int64_t
known_cost(int64_t key)
{
	struct cost *c = &charges->costs[(uint64_t)key / 2 % COSTS];

	return load_shared(&c->key) == key ? load_shared(&c->us) : -1;
}

/*
 * A cheaper run lowers the cost only gradually, since even a heavy request is sometimes quick (from
 * a cache, say).
 */
static void
note_cost(int64_t key, int64_t us)
{
	struct cost *c = &charges->costs[(uint64_t)key / 2 % COSTS];
	int64_t before = known_cost(key);

	if (us < before / 4 * 3)
		us = before / 4 * 3;
	store_shared(&c->key, key);
	store_shared(&c->us, us);
}

/*
 * Called after note_cost(): work after the answer adds to the cost of the same request, so the
 * former value is replaced and not averaged.
 */
static void
raise_cost(int64_t key, int64_t us)
{
	if (us > known_cost(key))
		note_cost(key, us);
}

/*
 * Microseconds of processor time that a person may use per millisecond: OCTAVO_WORK percent of all
 * count_processors, but at least one processor.
 */
static int64_t
allowed_rate(const struct settings *s)
{
	int64_t rate = count_processors() * 10 * s->work;

	return rate < 1000 ? 1000 : rate;
}

static int64_t
used_of_entry(const struct person *p, int64_t now, int64_t rate)
{
	int64_t at = load_shared(&p->at), us = load_shared(&p->us);

	/* at > now: the entry is from before a reboot. */
	return at > now || (now - at) * rate >= us ? 0 : us - (now - at) * rate;
}

/* The person's entry; if there is none, the place to use for it: that of the person who has used least. */
static struct person *
find_person(int64_t who, int64_t now, int64_t rate)
{
	struct person *least = NULL, *p;

	for (unsigned i = 0; i < WAYS; i++) {
		p = &charges->people[((uint64_t)who / 2 + i) % PEOPLE];
		if (load_shared(&p->who) == who)
			return p;
		if (least == NULL || used_of_entry(p, now, rate) < used_of_entry(least, now, rate))
			least = p;
	}
	return least;
}

static int64_t
used_time(int64_t who, int64_t now, int64_t rate)
{
	const struct person *p = find_person(who, now, rate);

	return load_shared(&p->who) == who ? used_of_entry(p, now, rate) : 0;
}

static bool
is_heavy(struct req *r)
{
	const char *length = r->io->param(r->io, "CONTENT_LENGTH");

	if ((length != NULL && strtoll(length, NULL, 10) >= CHARGE_LARGE) || known_cost(path_cost_key) >= CHARGE_HEAVY_US)
		return true;
	return r->route->mode == RW && (known_cost(operation_cost_key) >= CHARGE_HEAVY_US || known_cost(thing_cost_key) >= CHARGE_HEAVY_US);
}

/* True if the cost of such a request is known from an earlier one. */
static bool
is_known(const struct req *r)
{
	return known_cost(path_cost_key) >= 0 || (r->route->mode == RW && known_cost(operation_cost_key) >= 0);
}

/* ---- requests under way ---- */

static bool
is_alive(const struct under_way *u)
{
	int64_t pid = load_shared(&u->pid);

	return pid != 0 && watch_pid((int)(u - charges->under_way)) == pid;
}

/* True for a request of the same person that began earlier. */
static bool
is_rival(const struct under_way *u)
{
	int64_t began = load_shared(&u->began);

	return u != own_entry && load_shared(&u->who) == own_entry->who && (began < own_entry->began || (began == own_entry->began && u < own_entry));
}

static bool
turned_heavy(const struct under_way *u)
{
	return load_shared(&u->heavy) != 0 || read_cpu_time((pid_t)load_shared(&u->pid)) - load_shared(&u->cpu) >= CHARGE_HEAVY_US;
}

/* The number of heavy requests that one person may have at a time: half of the workers or count_processors, at least one. */
static int
max_heavy_per_person(void)
{
	long cores = count_processors();
	int workers = 0;

	for (int i = 0; i < WATCH_SLOTS; i++)
		workers += is_alive(&charges->under_way[i]);
	if (workers > cores)
		workers = (int)cores;
	return workers < 4 ? 1 : workers / 2;
}

static bool
uses_its_share(void)
{
	int n = 0;

	for (struct under_way *u = charges->under_way; u < charges->under_way + WATCH_SLOTS; u++)
		n += is_rival(u) && turned_heavy(u) && is_alive(u);
	return n > 0 && n >= max_heavy_per_person();
}

/* True if an earlier request of unknown cost is running that is not heavy yet. */
static bool
has_unknown_rival(void)
{
	for (struct under_way *u = charges->under_way; u < charges->under_way + WATCH_SLOTS; u++)
		if (is_rival(u) && load_shared(&u->known) == 0 && !turned_heavy(u) && is_alive(u))
			return true;
	return false;
}

/*
 * True if a heavy request must be refused. If two heavy requests arrive together, the first may not
 * be known to be heavy yet: without the wait, both would occupy workers.
 */
static bool
gets_no_share(void)
{
	for (int i = 0; i < WAITS && has_unknown_rival() && !uses_its_share(); i++)
		usleep(WAIT_US);
	return uses_its_share() || (max_heavy_per_person() == 1 && has_unknown_rival());
}

/* Wait until no earlier request writes to the same path; true if one turned out heavy. */
static bool
wait_for_same_path(void)
{
	for (struct under_way *u = charges->under_way; u < charges->under_way + WATCH_SLOTS; u++)
		while (is_rival(u) && load_shared(&u->writes) != 0 && load_shared(&u->path) == own_entry->path && is_alive(u)) {
			if (turned_heavy(u))
				return true;
			usleep(WAIT_US);
		}
	return false;
}

/* ---- a request ---- */

static bool
open_charges(const struct settings *s)
{
	static bool tried;
	char path[PATH_MAX];
	int fd;

	if (!tried && s->dir != NULL && snprintf(path, sizeof(path), "%s/run/charges", s->dir) < (int)sizeof(path))
		charges = disk_map(path, sizeof(*charges), &fd);
	tried = true;
	return charges != NULL;
}

/* Clear the slot: the request no longer counts as under way. */
static void
leave_slot(void)
{
	store_shared(&own_entry->who, 0);
	own_entry = NULL;
}

/* Refuses the request; the time to wait is rounded up to whole seconds. */
static int
refuse_busy(struct req *r, int64_t us, const char *why)
{
	leave_slot();
	r->retry_after = (int)(us / 1000000) + 1;
	return fail(r, E_TOO_MANY, "%s; wait %d s", why, r->retry_after);
}

static void
enter_slot(struct req *r, int slot, int64_t who)
{
	own_entry = &charges->under_way[slot];
	operation_cost_key = hash_text(who, r->route->operation);
	path_cost_key = hash_text(operation_cost_key, r->path);
	thing_cost_key = hash_thing(who, r->path);
	rows = db_changes(r->db);
	store_shared(&own_entry->pid, getpid());
	store_shared(&own_entry->began, time_steady());
	store_shared(&own_entry->cpu, read_cpu_time(getpid()));
	store_shared(&own_entry->path, path_cost_key);
	store_shared(&own_entry->heavy, is_heavy(r));
	store_shared(&own_entry->known, own_entry->heavy != 0 || is_known(r));
	store_shared(&own_entry->writes, r->route->mode == RW);
	store_shared(&own_entry->who, who);
	current_person = who;
}

int
charge_begin(struct req *r)
{
	int slot = watch_slot();
	int64_t rate, spent, who;

	if (slot < 0 || r->who.kind != BY_USERS || r->set->work == 0 || !open_charges(r->set))
		return 0;
	rate = allowed_rate(r->set);
	who = hash_text(0, r->who.user);
	enter_slot(r, slot, who);
	if ((spent = used_time(who, own_entry->began, rate)) > CHARGE_BURST_US)
		return refuse_busy(r, (spent - CHARGE_BURST_US) / rate * 1000, "your requests take more work than one user's share");
	if (own_entry->heavy != 0 && gets_no_share())
		return refuse_busy(r, known_cost(path_cost_key), "other long requests of yours are under way");
	if (own_entry->heavy == 0 && r->route->mode == RW && wait_for_same_path())
		return refuse_busy(r, known_cost(path_cost_key), "another long request of yours to this address is under way");
	if (own_entry->heavy != 0)
		priority_lower(HEAVY_NICE);
	return 0;
}

/*
 * True if another running request of the person is heavy, whether it began before or after this
 * one.
 */
static bool
is_beside_heavy(void)
{
	for (struct under_way *u = charges->under_way; u < charges->under_way + WATCH_SLOTS; u++)
		if (u != own_entry && load_shared(&u->who) == own_entry->who && turned_heavy(u) && is_alive(u))
			return true;
	return false;
}

int
charge_patience(void)
{
	return own_entry != NULL && own_entry->heavy == 0 && is_beside_heavy() ? CHARGE_PATIENCE_MS : 0;
}

int
charge_busy(struct req *r)
{
	r->retry_after = 1;
	return fail(r, E_TOO_MANY, "another long request of yours is writing; wait %d s", r->retry_after);
}

/* Cost of the request so far, in microseconds. */
static int64_t
cost_so_far(struct req *r)
{
	return read_cpu_time(getpid()) - own_entry->cpu + (int64_t)(r->raw_body.n + r->out.n) / BYTES_PER_US +
	    (db_changes(r->db) - rows) * ROW_US;
}

/*
 * Sets the keys under which the cost of this request is stored, to predict that of others; returns
 * their number.
 */
static int
cost_keys(struct req *r, int64_t keys[3])
{
	int n = 0;

	keys[n++] = path_cost_key;
	if (r->route->mode == RW)
		keys[n++] = operation_cost_key;
	if (r->route->mode == RW && r->raw_body.n >= CHARGE_LARGE)
		keys[n++] = thing_cost_key;
	return n;
}

void
charge_answered(struct req *r)
{
	int64_t keys[3], us;
	int n;

	if (own_entry == NULL)
		return;
	/*
	 * Store the cost before the answer is sent, so that it is known when the client sends the
	 * next request, such as the merge of a large change request.
	 */
	us = cost_so_far(r);
	for (n = cost_keys(r, keys); n > 0; n--)
		note_cost(keys[n - 1], us);
	store_shared(&own_entry->who, 0);
}

void
charge_end(struct req *r)
{
	int64_t keys[3], now, rate, us, who;
	struct person *p;
	int n;

	if (own_entry == NULL)
		return;
	priority_restore();
	now = time_steady();
	rate = allowed_rate(r->set);
	who = current_person;
	us = cost_so_far(r);
	for (n = cost_keys(r, keys); n > 0; n--)
		raise_cost(keys[n - 1], us);
	p = find_person(who, now, rate);
	us += load_shared(&p->who) == who ? used_of_entry(p, now, rate) : 0;
	store_shared(&p->who, who);
	store_shared(&p->us, us);
	store_shared(&p->at, now);
	leave_slot();
}
