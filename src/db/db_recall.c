/* Cache of answers that belong to one state of the data. Contract: db/recall.h. */
#include "base/json.h"
#include "base/map.h"
#include "db/recall.h"

enum {
	RECALL_BYTES = 3 << 20,     /* total, at which the cache is emptied: a worker has 12 MB in all */
	RECALL_ONE = 256 << 10      /* largest answer that is cached */
};

static struct arena *memory;
static struct map *answers;
/* State of the data that all answers were made from. */
static uint64_t cached_state;

static void
forget_answers(uint64_t state)
{
	if (memory == NULL)
		memory = arena_new(2 * (RECALL_BYTES + RECALL_ONE));
	arena_reset(memory);
	answers = map_new(memory);
	cached_state = state;
}

const struct recalled *
recall_find(uint64_t state, const char *question)
{
	const struct recalled *k;

	if (answers == NULL || state != cached_state) {
		forget_answers(state);
		return NULL;
	}
	k = map_get(answers, str_of(question));
	return k == NULL || (k->until != 0 && k->until <= time_now()) ? NULL : k;
}

static struct str
copy_text(struct str s)
{
	return (struct str){ arena_strndup(memory, s.p, s.n), s.n };
}

void
recall_put(uint64_t state, const char *question, const struct recalled *answer)
{
	struct recalled *k;

	if (answer->body.n > RECALL_ONE)
		return;
	if (answers == NULL || state != cached_state || arena_used(memory) > RECALL_BYTES)
		forget_answers(state);
	k = arena_alloc(memory, sizeof(*k));
	*k = (struct recalled){ copy_text(answer->head), copy_text(answer->body), answer->until };
	*map_at(answers, copy_text(str_of(question))) = k;
}
