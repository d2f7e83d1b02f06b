/*
 * Settings. The value of a setting comes from the web server's parameters, otherwise from the
 * environment; otherwise it is the default. docs/operate/settings.md describes all of them.
 */
#ifndef OCTAVO_SETTINGS_H
#define OCTAVO_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/*
 * Default of OCTAVO_REQUEST_SECONDS. It must be longer than the web server waits
 * (fastcgi_read_timeout, nginx/locations.conf).
 */
enum { SETTINGS_REQUEST_SECONDS = 90 };

struct settings {
	const char *dir;            /* OCTAVO_DIR: data directory, without a slash at its end */
	const char *url;            /* OCTAVO_URL: public base address, without a slash at its end */
	const char *cors;           /* OCTAVO_CORS: "*", "" or origins separated by blanks */
	const char *proxies;        /* OCTAVO_PROXIES: trusted proxies, as ADDRESS or ADDRESS/BITS separated by blanks; "": none */
	int64_t     max_body;       /* OCTAVO_MAX_BODY: bytes */
	int64_t     request_seconds;   /* OCTAVO_REQUEST_SECONDS: see base/watch.h */
	int64_t     work;           /* OCTAVO_WORK: percent of the processors that one user may use in the long run; 0: all */
	bool        relaxed;        /* OCTAVO_SYNC=normal: commits are not synced to disk one by one */
	const char *access_log;     /* OCTAVO_ACCESS_LOG: a file, "stderr", or "" for none */
	bool        app;            /* OCTAVO_APP=0: no application, only sign-in and the account below /app */
	bool        self_check;     /* OCTAVO_SELFCHECK=1: every reply is checked against its shape */
	const char *jobs;           /* OCTAVO_JOBS: path of octavo-jobs, started after a job was queued; "" never */
	int64_t     job_processes;  /* OCTAVO_JOB_PROCESSES: how many jobs that work on this machine may run at once */
	int64_t     job_remote;     /* OCTAVO_JOB_REMOTE: how many jobs that wait for other servers may run at once */
	int64_t     job_long;       /* OCTAVO_JOB_LONG: how many jobs that may take hours may run at once */
	int64_t     least_rate;     /* OCTAVO_LEAST_RATE: slowest transfer to or from a server, bytes per second; 0: any */
	int         patience;       /* OCTAVO_PATIENCE: seconds for which a transfer may be slower than least_rate */
	const char *git_root;       /* OCTAVO_GIT_ROOT: folder below which file: addresses are allowed; "" none */
	bool        git_private;    /* OCTAVO_GIT_PRIVATE=1: loopback and private hosts too */
	int         git_seconds;    /* OCTAVO_GIT_SECONDS: time for a whole fetch */
	int64_t     git_bytes;      /* OCTAVO_GIT_BYTES: largest fetch */
	int64_t     git_objects;    /* OCTAVO_GIT_OBJECTS: most objects of a fetch */
	int64_t     git_memory;     /* OCTAVO_GIT_MEMORY: address space of the fetching process */
	int64_t     import_pages;   /* OCTAVO_IMPORT_PAGES: most pages, groups and links */
	int64_t     import_depth;   /* OCTAVO_IMPORT_DEPTH: deepest nesting of pages */
	int64_t     import_page_bytes; /* OCTAVO_IMPORT_PAGE_BYTES: maximum size of an imported page */
	int64_t     import_file_bytes; /* OCTAVO_IMPORT_FILE_BYTES: largest other file */
	int64_t     import_uploads; /* OCTAVO_IMPORT_UPLOADS: maximum bytes of an organization's uploaded archives; 0: uploads are off */
	int64_t     import_seconds; /* OCTAVO_IMPORT_SECONDS: time for the whole job */
	const char *analyse;        /* OCTAVO_ANALYSE: a program that finds the issues of conversations; "" the built-in one */
	bool        fetch_private;  /* OCTAVO_FETCH_PRIVATE=1: files on loopback and private hosts too */
	int         fetch_seconds;  /* OCTAVO_FETCH_SECONDS: time for one file, or for all documents of a specification */
	int64_t     fetch_bytes;    /* OCTAVO_FETCH_BYTES: largest file that is fetched */
	int         translate_seconds; /* OCTAVO_TRANSLATE_SECONDS: longest wait for one batch */
	int64_t     openapi_versions;  /* OCTAVO_OPENAPI_VERSIONS: number of versions of a specification that are kept */
	int         openapi_hours;  /* OCTAVO_OPENAPI_HOURS: hours between two fetches of a specification's address */
	int64_t     pdf_bytes;      /* OCTAVO_PDF_BYTES: maximum size of the PDFs that are kept for one organization */
	const char *pdf_paper;      /* OCTAVO_PDF_PAPER: "a4" or "letter" */
	const char *mermaid;        /* OCTAVO_MERMAID: path of the script that draws diagrams on sites; "": none */
	const char *pandoc;         /* OCTAVO_PANDOC: path of the program that writes EPUB and DOCX */
	const char *pdf_font;       /* OCTAVO_PDF_FONT: font families for text, separated by commas; "": any installed one */
	int         purge_days;     /* OCTAVO_PURGE_DAYS: days after which deleted spaces are removed permanently */
	int         workers;        /* OCTAVO_WORKERS or OCTAVO_POOL: number of workers of octavo-api; 2 if neither is set */
	int         session_idle;   /* OCTAVO_SESSION_IDLE: hours after which an unused session ends */
	int         session_days;   /* OCTAVO_SESSION_DAYS: days after which a session ends, even if it is used */
	int64_t     password_memory; /* OCTAVO_PASSWORD_MEMORY: MiB that hashing of passwords may take in all programs */
	const char *sendmail;       /* OCTAVO_SENDMAIL: a program that takes a mail, as sendmail -t does; "" no mail is sent */
	const char *oidc_issuer;    /* OCTAVO_OIDC_ISSUER: issuer of the OpenID provider, exactly as it spells it; "": none */
	const char *oidc_client;    /* OCTAVO_OIDC_CLIENT: the client id that the provider gave */
	const char *oidc_secret;    /* OCTAVO_OIDC_SECRET: the client secret that the provider gave; "": a public client */
	const char *oidc_name;      /* OCTAVO_OIDC_NAME: name of the provider on its button; "": the host of the issuer */
};

/*
 * Reads the settings. get() returns the value of a name, or NULL. Returns NULL, with a message in
 * *error, if a value is no number although one is required, or is out of range. All results are in
 * the arena.
 */
struct settings *settings_read(struct arena *a, const char *(*get)(void *ctx, const char *name),
    void *ctx, const char **error);

/* Reads the settings from the environment alone. */
struct settings *settings_env(struct arena *a, const char **error);

/*
 * The value of the header Access-Control-Allow-Origin for a request from this origin (NULL: it has no
 * Origin header): "*", the origin itself, or NULL if it is not allowed. If the setting is not "*",
 * answers also need Vary: Origin.
 */
const char *settings_cors(const struct settings *s, const char *origin);

/* Path of the database: DIR/octavo.db. */
char *settings_db(struct arena *a, const struct settings *s);

#endif
