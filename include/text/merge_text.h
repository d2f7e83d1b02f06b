/*
 * Merging and comparing texts: the part of changes and merges that is a pure function of bytes. Nothing here touches the
 * database; everything is allocated in the caller's arena.
 *
 * A line is its bytes up to and including the "\n" (a "\r" before it is part
 * of it); the last one may lack the "\n". Two lines are equal when their bytes
 * are, so a missing final newline is a difference.
 */
#ifndef OCTAVO_MERGE_TEXT_H
#define OCTAVO_MERGE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

/*
 * Lines of two texts aligned by Myers' O(ND) algorithm in linear space (An
 * O(ND) Difference Algorithm and Its Variations, 1986, section 4b), with a cost
 * cap: what is left when it is reached counts as replaced, so that hostile
 * input stays near-linear.
 */

/* A place where both sides changed the same lines of the base in different ways. */
struct text_conflict {
	struct text_conflict *next;
	struct str            base, ours, theirs;  /* whole lines; any may be empty */
	size_t                line;                /* 1-based, in ours: the first line of the place */
};

/*
 * Three-way merge by lines, as `git merge-file` does it (diff3): adjacent
 * changes conflict, equal changes of both sides are taken once. Unlike there, pieces of
 * one list, table or row of tabs that both sides changed merge where they are not the
 * same piece (items, rows, cells of a row, {% tab %} and the like), also where their
 * lines touch, and what both add at one place is taken, theirs before ours. Lines that
 * were moved:
 *
 *  - a paragraph, item or row that one side moved and the other edited is edited where it
 *    went, where nothing else is in conflict
 *  - what both moved to different places, a block of its own and no code, stands once: at
 *    the first of them, or at the one where a side wrote something beside it; twice where
 *    both did (src/text/merge_twice.h)
 *  - what one side moved and the other took out stays where it was moved
 *
 * True: *out is the merged text, *conflicts NULL. False: *conflicts lists the clashing
 * places in order, and *out is the text with `ours` in each of them. *out may be one of
 * the arguments itself.
 */
bool merge_text(struct arena *a, struct str base, struct str ours, struct str theirs,
    struct str *out, struct text_conflict **conflicts);

/*
 * Three-way merge of JSON objects, member by member; members are compared as
 * values (order of members and spelling of numbers do not count) and an absent
 * member is a value of its own. True: *out is the merged object. False: *field
 * is the name of the first member that clashes, *out the object with `ours` in
 * every clashing member. An argument that is NULL or no JSON object counts as {}.
 */
bool merge_json(struct arena *a, const char *base, const char *ours, const char *theirs,
    const char **out, const char **field);

/*
 * Unified diff in the form of POSIX `diff -u` with context lines around each
 * change, without time stamps; a last line without its newline is followed by
 * "\ No newline at end of file". Nothing is written when the texts are equal.
 * The ceiling of out should be high: hunks of one-byte lines have headings of up
 * to 50 bytes. 50 times both texts and the names are always enough.
 */
void diff_unified(struct buf *out, struct arena *a, const char *from_name, const char *to_name,
    struct str from, struct str to, unsigned context);

#endif
