/* The frame of a space's views, and what they share: tree of pages, tabs, lists of changes. */
#ifndef OCTAVO_SPACE_PARTS_H
#define OCTAVO_SPACE_PARTS_H

#include "text/merge_text.h"
#include "view_parts.h"

/* A space as its views need it: at its head, in a change request, or at a revision. */
struct shown_space {
	const char  *id, *title;
	const cJSON *space;       /* GET /spaces/ID */
	const cJSON *pages;       /* the tree; NULL: was not requested */
	const char  *at;          /* of the API, below /spaces/ID: "/content", "/change-requests/R/content", "/revisions/R" */
	const char  *below;       /* of the pages' addresses here: "/spaces/ID", "/spaces/ID/requests/R", … */
};

enum space_tab { TAB_PAGES, TAB_REQUESTS, TAB_HISTORY, TAB_FILES, TAB_LINKS, TAB_GIT };

/*
 * Requests the space of v->ids[0]. open: also its pages, folded except on the way to the page with this id
 * ("": none; "*": nothing is folded; NULL: no pages), at `at` (as in struct shown_space; NULL: the
 * head), whose addresses are below `below` (NULL: the space's). False: the answer is made.
 */
bool open_space(struct view *v, struct shown_space *s, const char *open, const char *at, const char *below);
/* True if the caller has this permission on the space ("edit", "review", "merge", "comment"). */
bool may(const struct shown_space *s, const char *permission);

/*
 * Begins a view of the space: menu, tabs, the tree with `page` (id; NULL: none) opened, and <main>.
 * page_end() closes it.
 */
void space_begin(struct view *v, const struct shown_space *s, enum space_tab tab, const char *page, const char *title);

/* The tree of pages of a view while it is written (page_tree.c). */
struct page_tree {
	struct view              *v;
	const struct shown_space *s;
	const char *current;   /* id of the page that is shown; NULL: none */
	const char *groups;    /* ids of the groups that the reader has opened, with commas between them */
	const char *query;     /* of the page, which links of the tree keep: "&q=x" */
	bool        moves;     /* pages can be moved in it */
	bool        fold;      /* groups are folded */
};

/* Before page_begin(), since it decides whether the page has a script; then the tree itself. */
void open_tree(struct view *v, const struct shown_space *s, const char *page, struct page_tree *t);
void write_page_tree(struct page_tree *t);

/* A link above the heading, to what this page is a part of. */
void write_up(struct view *v, const char *below, enum say label);

/* The first page with text, in reading order; NULL: there is none. */
const cJSON *first_page(const cJSON *pages);
/* The type of a page, also where the tree is brief: document, group, link or computed. */
const char *page_type(const cJSON *page);
/* The page of an id in the tree, NULL: it is not there. */
const cJSON *find_page(const cJSON *pages, const char *id);

