/*
 * The frame of octavo-api and octavo-site, as FastCGI workers and as plain CGI programs (RFC 3875).
 * Opens the data, gives each request an arena, handles failures, sends an answer when a bug ends
 * the process, and exits after the program or the schema was replaced.
 */
#include <errno.h>
#include <fcgiapp.h>
#include <malloc.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/ready.h"
#include "app/setup.h"
#include "idle.h"
#include "base/file.h"
#include "base/json.h"
#include "base/log.h"
#include "base/panic.h"
#include "base/secret.h"
#include "base/served.h"
#include "base/watch.h"
#include "serve.h"
#include "signin/link.h"

/*
 * REQUEST_CAP is also the limit of the process's data, see limit_memory(). PIECE and LARGE make a
 * worker return memory after a large request.
 */
enum {
	LISTEN_FD     = 0,
	REQUEST_CAP   = 1 << 30,   /* memory limit of a worker, bytes */
	PIECE         = 1 << 20,   /* freed blocks of this size return to the system */
	PASSED        = 64 << 10,  /* bytes that a slow client receives well within the time limit of a request */
	LARGE         = 4 << 20,   /* a request that used more returns all its memory */
	SHORT_LIFE_MS = 1000,
	BREATH_MS     = 10
};

struct fcgi_io {
	struct io     io;      /* must be first: code casts struct io * to struct fcgi_io * */
	FCGX_Request  request;
};

static bool answered;      /* part of the current answer was sent */
static int64_t born;       /* start time of this worker, ms; 0: a plain CGI program */

/* ---- FastCGI ---- */

/*
 * Same as FCGX_GetParam(), but faster: the first byte rules out most lines. A request reads about a
 * dozen names.
 */
static const char *
fcgi_param(struct io *io, const char *name)
{
	char **line = ((struct fcgi_io *)io)->request.envp;
	size_t n = strlen(name);

	for (; *line != NULL; line++)
		if (**line == *name && strncmp(*line, name, n) == 0 && (*line)[n] == '=')
			return *line + n + 1;
	return NULL;
}

/* libfcgi takes lengths as int. */
static long
fcgi_read(struct io *io, void *p, size_t n)
{
	watch_busy();
	return FCGX_GetStr(p, n > 1 << 20 ? 1 << 20 : (int)n, ((struct fcgi_io *)io)->request.in);
}

static bool
fcgi_write(struct io *io, const void *p, size_t n)
{
	const char *s = p;

	answered = true;
	while (n > 0) {
		int part = n > PASSED ? PASSED : (int)n;

		watch_busy();
		if (FCGX_PutStr(s, part, ((struct fcgi_io *)io)->request.out) != part)
			return false;
		s += part;
		n -= (size_t)part;
	}
	return true;
}

/* ---- CGI (RFC 3875) ---- */

/* The process environment belongs to its single request (RFC 3875 section 4.1). */
static const char *
cgi_param(struct io *io, const char *name)
{
	(void)io;
	return getenv(name);
}

static long
cgi_read(struct io *io, void *p, size_t n)
{
	static long long left = -1;
	const char *length = getenv("CONTENT_LENGTH");
	long got;

	(void)io;
	/* Read only what was announced: the web server need not close the pipe. */
	if (left < 0)
		left = length == NULL ? 0 : strtoll(length, NULL, 10);
	if ((long long)n > left)
		n = (size_t)left;
	got = n == 0 ? 0 : read(STDIN_FILENO, p, n);
	if (got > 0)
		left -= got;
	return got;
}

static bool
cgi_write(struct io *io, const void *p, size_t n)
{
	const char *s = p;
	ssize_t done;

	(void)io;
	answered = true;
	while (n > 0) {
		done = write(STDOUT_FILENO, s, n);
		if (done <= 0)
			return false;
		s += done;
		n -= (size_t)done;
	}
	return true;
}

/* ---- both ---- */

/* The current request, for answer_panic(); NULL between requests. */
static struct io *current;

