/*
 * Makes variants of the pictures of a published space. Contract: jobs/variants.h.
 *
 * The job checks each picture that the space has now, and makes variants that are missing. So no
 * record of finished pictures is needed, and lost variants are made again.
 */
#include "base/file.h"
#include "base/json.h"
#include "jobs/variants.h"
#include "pdf/variants.h"
#include "store/blob.h"
#include "store/variants.h"

/* RUN_MS: a job ends after this time; the next one of the space, at the latest a day later, continues. REPORT_MS: how often progress is recorded. */
enum { RUN_MS = 40 * 60 * 1000, REPORT_MS = 1000, PICTURE_ARENA = 256 << 20 };

/*
 * The second counter (names) is part of the tag of each page: increase it, so that cached pages are
 * replaced by pages with the new variants.
 */
SQL(q_count, "UPDATE site_change SET n = n + 1, names = names + 1 WHERE id = 1");

struct variants_work {
	struct db             *db;
	struct arena          *picture;   /* of the picture under way */
	const struct settings *set;
	const struct job      *job;
	int64_t                begun, reported_at;
	int64_t                made;      /* pictures that got variants */
	int64_t                failed;    /* pictures whose variants could not be stored */
};

struct gathered {
	struct arena   *arena;
	struct variants v;
};

static void
gather_variant(void *ctx, const struct picture_variant *one)
{
	struct gathered *g = ctx;
	struct variant *v = &g->v.list[g->v.count++];

	_Static_assert((int)VARIANTS_MAX == (int)PICTURE_VARIANTS, "all variants of a picture are stored");
	*v = (struct variant){ .width = one->width, .size = one->bytes.n,
		.bytes = { arena_strndup(g->arena, one->bytes.p, one->bytes.n), one->bytes.n } };
}

/*
 * A picture that is refused, or whose decoder fails, is recorded as one without variants, so that
 * it is tried only once.
 */
static void
make_variants(struct variants_work *w, struct str hash)
{
	struct gathered g = { .arena = w->picture };
	struct str bytes;

	/* A blob without a file is damage, which octavo check reports. */
	if (file_read(w->picture, blob_local_or_fail(w->db, w->picture, w->set->dir, hash), &bytes))
		picture_variants(bytes, gather_variant, &g);
	if (variants_store(w->picture, w->set->dir, hash, &g.v))
		w->made += g.v.count > 0;
	else
		w->failed++;
}

/* Records the progress from time to time. False: the job was cancelled. */
static bool
report_progress(struct variants_work *w, size_t done, size_t count)
{
	int64_t now = time_steady();

	if (now - w->reported_at < REPORT_MS)
		return true;
	w->reported_at = now;
	return job_progress(w->db, w->job->id, "pictures", (int64_t)done, (int64_t)count);
}

static void
end_variants(struct variants_work *w, struct arena *a, const char *state)
{
	db_begin(w->db, true);
	if (w->made > 0)
		stmt_run(db_use(w->db, &q_count));
	job_end(w->db, w->job->id, state, NULL, arena_printf(a, "{\"pictures\":%lld,\"failed\":%lld}", (long long)w->made,
	    (long long)w->failed));
	db_commit(w->db);
}

/* Pictures that were added meanwhile are in the next round. */
static struct str *
next_round(struct variants_work *w, struct arena *a, size_t *count)
{
	struct str *list;

	db_begin(w->db, false);
	list = variants_lacking(w->db, a, w->set->dir, w->job->space, count);
	db_rollback(w->db);
	/* Stop after a failure to store: the same pictures would be listed for ever. */
	return w->failed == 0 && time_steady() - w->begun < RUN_MS ? list : NULL;
}

void
variants_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct variants_work w = { .db = db, .set = set, .job = job, .begun = time_steady() };
	bool cancelled = false;
	struct str *list;
	size_t count;

	while (!cancelled && (list = next_round(&w, a, &count)) != NULL)
		for (size_t i = 0; i < count && !cancelled && time_steady() - w.begun < RUN_MS; i++) {
			w.picture = arena_new(PICTURE_ARENA);
			make_variants(&w, list[i]);
			arena_free(w.picture);
			cancelled = !report_progress(&w, i + 1, count);
		}
	end_variants(&w, a, cancelled ? "cancelled" : "done");
}