/* An address of the API, or below /app, from pieces that are ids: each %s is percent-encoded. */
char *path_of_ids(struct view *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Of the organization of v->ids[0]: its sites, its API specifications and the topics of its conversations,
 * each a section, as far as the caller may list them.
 */
void write_org_lists(struct view *v);

/* The spaces of the list whose parent is this one ("": the top), as rows; their number. */
size_t write_spaces_of(struct view *v, const cJSON *spaces, const char *parent);
bool has_space_of(const cJSON *spaces, const char *parent);

/* The author and the time, in one line. user NULL: the author has no account here. */
void write_author(struct view *v, const cJSON *user, const char *time);
/* A row with a link of a page: how it is written, the page, and the line. */
void write_link_place(struct view *v, const struct shown_space *s, const cJSON *place);
/* A list of the API, one part of it: ?page= goes on. NULL after the answer is made. */
const cJSON *ask_part(struct view *v, struct call *c, const char *path);
/* Says how many entries of a list the page leaves out, if any: answer is the API's list. */
void write_left_out(struct view *v, const cJSON *answer);
/* A field for Markdown. optional: may stay empty. */
void write_text_area(struct view *v, const char *id, const char *name, enum say label, bool optional);
/* A link to the next part of a list, if the answer has one; query: further members ("&q=x"). */
void write_more(struct view *v, const struct call *list, const char *below, const char *query);

/* Lines of a unified diff as they are shown, and how many of them the new text has more and the old one. */
struct diff_size { size_t lines, added, removed; };
struct diff_size size_of_diff(const char *diff);
/* The last line of first..last, of the new text, that the diff shows; 0: it shows none of them. */
int64_t shown_line(const char *diff, int64_t first, int64_t last);
struct talk;
/* Writes the lines of the unified diff of change `number`, with its comments between them. t NULL: none. */
void write_diff_lines(struct view *v, const cJSON *change, struct talk *t, int number);

/*
 * The changes of a revision or a change request (SemanticChanges): one row each, with their differences
 * of the source folded, and a list of links to them before. Long differences are left out, except that of
 * the query's "full", the number of a change. below: where the pages are shown; query: "" or "?NAME=VALUE" of
 * the page and of those. t: comments that are shown between the lines; NULL: none.
 */
void write_changes(struct view *v, const cJSON *changes, const char *below, const char *query, struct talk *t);
/* Of each change, by its number from 1: whether its difference is on the page. */
const bool *shown_changes(struct view *v, const cJSON *changes);
/* A document of the API (of a comment or a description) as HTML; links to content have no address. */
void write_rich_text(struct view *v, const cJSON *document);
/* One row of a list of change requests of any space. */
void write_request_line(struct view *v, const cJSON *request);
/* The label of the status of a change request. */
const char *request_status(struct view *v, const char *status);
/* A form that searches in the space or the organization whose views are below `below`; where: its title. */
void write_search(struct view *v, const char *below, const char *where);
/* A page that was found in the space, with the sections that match. */
void write_hit(struct view *v, const char *space, const cJSON *hit);
/* The answer of GET …/html: the article, and its outline beside it. */
void write_article(struct view *v, const cJSON *rendered);

void write_outline(struct view *v, const cJSON *outline);

/* Largest file that can be added to a text. */
enum { FILE_MOST = 5 << 20 };
/* Writes the field for a file, with a button that sends the form to this address with the step "file" (edit_file.c). */
void write_file_field(struct view *v, const char *below);
/* Writes a change of POST …/content that inserts the file of the form. ref: its name in the batch; NULL: none. */
void write_file_change(struct view *v, struct json *j, const char *ref);
/* The bytes of the form's file, for the member "base64" of a change. */
char *encode_file(struct view *v);
/* Adds the file of the form to a change request. amend: as in POST …/content, "": none. */
struct call send_file_of_form(struct view *v, const char *space, const char *request, const char *amend);
/* The Markdown that shows the file which was sent. */
const char *markdown_of_file(struct view *v, const struct call *sent);

/*
 * Ends of lines. Browsers send "\r\n" for each in a form: with_newlines() makes each of them "\n", as texts of forms are compared
 * and merged. with_ends_of() gives a text the ends that the lines of the page have, so that an edited line changes no other.
 */
char *with_newlines(struct arena *a, const char *s);
char *with_ends_of(struct arena *a, const char *text, const char *page);

/* A text of a form, and what became of it on the server since the form was made (edit_merge.c). */
struct meanwhile {
	const char           *kind;     /* distinguishes the fields of several texts */
	enum say              label;    /* of a place, with the number of its first line */
	const char           *base, *mine, *theirs;
	const char           *merged;   /* NULL: a place has no choice yet */
	struct text_conflict *places;   /* where both sides changed the same lines; NULL: nowhere, or at too many places */
};

/* Merges the two by lines. At places where both changed the same, the choices of the form count. False: one has none. */
bool merge_meanwhile(struct view *v, struct meanwhile *m);
/* Writes the places, with their choices, into a form. */
void write_places(struct view *v, const struct meanwhile *text, const struct meanwhile *about);

/*
 * The properties of a page besides its place (property_form.c): title, description, icon, visibility, condition and
 * cover. page: as the API has it; at: of the content, as in struct shown_space; failed: the refused change, whose
 * values are shown again; NULL: none.
 */
void write_properties(struct view *v, const struct shown_space *s, const cJSON *page, const struct call *failed);
/*
 * Writes the members of update_page that the form changes. What the form has as it was shown is left out, so that
 * what others changed meanwhile stays. True: the batch also needs the file of the form, as `COVER_REF`.
 */
#define COVER_REF "cover-of-the-form"
bool add_properties(struct view *v, struct json *j, const cJSON *page);
/* True if a field has another value than the one that the form was shown with ("was-NAME"). */
bool is_changed(const struct view *v, const char *name);
/* A hidden field "was-NAME" with this value. */
void write_was(struct view *v, const char *name, const char *value);

/* Writes the blocks that the editor of a text offers, for its script (edit_blocks.c). */
void write_blocks(struct view *v);

/* A comment and where it is shown: number of its block or change (INT_MAX: at none), line there, index in its list. */
struct placed {
	const cJSON *comment;
	int          number;
	int64_t      line;
	size_t       at;
};

/*
 * Comments on the primary content or on a change request, or on one page of it. The members before v are the caller's:
 * blocks of the page as it is shown (GET …/html?blocks=true), or changes with shown_changes(); each may be NULL.
 */
struct talk {
	const char    *api, *below;   /* path of the scope in the API, and its address below /app */
	const char    *page;          /* id of the page that is shown; NULL: the whole */
	const char    *query;         /* members of the query that the page has besides ("plain=1&"), "" */
	const cJSON   *blocks, *changes;
	const bool    *shown;
	bool           may_write;
	struct view   *v;
	const cJSON   *answer, *items;
	struct placed *order;         /* as they are shown; those at blocks or changes come first */
	size_t         placed, count;
	const char    *latest;        /* time of the latest comment or reply that was written */
	const char    *caller;        /* id of the person, when it was needed */
};

/* Requests the comments. Call it before space_begin(): a page with comments has a script. */
void open_talk(struct view *v, struct talk *t);
/* Links to the comments and to the unread ones, and the keys. */
void write_ways(struct talk *t);
/* The button of the keys of comments and differences, on the page of this address (review_keys.c). */
void write_keys(struct view *v, const char *below);
bool has_comment_at(const struct talk *t, int number, int64_t line);
/* The comments at this place. block: where it is one with lines of code; NULL: it is none. */
void write_comments_at(struct talk *t, int number, int64_t line, const cJSON *block);
/* The page with the comments at their blocks, and its outline. */
void write_talked_article(struct talk *t, const cJSON *rendered);
/* The comments that are at no block, and the form for one more. */
void write_comments(struct talk *t);
/* Begins a form about comments (comment_forms.c), which leads back to where they are shown; ends with h_close(). id, class: NULL: none. */
void begin_talk_form(struct talk *t, const char *step, const char *id, const char *class);
/* The field and the button of a comment on a part: a page has at most one. */
void write_comment_field(struct talk *t);
/* The form, without a field that is seen, to which the buttons of all comments belong. */
void write_button_form(struct talk *t);
/* The link of a line of a difference that opens the form of a comment on it; entry: of the change's "lines". And that form. */
void write_line_link(struct talk *t, const cJSON *entry);
void write_line_form(struct talk *t, const cJSON *change);
/* The reactions to a comment, and what the caller can do with it. The form of a reply is only on the page with ?reply=ID. */
void write_comment_buttons(struct talk *t, const cJSON *comment);
/* A button that opens a change request that undoes what the revision changed, if the caller may edit. */
void write_undo(struct view *v, const struct shown_space *s, const char *revision);
/* A form for subject and description of a change request (request_about.c). */
void write_about_form(struct view *v, const cJSON *request, const char *below);
/* What an unmerged request still lacks: merge rules, and conflicts if it has all changes of the space. */
void write_before_merge(struct view *v, const char *api, const char *below, bool outdated);
/*
 * Merges the request after a page was saved in it, unless a rule of the space is not met or there are conflicts: goes on
 * to the page, or to the request, which says what is missing.
 */
void merge_saved_page(struct view *v, const char *space, const char *request, const char *page);
/* On a page that a form of the editor leads to (?done=saved): its script deletes the text that it has kept in the browser. */
void after_saving(struct view *v);
/*
 * Shows the request of v->ids again after a form. failed: its call, if that failed; conflicts: those of a merge.
 * Each NULL: none.
 */
void show_request_with(struct view *v, const struct call *failed, const cJSON *conflicts);

#endif
