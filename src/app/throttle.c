/*
 * Limits the tries of a client by counters. Contract: app/throttle.h.
 *
 * Each counter is one number: the time at which all its tries have expired. Each try moves it ahead
 * by the time after which one try expires. A counter is full when it is further ahead of now than
 * the allowed number of tries would move it.
 */
#include <arpa/inet.h>
#include <assert.h>
#include <sodium.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/spare.h"
#include "base/str.h"
#include "app/throttle.h"

/* DEBT_MOST: the longest time that a try is remembered; no rule needs more. */
enum { COUNTERS = 8192, WAYS = 4, MINUTE_MS = 60000, DEBT_MOST = 120 * MINUTE_MS };

/* A rule: the time after which one try is forgotten, and the number of tries that are allowed at once. */
struct rule {
	int64_t each;
	int64_t tries;
};
static const struct rule by_pair = { MINUTE_MS, THROTTLE_PAIR }, by_pair_attacked = { MINUTE_MS, 1 },
	by_address = { MINUTE_MS / 6, THROTTLE_ADDRESS }, by_account = { 60 * MINUTE_MS / THROTTLE_ACCOUNT, THROTTLE_ACCOUNT };

/* key: hash of the pair, address or account; 0: unused. empty_at: when all its tries are forgotten. */
struct counter { int64_t key, empty_at; };

/*
 * Key of all hashes. Without it, an attacker could compute addresses whose counters replace the
 * counter of another address.
 */
static int64_t hash_key[crypto_shorthash_KEYBYTES / sizeof(int64_t)];

/* The random key is 0 in a new file. The first process that reads 0 sets it. */
static int64_t
random_once(int64_t *shared)
{
	int64_t none = 0, made;

	randombytes_buf(&made, sizeof(made));
	return __atomic_compare_exchange_n(shared, &none, made | 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE) ? made | 1 : none;
}

/* Maps the counters, which the key follows in the file. NULL: they cannot be mapped. */
static struct counter *
open_counters(const struct settings *set)
{
	static struct counter *all;
	static bool tried;

	if (!tried) {
		struct arena *a = arena_new(1 << 16);
		int fd;

		all = disk_map(arena_printf(a, "%s/run/sign-in", set->dir), (COUNTERS + 1) * sizeof(*all), &fd);
		if (fd >= 0)
			close(fd);
		if (all != NULL && sodium_init() >= 0) {
			hash_key[0] = random_once(&all[COUNTERS].key);
			hash_key[1] = random_once(&all[COUNTERS].empty_at);
		}
		arena_free(a);
	}
	tried = true;
	return all;
}

/* A hash (SipHash) of the seed and the bytes; never 0, because 0 marks an unused counter. */
static int64_t
hash_with_seed(int64_t seed, const void *bytes, size_t n)
{
	const unsigned char *key = (const unsigned char *)hash_key;
	int64_t both[2] = { seed, 0 }, h;

	crypto_shorthash((unsigned char *)&both[1], bytes, n, key);
	crypto_shorthash((unsigned char *)&h, (const unsigned char *)both, sizeof(both), key);
	return h | 1;
}

/*
 * The part of a network address that identifies a customer: an IPv4 address, or the first half of
 * an IPv6 address.
 */
static int64_t
hash_network(const char *address)
{
	static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
	unsigned char six[16];

	if (inet_pton(AF_INET6, address, six) != 1)
		return hash_with_seed(1, address, strlen(address));
	if (memcmp(six, mapped, sizeof(mapped)) == 0) {
		char four[INET_ADDRSTRLEN];

		inet_ntop(AF_INET, six + sizeof(mapped), four, sizeof(four));
		return hash_with_seed(1, four, strlen(four));
	}
	return hash_with_seed(2, six, 8);
}

static int64_t
load_shared(const int64_t *n)
{
	return __atomic_load_n(n, __ATOMIC_ACQUIRE);
}

/*
 * Time until all tries are forgotten. If it is more than DEBT_MOST, the number is from before a
 * restart of the machine.
 */
static int64_t
time_to_empty(const struct counter *c, int64_t key, int64_t now)
{
	int64_t debt = load_shared(&c->key) == key ? load_shared(&c->empty_at) - now : 0;

	return debt < 0 || debt > DEBT_MOST ? 0 : debt;
}

/*
 * The counter with this key. If there is none, the counter whose tries are forgotten first, which
 * the caller then replaces.
 */
