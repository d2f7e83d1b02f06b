/* octavo doctor: findings, and the files that make them. */
#ifndef OCTAVO_DOCTOR_H
#define OCTAVO_DOCTOR_H

#include <setjmp.h>
#include <sys/types.h>

#include "command/cli.h"

/* NOTE: worth a look, but nothing is broken. */
enum verdict { GOOD, NOTE, BAD };

struct finding {
	enum verdict    verdict;
	const char     *what, *advice;   /* advice: what to do, or NULL */
	struct finding *next;
};

/* At most so many groups of a process, sockets of a configuration and programs are looked at. */
enum { WEB_GROUPS = 64, WEB_SOCKETS = 8, WORKERS = 64 };

/* A web server whose configuration names this installation. */
struct web_server {
	const char        *program;      /* "nginx", "apache2", "httpd" */
	const char        *conf;         /* its first file of configuration */
	const char        *user;         /* as whom it opens files */
	uid_t              uid;
	gid_t              gid, groups[WEB_GROUPS];   /* groups: all, gid included */
	size_t             group_count;
	pid_t              master;       /* 0: it does not run, and its configuration says who it would be */
	const char        *sockets[WEB_SOCKETS];      /* where it sends requests for this installation */
	size_t             socket_count;
	bool               starts_jobs;  /* it sets OCTAVO_JOBS */
	struct web_server *next;
};

struct doctor {
	struct cli        *cli;
	struct db         *db;
	struct finding    *first, **last;
	size_t             bad;
	const char        *env_file;     /* settings of the units: its path */
	const char        *env;          /* and its text; NULL: there is none, or it may not be read */
	uid_t              uid;          /* as whom the programs run, to whom the data has to belong */
	gid_t              gid;
	pid_t              workers[WORKERS];   /* programs that have the database open */
	size_t             worker_count;
	struct web_server *servers;
	jmp_buf            escape;       /* where a statement fails */
};

/* Both texts must live as long as the command (its arena, or literals). */
void doctor_find(struct doctor *d, enum verdict verdict, const char *what, const char *advice);

/* Names for people: of a user, of a group. */
const char *doctor_user(struct arena *a, uid_t uid);
const char *doctor_group(struct arena *a, gid_t gid);

/* "chown -R USER:GROUP DIR": what gives the data back to the programs. */
const char *doctor_chown(struct doctor *d);

/* Calls fn for each process of the machine. */
void doctor_each_process(struct doctor *d, void (*fn)(struct doctor *d, pid_t pid));

/*
 * Called as root, before the command becomes the owner of the data, for they ask what root alone may see:
 * doctor_read_env() the settings of the units, doctor_find_owner() as whom programs run,
 * doctor_find_servers() the web servers.
 */
void doctor_read_env(struct doctor *d);
void doctor_find_owner(struct doctor *d);
void doctor_find_servers(struct doctor *d);

/* doctor_data.c: settings; owners and modes of files; the key, and damage, of an open database. */
void doctor_ask_settings(struct doctor *d);
void doctor_ask_owners(struct doctor *d);
void doctor_ask_content(struct doctor *d);

/* doctor_access.c: may the web server read what it sends, and reach the programs? */
void doctor_ask_access(struct doctor *d);

/* doctor_jobs.c: does a job runner work, and is a job overdue? */
void doctor_ask_jobs(struct doctor *d);

/* doctor_web.c: asks through the address by which clients come: does Octavo answer, this one, and with the token's header? */
void doctor_ask_web(struct doctor *d);

#endif
