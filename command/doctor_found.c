/* Output of doctor's findings. Contract: doctor.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "base/json.h"
#include "base/secret.h"
#include "db/db.h"
#include "doctor.h"
#include "command/service.h"

/* advice may be NULL. Findings are printed in the order in which they are added. */
void
doctor_find(struct doctor *d, enum verdict verdict, const char *what, const char *advice)
{
	struct finding *f = arena_alloc(d->cli->arena, sizeof(*f));

	*f = (struct finding){ verdict, what, advice, NULL };
	*d->last = f;
	d->last = &f->next;
	d->bad += verdict == BAD;
}