static struct counter *
find_counter(struct counter *all, int64_t key, int64_t now)
{
	struct counter *least = NULL, *c;

	for (unsigned i = 0; i < WAYS; i++) {
		c = &all[((uint64_t)key / 2 + i) % COUNTERS];
		if (load_shared(&c->key) == key)
			return c;
		if (least == NULL || time_to_empty(c, load_shared(&c->key), now) < time_to_empty(least, load_shared(&least->key), now))
			least = c;
	}
	return least;
}

/* Milliseconds until the rule allows one more try; 0: it is allowed now. */
static int64_t
wait_for(struct counter *all, int64_t key, const struct rule *rule, int64_t now)
{
	int64_t over = time_to_empty(find_counter(all, key, now), key, now) + rule->each - rule->tries * rule->each;

	return over > 0 ? over : 0;
}

/* Adds tries, or removes them (n < 0). */
static void
count_tries(struct counter *all, int64_t key, const struct rule *rule, int n, int64_t now)
{
	struct counter *c = find_counter(all, key, now);
	int64_t debt = time_to_empty(c, key, now) + n * rule->each;

	debt = debt < 0 ? 0 : debt > DEBT_MOST ? DEBT_MOST : debt;
	__atomic_store_n(&c->empty_at, now + debt, __ATOMIC_RELEASE);
	__atomic_store_n(&c->key, key, __ATOMIC_RELEASE);
}

/* Computes the keys of the three counters. */
struct keys { int64_t pair, account, address; };

static struct keys
make_keys(const struct attempt *t)
{
	struct keys k = { 0, 0, 0 };

	k.address = hash_network(t->address);
	if (t->email == NULL)
		return k;
	k.account = hash_with_seed(3, t->email, strlen(t->email));
	k.pair = t->known ? hash_with_seed(4, t->email, strlen(t->email)) : hash_with_seed(k.account, &k.address, sizeof(k.address));
	return k;
}

/* Counts a try by the network address alone, if the client named no account. */
static int
try_address(struct counter *all, int64_t key, int64_t now)
{
	int64_t wait = wait_for(all, key, &by_address, now);

	if (wait == 0)
		count_tries(all, key, &by_address, 1, now);
	return (int)((wait + 999) / 1000);
}

int
throttle_try(const struct settings *set, const struct attempt *t, int64_t now)
{
	struct counter *all = open_counters(set);
	struct keys k = make_keys(t);
	const struct rule *pair;
	int64_t wait, more;

	if (all == NULL)
		return 0;
	if (t->email == NULL)
		return try_address(all, k.address, now);
	pair = !t->known && wait_for(all, k.account, &by_account, now) > 0 ? &by_pair_attacked : &by_pair;
	wait = wait_for(all, k.pair, pair, now);
	more = t->known ? 0 : wait_for(all, k.address, &by_address, now);
	if (more > wait)
		wait = more;
	if (wait > 0)
		return (int)((wait + 999) / 1000);
	count_tries(all, k.pair, pair, 1, now);
	if (!t->known) {
		count_tries(all, k.address, &by_address, 1, now);
		count_tries(all, k.account, &by_account, 1, now);
	}
	return 0;
}

int
throttle_work(const struct settings *set, const struct throttle_rule *rule, const char *who, bool network, int64_t now)
{
	struct rule counted = { rule->each, rule->most };
	struct counter *all = open_counters(set);
	int64_t key, wait;

	assert(rule->each * rule->most <= DEBT_MOST);
	if (all == NULL)
		return 0;
	key = network ? hash_network(who) : hash_with_seed(5, who, strlen(who));
	key = hash_with_seed(key, rule->kind, strlen(rule->kind));
	if ((wait = wait_for(all, key, &counted, now)) == 0)
		count_tries(all, key, &counted, 1, now);
	return (int)((wait + 999) / 1000);
}

/* Removes one try from each counter, and `tries` tries from the counter of the pair. */
static void
take_back(const struct settings *set, const struct attempt *t, int tries, int64_t now)
{
	struct counter *all = open_counters(set);
	struct keys k = make_keys(t);

	if (all == NULL)
		return;
	if (!t->known)
		count_tries(all, k.address, &by_address, -1, now);
	if (t->email == NULL)
		return;
	count_tries(all, k.pair, &by_pair, -tries, now);
	if (!t->known)
		count_tries(all, k.account, &by_account, -1, now);
}

void
throttle_undo(const struct settings *set, const struct attempt *t, int64_t now)
{
	take_back(set, t, 1, now);
}

void
throttle_clear(const struct settings *set, const struct attempt *t, int64_t now)
{
	take_back(set, t, THROTTLE_PAIR, now);
}
