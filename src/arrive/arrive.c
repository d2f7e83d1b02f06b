/*
 * The job of an import: lists the source, finds its reader, makes the tree, writes it as files of
 * the git-sync layout, and imports these. Scratch files are in DIR/cache/arrive/JOB. This folder is
 * deleted at the end, and emptied before the next attempt of the same job.
 */
#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arrival.h"
#include "app/import_file.h"
#include "arrive/arrive.h"
#include "base/file.h"
#include "base/json.h"
#include "base/utf8.h"
#include "store/space.h"
#include "sync/import.h"
#include "unpack.h"

struct arriving {
	struct db           *db;
	const struct job    *job;
	const struct settings *set;
	struct arena        *arena;
	struct arrival       t;
	const char          *path, *kind, *scratch;   /* path: of a job of the octavo command; NULL: the job has uploads */
	struct archive_path *uploads;
	size_t               upload_count;
};

static bool
report_progress(void *ctx, size_t done, size_t total)
{
	struct arriving *m = ctx;

	if (job_progress(m->db, m->job->id, "converting", (int64_t)done, (int64_t)total))
		return true;
	m->t.cancelled = true;
	m->t.error = "cancelled";
	return false;
}

/* ---- the scratch folder ---- */

static void
empty_folder(struct arena *a, const char *path)
{
	DIR *d = opendir(path);
	const struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			unlink(arena_printf(a, "%s/%s", path, e->d_name));
	if (d != NULL)
		closedir(d);
}

static void
drop_scratch(void *arriving)
{
	struct arriving *m = arriving;

	empty_folder(m->arena, m->scratch);
	rmdir(m->scratch);
}

static bool
make_scratch(struct arriving *m)
{
	const char *cache = arena_printf(m->arena, "%s/cache", m->set->dir);
	const char *all = arena_printf(m->arena, "%s/arrive", cache);

	m->scratch = arena_printf(m->arena, "%s/%s", all, m->job->id);
	mkdir(cache, DATA_FOLDER);
	mkdir(all, 0700);
	if (mkdir(m->scratch, 0700) != 0 && errno != EEXIST) {
		m->t.error = arena_printf(m->arena, "%s cannot be made: %s", m->scratch, strerror(errno));
		return false;
	}
	empty_folder(m->arena, m->scratch);
	arena_on_end(m->arena, drop_scratch, m);
	return true;
}

/* ---- source and reader ---- */

static bool
list_archives(struct arriving *m, const struct archive_path *archives, size_t n)
{
	return unpack_archives(&m->t, archives, n, m->scratch, report_progress, m) && source_archive(&m->t, m->t.name, m->scratch);
}

static bool
list_source(struct arriving *m)
{
	struct stat st;

	if (m->path == NULL)
		return list_archives(m, m->uploads, m->upload_count);
	if (stat(m->path, &st) != 0) {
		m->t.error = arena_printf(m->arena, "%s: %s", m->path, strerror(errno));
		return false;
	}
	if (S_ISDIR(st.st_mode))
		return source_folder(&m->t, m->path);
	return list_archives(m, &(struct archive_path){ m->t.name, m->path }, 1);
}

static char *
reader_names(struct arena *a)
{
	struct buf b;
	size_t i;

	buf_init(&b, a, 4096);
	for (i = 0; arrive_readers[i] != NULL; i++)
		buf_printf(&b, "%s%s", i > 0 ? ", " : "", arrive_readers[i]->name);
	return b.p;
}

static bool
find_reader(struct arriving *m)
{
	struct arrival *t = &m->t;
	size_t i;

	for (i = 0; arrive_readers[i] != NULL; i++) {
		t->reader = arrive_readers[i];
		if (m->kind != NULL ? strcmp(m->kind, t->reader->name) == 0 : t->reader->is(t))
			return true;
	}
	t->error = m->kind != NULL ?
	    arena_printf(m->arena, "there is no reader \"%s\"; there are: %s", m->kind, reader_names(m->arena)) :
	    arena_printf(m->arena, "%s has no pages of a kind that is known (%s)", t->name, reader_names(m->arena));
	return false;
}

/* ---- the job ---- */

/* Finds an uploaded file that this job has taken. False, with the reason, if its bytes are not there. */
static bool
find_upload(struct arriving *m, const char *id, struct archive_path *out)
{
	struct import_file f;

	if (!import_file_find(m->db, m->arena, id, &f) || f.run == NULL || strcmp(f.run, m->job->id) != 0) {
		m->t.error = "a file of this import is not there any more: upload it again";
		return false;
	}
	if (!import_file_is_whole(m->arena, m->set, &f)) {
		m->t.error = arena_printf(m->arena, "parts of %s are not there any more: upload it again", f.name);
		return false;
	}
	*out = (struct archive_path){ f.name, import_file_folder(m->arena, m->set, f.id) };
	return true;
}

/* Finds the uploaded files of an API job, which names them by ids and never by paths. */
static bool
find_uploads(struct arriving *m, const cJSON *ids)
{
	const cJSON *id;
	bool found = true;

	m->uploads = arena_alloc(m->arena, ((size_t)cJSON_GetArraySize(ids) + 1) * sizeof(*m->uploads));
	db_begin(m->db, false);
	cJSON_ArrayForEach(id, ids)
		if (found && (found = cJSON_IsString(id) && find_upload(m, id->valuestring, &m->uploads[m->upload_count])))
			m->upload_count++;
	db_rollback(m->db);
	return found && m->upload_count > 0;
}