/*
 * Supervisors restart a program immediately. A program that fails within its first second waits
 * until that second is over, so that restarts do not use up the processor.
 */
static void
wait_out_life(void)
{
	int64_t left = born + SHORT_LIFE_MS - time_now();

	if (born != 0 && left > 0 && left <= SHORT_LIFE_MS)
		poll(NULL, 0, (int)left);
}

/* Sends a last answer when a bug ends the process. */
static void
answer_panic(const char *message)
{
	static const char text[] = "Status: 500 Internal Server Error\r\n"
	    "Content-Type: application/json\r\nCache-Control: no-store\r\n\r\n"
	    "{\"error\":{\"code\":500,\"message\":\"internal error\"}}";

	(void)message;
	if (current != NULL && !answered)
		current->write(current, text, sizeof(text) - 1);
	/* libfcgi buffers the answer until the request is finished. */
	if (current != NULL && born != 0)
		FCGX_Finish_r(&((struct fcgi_io *)current)->request);
	wait_out_life();
}

/*
 * The web server's parameter takes precedence over the environment: mod_fcgid and SetEnv pass
 * settings only with requests.
 */
static const char *
get_setting(void *ctx, const char *name)
{
	const char *v = ctx == NULL ? NULL : ((struct io *)ctx)->param(ctx, name);

	return v != NULL ? v : getenv(name);
}

/* Jump target for failures while the data is opened; later failures use the request's own. */
static jmp_buf unopened;
static char failure[512];

static void
on_open_failure(void *ctx, enum db_failure f, const char *message)
{
	(void)ctx;
	(void)f;
	snprintf(failure, sizeof(failure), "%s", message);
	longjmp(unopened, 1);
}

/* For setup_once(). */
static char *
first_link(struct db *db, struct arena *a, const struct settings *set, const char *user)
{
	int64_t ends_at;

	return link_make(db, a, set, user, "invite", &ends_at);
}

/* Returns NULL, or an error (in w->life). w->set is NULL if the settings are invalid. */
static const char *
open_data(struct worker *w, struct io *io, bool compile)
{
	struct setup_link link = { .make = first_link };
	const char *error;
	struct db_options o;

	w->older_schema = false;
	w->set = settings_read(w->life, get_setting, io, &error);
	if (w->set == NULL)
		return error;
	/* Copy it: parameters end with their request, settings stay. */
	w->set->dir = arena_strdup(w->life, w->set->dir);
	link.set = w->set;
	if ((error = setup_once(w->life, w->set->dir, &link)) != NULL || (error = secret_open(w->life, w->set->dir)) != NULL)
		return error;
	o = (struct db_options){ .relaxed = w->set->relaxed, .older_schema = &w->older_schema };
	if ((w->db = setup_open(w->life, w->set->dir, &o, &error)) == NULL)
		return error;
	/* A damaged file is detected when the first statement is prepared. */
	db_on_fail(w->db, on_open_failure, NULL);
	/* Safe after longjmp(): no local variable that is read there was changed after setjmp(). */
	if (setjmp(unopened) != 0) {
		db_close(w->db);
		w->db = NULL;
		return arena_printf(w->life, "octavo.db: %s", failure);
	}
	if (compile)
		db_compile_all(w->db);
	return NULL;
}

/*
 * Copies settings that came with a request into the environment, for the job runner that this
 * worker may start (app/start_runner.c).
 */
static void
keep_settings(struct io *io)
{
	static const char prefix[] = "OCTAVO_";
	char **line, *eq;

	for (line = ((struct fcgi_io *)io)->request.envp; *line != NULL; line++)
		if (strncmp(*line, prefix, sizeof(prefix) - 1) == 0 && (eq = strchr(*line, '=')) != NULL) {
			*eq = '\0';
			setenv(*line, eq + 1, 1);
			*eq = '=';
		}
}

/*
 * Opens the data if it is not open. An admin has to fix the cause of a failure (the key of another
 * installation, an old schema), so each request tries again. Each reason is logged once.
 */
