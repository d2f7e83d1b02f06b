/*
 * Runs transactions of a test again when they meet another one (DB_AGAIN of db/db.h), as requests and
 * jobs do. work() begins its transactions itself. Over SQLite it runs once.
 */
#ifndef AGAIN_H
#define AGAIN_H

#include <setjmp.h>
#include <stdlib.h>
#include <time.h>

#include "base/panic.h"
#include "db/db.h"

static __attribute__((unused, noreturn)) void
again_failed(void *ctx, enum db_failure f, const char *message)
{
	if (f != DB_AGAIN)
		panic("%s", message);
	longjmp(*(jmp_buf *)ctx, 1);
}

static __attribute__((unused)) void
run_again(struct db *db, void (*work)(void *ctx), void *ctx)
{
	jmp_buf escape;

	db_on_fail(db, again_failed, &escape);
	if (setjmp(escape) != 0) {
		db_rollback(db);
		nanosleep(&(struct timespec){ 0, (long)(rand() % 1000) * 5000 }, NULL);
	}
	work(ctx);
	db_on_fail(db, NULL, NULL);
}

#endif
