/* octavo doctor: findings, and the functions that add them. */
#ifndef OCTAVO_DOCTOR_H
#define OCTAVO_DOCTOR_H

#include <setjmp.h>
#include <sys/types.h>

#include "command/cli.h"

/* NOTE: worth attention, but not broken. */
enum verdict { GOOD, NOTE, BAD };

struct finding {
	enum verdict    verdict;
	const char     *what, *advice;   /* what: the finding; advice: what to do, or NULL */
	struct finding *next;
};

/* Limits: groups of a process, sockets of a configuration, and programs that are examined. */
enum { WEB_GROUPS = 64, WEB_SOCKETS = 8, WORKERS = 64 };

/* A web server whose configuration names this installation. */
struct web_server {
	const char        *program;      /* "nginx", "apache2", "httpd" */
	const char        *conf;         /* path of its main configuration file */
	const char        *user;         /* name of the user that opens files */
	uid_t              uid;
	gid_t              gid, groups[WEB_GROUPS];   /* all groups, gid included */
	size_t             group_count;
	pid_t              master;       /* 0: not running; user and groups are derived from its configuration */
	const char        *sockets[WEB_SOCKETS];      /* sockets to which it sends requests for this installation */
	size_t             socket_count;
	bool               starts_jobs;  /* its configuration sets OCTAVO_JOBS */
	struct web_server *next;
};

struct doctor {
	struct cli        *cli;
	struct db         *db;
	struct finding    *first, **last;
	size_t             bad;
	const char        *env_file;     /* path of the units' environment file */
	const char        *env;          /* text of that file; NULL: missing or not readable */
	const struct settings *set;      /* of the environment and that file; NULL: one of them is wrong */
	uid_t              uid;          /* user of the programs; must own the data */
	gid_t              gid;
	pid_t              workers[WORKERS];   /* Octavo programs that have the database open */
	size_t             worker_count;
	struct web_server *servers;
	jmp_buf            escape;       /* jump target when a statement fails */
};

/* Adds a finding. Both texts must live as long as the command (in its arena, or literals). */
void doctor_find(struct doctor *d, enum verdict verdict, const char *what, const char *advice);

/* Names of a user and of a group for messages. */
const char *doctor_user(struct arena *a, uid_t uid);
const char *doctor_group(struct arena *a, gid_t gid);

/* Returns "chown -R USER:GROUP DIR", the command that returns the data to the programs' user. */
const char *doctor_chown(struct doctor *d);

/* Calls fn for each process of the machine that is not in a container. */
void doctor_each_process(struct doctor *d, void (*fn)(struct doctor *d, pid_t pid));

/*
 * These run as root, before the command switches to the owner of the data, because they read what
 * only root can see: the user of the programs; the web servers.
 */
void doctor_find_owner(struct doctor *d);
void doctor_find_servers(struct doctor *d);

/*
 * doctor_data.c: checks the settings; owners and modes of files; the key, and damage of an open
 * database.
 */
void doctor_check_settings(struct doctor *d);
void doctor_check_owners(struct doctor *d);
void doctor_check_content(struct doctor *d);

/*
 * doctor_access.c: checks that the web server can read the files that it sends, and connect to the
 * programs' sockets.
 */
void doctor_check_access(struct doctor *d);

/* doctor_provider.c: checks that signing in is encrypted, and that the installation's OpenID provider answers. */
void doctor_check_sign_in(struct doctor *d);

/*
 * doctor_provider.c: checks what only the database shows: the certificates of SAML providers, and that
 * octavo-saml and octavo-passkey are installed if they are used.
 */
void doctor_check_providers(struct doctor *d);

/* doctor_jobs.c: checks that a job runner is active, and that no job is overdue. */
void doctor_check_jobs(struct doctor *d);

/*
 * doctor_web.c: makes requests through the public address: does Octavo answer there, is it this
 * installation, and does the Authorization header arrive?
 */
void doctor_check_web(struct doctor *d);

#endif