static const char *
try_open(struct worker *w, struct io *io)
{
	static char last[512];
	const char *error;

	if (w->db != NULL)
		return NULL;
	arena_reset(w->life);
	w->set = NULL;
	if (io != NULL)
		keep_settings(io);
	error = open_data(w, io, true);
	if (error != NULL && strncmp(error, last, sizeof(last) - 1) != 0) {
		log_line("not ready: %s", error);
		if (w->older_schema)
			ready_note(w->life, w->set->dir, w->name, true);
	}
	else if (error == NULL && *last != '\0')
		log_line("ready again");
	if (error == NULL) {
		watch_open(w->set->dir);
		watch_join();
	}
	/*
	 * Drop kept answers: another build, a database since restored, or a power cut may have left
	 * them invalid.
	 */
	if (error == NULL) {
		served_drop(w->set->dir);
		ready_note(w->life, w->set->dir, w->name, false);
	}
	snprintf(last, sizeof(last), "%s", error != NULL ? error : "");
	return error;
}

/*
 * Calls try_open(). If the schema is older, it retries until the schema is current, or until
 * READY_PATIENCE_MS after the first failure (app/ready.h).
 */
static const char *
open_patiently(struct worker *w, struct io *io)
{
	static int64_t end;
	const char *error = try_open(w, io);

	if (error == NULL || !w->older_schema) {
		end = 0;
		return error;
	}
	if (end == 0)
		end = time_steady() + READY_PATIENCE_MS;
	while (error != NULL && w->older_schema && time_steady() < end && idle_pause(READY_LOOK_MS))
		error = try_open(w, io);
	return error;
}

static void
serve_one(struct worker *w, struct io *io)
{
	bool large;

	current = io;
	answered = false;
	w->handle(w, io);
	/* Read it before the arena is reset. */
	large = arena_used(w->arena) > LARGE;
	current = NULL;
	arena_reset(w->arena);
	/* Also returns free memory between blocks that are in use. */
	if (large)
		malloc_trim(0);
}

/*
 * A worker that gets a request also checks the other workers for hung requests, since there may be
 * no supervisor that does.
 */
static void
serve_watched(struct worker *w, struct io *io)
{
	watch_busy();
	watch_look(w->set->request_seconds * 1000, NULL);
	serve_one(w, io);
}

/* Returns the reason without the path of the data directory, which clients must not see. */
static const char *
reason_for_client(struct worker *w, const char *why)
{
	const char *dir = w->set != NULL ? arena_printf(w->arena, "%s/", w->set->dir) : "";
	const char *at = *dir != '\0' ? strstr(why, dir) : NULL;

	if (at == NULL)
		return why;
	return arena_printf(w->arena, "%.*s%s", (int)(at - why), why, at + strlen(dir));
}

static void
not_ready(struct worker *w, struct io *io, const char *why)
{
	struct json j;
	struct buf b;

	buf_init(&b, w->arena, 64 << 10);
	buf_printf(&b, "Status: 503 Service Unavailable\r\nRetry-After: 5\r\n"
	    "Content-Type: application/json\r\nCache-Control: no-store\r\n\r\n");
	json_init(&j, &b);
	json_obj(&j);
	json_kobj(&j, "error");
	json_kint(&j, "code", 503);
	json_kstr(&j, "message", arena_printf(w->arena, "Octavo is not ready: %s",
	    reason_for_client(w, why)));
	json_end(&j);
	json_end(&j);
	io->write(io, b.p, b.n);
	arena_reset(w->arena);
}

static int
run_cgi(struct worker *w)
{
	struct io io = { cgi_param, cgi_read, cgi_write };
	int64_t end = time_steady() + READY_PATIENCE_CGI_MS;
	const char *error;

	/* On trial (command/service/service_trial.c), the admin waits for the reason. */
	if (getenv("OCTAVO_TRIAL") != NULL)
		end = 0;
	while ((error = open_data(w, &io, false)) != NULL && w->older_schema && time_steady() < end) {
		poll(NULL, 0, READY_LOOK_MS);
		arena_reset(w->life);
	}
	if (error != NULL) {
		log_line("not ready: %s", error);
		not_ready(w, &io, error);
	} else
		serve_one(w, &io);
	db_close(w->db);
	return 0;
}