static bool
read_arguments(struct arriving *m)
{
	const cJSON *args = cJSON_Parse(m->job->args);
	const char *path = json_text_of(args, "path"), *name = json_text_of(args, "name");

	m->kind = json_text_of(args, "kind");
	m->kind = m->kind == NULL ? NULL : arena_strdup(m->arena, m->kind);
	/* Only a job of the admin's command may contain a path. */
	if (path != NULL && cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(args, "local")))
		m->path = arena_strdup(m->arena, path);
	else if (!find_uploads(m, cJSON_GetObjectItemCaseSensitive(args, "files")))
		return false;
	m->t.name = arena_strdup(m->arena, name != NULL ? name : m->path != NULL ? m->path : m->uploads[0].name);
	return true;
}

static void
init_arrival(struct arriving *m)
{
	struct arrival *t = &m->t;

	t->kept = m->arena;
	t->arena = arena_on_disk(m->arena, (size_t)8 << 30, NULL);
	t->scratch = arena_within(m->arena, (size_t)2 << 30);
	t->set = m->set;
	t->root = "";
	t->names = map_new(m->arena);
	t->once = map_new(m->arena);
	t->tags = map_new(m->arena);
	t->made_end = &t->made;
	t->warnings_end = &t->warnings;
	t->redirects_end = &t->redirects;
	/* This is the name for messages until the reader finds the file with the table of contents. */
	t->table = t->name;
}

static struct written *
convert_source(struct arriving *m)
{
	json_arena(m->arena);
	if (!read_arguments(m)) {
		if (m->t.error == NULL)
			m->t.error = "the job does not say what to import";
		return NULL;
	}
	init_arrival(m);
	/* Trees that are parsed stay as long as that of the source. */
	json_arena(m->t.arena);
	if (!make_scratch(m) || !report_progress(m, 0, 0) || !list_source(m) || !find_reader(m))
		return NULL;
	if (!m->t.reader->as_is && !m->t.reader->read(&m->t))
		return NULL;
	if (!m->t.reader->as_is && m->t.made == NULL) {
		m->t.error = arena_printf(m->arena, "%s has no pages", m->t.name);
		return NULL;
	}
	arrival_limit_depth(&m->t);
	return arrival_write(&m->t, m->scratch, report_progress, m);
}

/* The title of the source, or its name; cut to the length that a space may have. */
static const char *
space_title(struct arriving *m)
{
	struct str s = str_trim(str_of(m->t.title)), rest;
	size_t left = SPACE_TITLE_MAX, n;
	uint32_t cp;

	if (s.n == 0 || !utf8_valid(s))
		s = str_of(title_from_name(m->arena, str_of(m->t.name)));
	for (rest = s; left > 0 && (n = utf8_next(rest, &cp)) > 0; left--)
		rest = str_slice(rest, n, rest.n);
	if (rest.n > 0)
		arrival_warn(&m->t, STR(""), 0, "the title \"%.*s\" is longer than a space may have; it is cut", (int)(s.n < 400 ? s.n : 400), s.p);
	s = str_trim(str_slice(s, 0, s.n - rest.n));
	return arena_strndup(m->arena, s.p, s.n);
}

/* Frees the tree of the source; what the import needs of it is kept. */
static void
drop_tree(struct arriving *m)
{
	struct arrival *t = &m->t;

	t->title = space_title(m);
	t->name = arena_strdup(m->arena, t->name);
	t->language = t->language == NULL ? NULL : arena_strdup(m->arena, t->language);
	json_arena(NULL);
	arena_reset(t->scratch);
	arena_reset(t->arena);
}

static void
run_import(struct arriving *m, struct arena *a)
{
	struct import_origin origin;
	struct written *w = convert_source(m);

	if (w == NULL) {
		import_origin_failed(m->db, a, m->set, m->job, m->t.warnings, m->t.cancelled ? "cancelled" : "failed",
		    m->t.error != NULL ? m->t.error : "no reason is known");
		return;
	}
	drop_tree(m);
	origin = (struct import_origin){ .name = arena_printf(m->arena, "import:%s", m->t.reader->name),
		.message = arena_printf(m->arena, "Import of %s (%s)", m->t.name, m->t.reader->title),
		.commit = written_commit(w), .source = written_source(w), .title = m->t.title, .language = m->t.language, .warnings = m->t.warnings,
		.counts = arena_printf(m->arena, ",\"source\":\"%s\"", m->t.reader->name),
		.locate = written_locate, .dated = written_dated, .table_bytes = TABLE_MOST, .ctx = w };
	import_origin_run(m->db, a, m->set, m->job, &origin);
}

void
arrive_run(struct db *db, struct arena *a, const struct settings *set, const struct job *job)
{
	struct arriving *m = arena_alloc(a, sizeof(*m));

	*m = (struct arriving){ .db = db, .job = job, .set = set, .arena = arena_on_disk(a, (size_t)8 << 30, set->dir) };
	run_import(m, a);
	import_file_sweep(db, a, set);
}
