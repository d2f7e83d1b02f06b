/*
 * Reads and writes the note octavo.backup, which describes the contents of a backup. Contract:
 * backup_parts.h.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "backup_parts.h"

/*
 * Reads lines that older notes do not have, in any order. Unknown lines are skipped, as older
 * programs do.
 */
static void
read_identity(FILE *f, struct backup_note *n)
{
	char line[128], word[32], value[65];

	while (fgets(line, sizeof(line), f) != NULL) {
		if (sscanf(line, "%31s %64s", word, value) != 2)
			continue;
		if (strcmp(word, "installation") == 0)
			snprintf(n->installation, sizeof(n->installation), "%.32s", value);
		if (strcmp(word, "keymark") == 0)
			snprintf(n->key_mark, sizeof(n->key_mark), "%.32s", value);
		for (int i = 0; i < BACKUP_COUNTS; i++)
			if (strcmp(word, backup_counted[i].table) == 0)
				n->counts[i] = strtoll(value, NULL, 10);
	}
}

/* Field widths limit what is read, since the file may contain anything. */
bool
backup_note_read(FILE *f, struct backup_note *n)
{
	char taken[32], key[8];
	bool ok;

	backup_note_unknown(n);
	ok = fscanf(f, "octavo backup 1\ntaken %31s\nschema %d\nsize %" SCNd64 "\nhash %64s\nfiles %" SCNd64
	    "\nkey %7s", taken, &n->schema, &n->size, n->hash, &n->files, key) == 6 &&
	    time_parse(taken, &n->taken);
	n->key = ok && strcmp(key, "yes") == 0;
	if (ok)
		read_identity(f, n);
	return ok;
}

bool
backup_note_take(struct backup *b, const char *name)
{
	FILE *f = fopen(backup_in(b, b->to, name), "re");
	bool ok = f != NULL && backup_note_read(f, &b->note);

	if (f != NULL)
		fclose(f);
	return ok;
}

char *
backup_note_text(struct arena *a, const struct backup_note *n)
{
	char taken[25], *text;

	time_format(n->taken, taken);
	text = arena_printf(a, "octavo backup 1\ntaken %s\nschema %d\nsize %" PRId64 "\nhash %s\nfiles %" PRId64
	    "\nkey %s\n", taken, n->schema, n->size, n->hash, n->files, n->key ? "yes" : "no");
	if (*n->installation != '\0')
		text = arena_printf(a, "%sinstallation %s\n", text, n->installation);
	if (*n->key_mark != '\0')
		text = arena_printf(a, "%skeymark %s\n", text, n->key_mark);
	for (int i = 0; i < BACKUP_COUNTS; i++)
		if (n->counts[i] >= 0)
			text = arena_printf(a, "%s%s %" PRId64 "\n", text, backup_counted[i].table, n->counts[i]);
	return text;
}

const char *
backup_note_write(struct backup *b, const char *name)
{
	const char *path = backup_in(b, b->to, name);
	FILE *f = fopen(path, "we");

	if (f == NULL)
		return backup_failed(b, path);
	fputs(backup_note_text(b->arena, &b->note), f);
	/* Only fclose() detects a full disk, because it writes the buffer. */
	return fclose(f) == 0 ? NULL : backup_failed(b, path);
}
