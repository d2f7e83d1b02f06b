/* octavo doctor: findings, and the two files that make them. */
#ifndef OCTAVO_DOCTOR_H
#define OCTAVO_DOCTOR_H

#include <setjmp.h>

#include "command/cli.h"

/* NOTE: worth a look, but nothing is broken. */
enum verdict { GOOD, NOTE, BAD };

struct finding {
	enum verdict    verdict;
	const char     *what, *advice;   /* advice: what to do, or NULL */
	struct finding *next;
};

struct doctor {
	struct cli     *cli;
	struct db      *db;
	struct finding *first, **last;
	size_t          bad;
	const char     *env_file;        /* settings of the units: its path */
	const char     *env;             /* and its text; NULL: there is none, or it may not be read */
	jmp_buf         escape;          /* where a statement fails */
};

/* Both texts must live as long as the command (its arena, or literals). */
void doctor_find(struct doctor *d, enum verdict verdict, const char *what, const char *advice);

/* doctor_data.c: names of settings; owners of files; the key, and damage, of an open database. */
void doctor_ask_settings(struct doctor *d);
void doctor_ask_owners(struct doctor *d);
void doctor_ask_content(struct doctor *d);

/* Reads the settings of the units: root's alone, so before the command becomes the owner of the data. */
void doctor_read_env(struct doctor *d);

/* Asks through the address by which clients come: does Octavo answer, this one, and with the token's header? */
void doctor_ask_web(struct doctor *d);

#endif
