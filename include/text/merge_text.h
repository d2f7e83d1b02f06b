/*
 * Merging and comparing texts. Pure functions of bytes: no database, and everything is allocated in
 * the caller's arena.
 *
 * A line is its bytes up to and including the "\n" (a "\r" before it is part of the line); the last
 * line may lack the "\n". Two lines are equal if their bytes are equal, so a missing final newline
 * is a difference.
 */
#ifndef OCTAVO_MERGE_TEXT_H
#define OCTAVO_MERGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/*
 * Lines are aligned by Myers' O(ND) algorithm in linear space (An O(ND) Difference Algorithm and
 * Its Variations, 1986, section 4b). Its cost is limited: lines that were not compared when the
 * limit is reached count as replaced, so that hostile input takes nearly linear time.
 */

/* A place where both sides changed the same lines of the base in different ways. */
struct text_conflict {
	struct text_conflict *next;
	struct str            base, ours, theirs;  /* whole lines; any may be empty */
	size_t                line;                /* 1-based number of the first line of the place, in ours */
	size_t                at;                  /* bytes of *out before the place */
};

/*
 * Three-way merge by lines, as `git merge-file` does it (diff3): adjacent changes conflict, and
 * equal changes of both sides are taken once. Two things are different. Both sides may change the
 * same list, table, row or group of tabs, even in adjacent lines, as long as they change different
 * pieces of it (items, rows, cells of a row, {% tab %} and the like). If both sides add something
 * at the same place, both additions are taken, theirs before ours.
 *
 * Moved lines:
 * - A paragraph, item or row that one side moved and the other edited is edited at its new place,
 *   unless that place has another conflict.
 * - If both sides moved the same complete block to different places, and it is not code, it is kept
 *   once: at the first place, or at the place where a side wrote something beside it. If both sides
 *   wrote something beside it, it is kept at both places (src/text/merge_twice.h).
 * - A piece that one side moved and the other deleted is kept at its new place.
 *
 * True: *out is the merged text, and *conflicts is NULL. False: *conflicts lists the conflicts in
 * order, and *out is the text with `ours` in each of them. *out may be one of the arguments.
 */
bool merge_text(struct arena *a, struct str base, struct str ours, struct str theirs,
    struct str *out, struct text_conflict **conflicts);

/*
 * Keeps both versions of a conflict: one after the other, with a blank line between them unless
 * both are items of a list or rows of a table.
 */
struct str merge_both(struct arena *a, struct str first, struct str second);

/*
 * Three-way merge of JSON objects, member by member. Members are compared by value: the order of
 * members and the spelling of numbers do not matter, and an absent member counts as a value of its
 * own. True: *out is the merged object. False: *field is the name of the first member in conflict,
 * and *out is the object with the value of `ours` in each conflict. An argument that is NULL or not
 * a JSON object counts as {}.
 */
bool merge_json(struct arena *a, const char *base, const char *ours, const char *theirs,
    const char **out, const char **field);

/*
 * Writes a unified diff in the form of POSIX `diff -u`, with context lines around each change and
 * without time stamps. A last line without its newline is followed by "\ No newline at end of
 * file". Writes nothing if the texts are equal. The limit of out should be high, because the
 * heading of a hunk has up to 50 bytes, also for lines of one byte: 50 times the length of both
 * texts and the names is always enough.
 */
void diff_unified(struct buf *out, struct arena *a, const char *from_name, const char *to_name,
    struct str from, struct str to, unsigned context);

#endif