static int
cannot_start(const char *why)
{
	log_line("%s", why);
	wait_out_life();
	return 1;
}

/* An outdated worker ends; its supervisor starts another one, from the newer program. */
static bool
is_outdated(const struct worker *w)
{
	if (w->db == NULL || !db_outdated(w->db))
		return false;
	log_line("the database was migrated or replaced; this worker ends");
	return true;
}

static int
run_fcgi(struct worker *w)
{
	struct fcgi_io f = { .io = { fcgi_param, fcgi_read, fcgi_write } };
	const char *error;
	int failed;

	born = time_now();
	signal(SIGPIPE, SIG_IGN);
	if (!idle_init(LISTEN_FD) || FCGX_InitRequest(&f.request, LISTEN_FD, 0) != 0)
		return cannot_start(strerror(errno));
	watch_listen(LISTEN_FD);
	/*
	 * If the web server passes its settings with each request (mod_fcgid, cgi/launch.c), the
	 * first request opens the data.
	 */
	if (getenv("OCTAVO_DIR") != NULL && getenv("OCTAVO_LATE") == NULL)
		open_patiently(w, NULL);
	while (idle_wait()) {
		if ((failed = FCGX_Accept_r(&f.request)) != 0) {
			/*
			 * -EAGAIN: another worker took the request. Other errors, such as no free
			 * descriptor, may last: pause.
			 */
			if (failed != -EAGAIN)
				poll(NULL, 0, BREATH_MS);
			continue;
		}
		if ((error = open_patiently(w, &f.io)) != NULL)
			not_ready(w, &f.io, error);
		else
			serve_watched(w, &f.io);
		FCGX_Finish_r(&f.request);
		watch_idle();
		/*
		 * Checked between requests: a request finishes with the database that it began
		 * with.
		 */
		if (is_outdated(w))
			break;
	}
	db_close(w->db);
	return 0;
}

/*
 * Limits memory. The C library raises its own thresholds for keeping freed memory, up to 64 MB;
 * fixed thresholds prevent that. RLIMIT_DATA also covers memory of libraries: beyond it an
 * allocation fails, which is a panic. Not used under AddressSanitizer, because its shadow memory
 * would count.
 */
static void
limit_memory(void)
{
	struct rlimit data;

	mallopt(M_MMAP_THRESHOLD, PIECE);
	mallopt(M_TRIM_THRESHOLD, PIECE);
#if !defined(__SANITIZE_ADDRESS__)
	/*
	 * Set only the soft limit: the job runner that a worker starts raises it again
	 * (app/start_runner.c).
	 */
	if (getrlimit(RLIMIT_DATA, &data) == 0 && data.rlim_max > REQUEST_CAP) {
		data.rlim_cur = REQUEST_CAP;
		setrlimit(RLIMIT_DATA, &data);
	}
#else
	(void)data;
#endif
}

int
serve_main(const char *name, void (*handle)(struct worker *, struct io *))
{
	struct worker w = { .name = name, .life = arena_new(1 << 20), .arena = arena_new(REQUEST_CAP),
		.handle = handle };
	int rc;

	umask(OWN_UMASK);
	limit_memory();
	/*
	 * All times are UTC. Without TZ, the C library reads a time zone file at the first
	 * conversion.
	 */
	setenv("TZ", "UTC0", 1);
	log_program(name);
	panic_hook(answer_panic);
	FCGX_Init();
	w.cgi = FCGX_IsCGI();
	rc = w.cgi ? run_cgi(&w) : run_fcgi(&w);
	arena_free(w.arena);
	arena_free(w.life);
	return rc;
}
