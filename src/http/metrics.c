/* Counters of requests in mapped files, and the token to read them. Contract: http/metrics.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/secret.h"
#include "base/spare.h"
#include "http/metrics.h"

const int metrics_status[METRICS_STATUSES - 1] = {
	200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 409, 412, 413, 414, 415,
	416, 422, 429, 500, 501, 502, 503, 504
};
const int64_t metrics_bound[METRICS_BUCKETS - 1] = { 1000, 5000, 25000, 100000, 500000, 2500000, 10000000 };

static const char prefix[] = "metrics-", token_prefix[] = "octm_";

/* ---- files ---- */

/* Remove the files of other builds when the first process of a new build starts. */
static void
remove_old_files(struct arena *a, const char *folder, const char *program, const char *name)
{
	const char *same = arena_printf(a, "%s%s-", prefix, program);
	DIR *d = opendir(folder);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL)
		if (strncmp(e->d_name, same, strlen(same)) == 0 && strcmp(e->d_name, name) != 0)
			unlinkat(dirfd(d), e->d_name, 0);
	if (d != NULL)
		closedir(d);
}

static char *
file_name(struct arena *a, const char *program, unsigned layout)
{
	return arena_printf(a, "%s%s-%08x", prefix, program, layout);
}

/*
 * Maps the file with the counters. NULL: it cannot be created, or the disk has no room for its
 * blocks. Blocks are also allocated in an existing file, since older builds did not do so.
 */
static struct metrics_slot *
map_file(struct arena *a, const char *dir, const char *program, unsigned layout, size_t size)
{
	const char *folder = arena_printf(a, "%s/run", dir), *name = file_name(a, program, layout);
	const char *path = arena_printf(a, "%s/%s", folder, name);
	int fd = open(path, O_RDWR | O_CLOEXEC);
	void *p = MAP_FAILED;

	if (fd < 0 && (fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600)) >= 0)
		remove_old_files(a, folder, program, name);
	if (fd >= 0 && disk_reserve(fd, (int64_t)size))
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	return p == MAP_FAILED ? NULL : p;
}

/*
 * The counters, for a process that counts. A new file is filled with zeros. If the file cannot be
 * mapped, the counters are in private memory, and lost when the process ends.
 */
static struct metrics_slot *
map_counters(const char *dir, const char *program, unsigned layout, size_t slots)
{
	struct arena *a = arena_new(1 << 16);
	size_t size = slots * sizeof(struct metrics_slot);
	void *p = map_file(a, dir, program, layout, size);

	arena_free(a);
	if (p == NULL)
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return p == MAP_FAILED ? NULL : p;
}

/*
 * A copy of the current counters; NULL if there are none. The file is read and not mapped: on some
 * file systems even reading a mapped page without a block allocates one.
 */
static const struct metrics_slot *
read_counters(struct arena *a, const char *dir, const char *program, unsigned layout, size_t slots)
{
	struct str bytes;

	if (!file_read(a, arena_printf(a, "%s/run/%s", dir, file_name(a, program, layout)), &bytes) ||
	    bytes.n < slots * sizeof(struct metrics_slot))
		return NULL;
	return (const struct metrics_slot *)(const void *)bytes.p;
}

/* Hash (FNV-1a) of the names of operations; it identifies the order of the slots in the file. */
static unsigned
hash_layout(const struct app *app)
{
	unsigned h = 2166136261u + (unsigned)sizeof(struct metrics_slot);

	for (size_t i = 0; i < app->count; i++)
		for (const char *s = app->routes[i].operation; *s != '\0'; s++)
			h = (h ^ (unsigned char)*s) * 16777619u;
	return h;
}

/* ---- counting ---- */

static void
add_shared(uint64_t *n, uint64_t more)
{
	__atomic_fetch_add(n, more, __ATOMIC_RELAXED);
}

static void
count_request(struct metrics_slot *s, int status, int64_t micros)
{
	size_t i = 0, b = 0;

	while (i < METRICS_STATUSES - 1 && metrics_status[i] != status)
		i++;
	while (b < METRICS_BUCKETS - 1 && micros > metrics_bound[b])
		b++;
	add_shared(&s->status[i], 1);
	add_shared(&s->bucket[b], 1);
	add_shared(&s->micros, (uint64_t)(micros > 0 ? micros : 0));
}

/* The slot after those of the operations counts requests without a route. */
void
metrics_count(const struct req *r)
{
	static struct metrics_slot *slots;
	/* Only the first route table of the process is counted: tests use several. */
	static const struct app *counted;
	struct timespec now;

	if (counted == NULL && r->set->dir != NULL)
		slots = map_counters(r->set->dir, "api", hash_layout(r->app), r->app->count + 1);
	if (counted == NULL)
		counted = r->app;
	if (slots == NULL || r->app != counted)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	count_request(&slots[r->route != NULL ? (size_t)(r->route - r->app->routes) : r->app->count], r->status,
	    now.tv_sec * 1000000LL + now.tv_nsec / 1000 - r->start_us);
}

void
metrics_count_site(const struct settings *set, int status, int64_t micros)
{
	static struct metrics_slot *slot;
	static bool tried;

	if (!tried && set->dir != NULL)
		slot = map_counters(set->dir, "site", (unsigned)sizeof(*slot), 1);
	tried = true;
	if (slot != NULL)
		count_request(slot, status, micros);
}

void
metrics_each(struct req *r, void (*fn)(void *, const char *, const struct metrics_slot *), void *ctx)
{
	size_t n = r->app->count + 1;
	const struct metrics_slot *slots = read_counters(r->arena, r->set->dir, "api", hash_layout(r->app), n);
	const struct metrics_slot *site = read_counters(r->arena, r->set->dir, "site", (unsigned)sizeof(*site), 1);

	for (size_t i = 0; slots != NULL && i < n; i++)
		fn(ctx, i + 1 < n ? r->app->routes[i].operation : "none", &slots[i]);
	if (site != NULL)
		fn(ctx, "site", site);
}

/* ---- the token ---- */

static char *
token_path(struct arena *a, const char *dir)
{
	return arena_printf(a, "%s/metrics.token", dir);
}

char *
metrics_token_make(struct arena *a, const char *dir, const char **error)
{
	const char *path = token_path(a, dir), *temp = arena_printf(a, "%s.new", path);
	char *token = arena_printf(a, "%s%s", token_prefix, secret_token(a) + 4);
	int fd = open(temp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	bool ok = fd >= 0 && dprintf(fd, "%s\n", hex(a, hash_of(a, str_of(token)))) > 0 && fsync(fd) == 0;

	if (fd >= 0)
		ok = close(fd) == 0 && ok;
	if (!ok || rename(temp, path) != 0) {
		*error = arena_printf(a, "%s: %s", path, strerror(errno));
		unlink(temp);
		return NULL;
	}
	return token;
}

bool
metrics_token_drop(struct arena *a, const char *dir)
{
	return unlink(token_path(a, dir)) == 0;
}

bool
metrics_token_take(struct req *r)
{
	struct str kept;
	char *want;

	if (!str_starts(r->who.bearer, token_prefix) || !file_read(r->arena, token_path(r->arena, r->set->dir), &kept))
		return false;
	want = arena_strndup(r->arena, kept.p, strcspn(kept.p, "\n"));
	if (!secret_same(want, hex(r->arena, hash_of(r->arena, r->who.bearer))))
		return false;
	r->who.kind = BY_METRICS;
	r->who.user = "metrics";
	r->who.cap = ROLE_READ;
	r->who.read_only = true;
	return true;
}
