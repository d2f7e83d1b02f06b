/*
 * Writes annotations as footnotes. Their definitions come at the end of the document, numbered in
 * the order of the references. Labels of definitions that are kept as source (doc_note.c) are not
 * used as numbers: of two definitions with one label, Markdown uses the first.
 */
#include "base/map.h"
#include "../doc_parse.h"
#include "doc_write.h"

/* Collects the labels of the definitions in a raw leaf, nested ones included. */
static void
collect_labels(struct writer *w, struct str raw)
{
	struct str label;
	size_t n;

	for (; raw.n > 0; raw = str_slice(raw, n, raw.n)) {
		for (n = 0; n < raw.n && raw.p[n] != '\n' && raw.p[n] != '\r'; )
			n++;
		label = note_label(str_trim(str_slice(raw, 0, n)));
		n += n < raw.n;
		if (label.n == 0)
			continue;
		w->labels = w->labels != NULL ? w->labels : map_new(w->a);
		map_add(w->labels, label, w);
	}
}

void
w_labels(struct writer *w, const struct doc_node *root)
{
	const struct doc_node *n;

	if (root->raw.p != NULL && str_starts(root->raw, "[^"))
		collect_labels(w, root->raw);
	for (n = root->child; n != NULL; n = n->next)
		w_labels(w, n);
	for (n = root->frags; n != NULL; n = n->next)
		w_labels(w, n);
}

size_t
w_note(struct writer *w, const struct doc_node *annotation)
{
	struct note *note = arena_alloc(w->a, sizeof(*note));

	do
		note->number = ++w->note_count;
	while (w->labels != NULL && map_has(w->labels, str_of(w_number(w, (double)note->number))));
	note->annotation = annotation;
	*w->notes_end = note;
	w->notes_end = &note->next;
	return note->number;
}

/*
 * Writes the definitions. A definition may contain annotations, which w_note() appends to the list
 * during the loop.
 */
void
w_notes(struct writer *w)
{
	const struct note *n;
	const struct doc_node *body;
	size_t was;

	for (n = w->notes; n != NULL; n = n->next) {
		w_printf(w, "%s[^%zu]: ", w->out->n > w->start ? "\n\n" : "", n->number);
		body = doc_fragment_of(n->annotation, "annotation-body");
		was = w_push(w, "    ");
		if (body != NULL)
			w_blocks(w, body->child);
		w_pop(w, was);
	}
}
