/*
 * The frame of a space's views, and what they share: tree of pages, tabs, lists of changes, comments.
 *
 * view        the code that answers one address below /app (views.def)
 * below       an address below /app, which others begin with: "/spaces/ID"
 * difference  the unified diff of the Markdown of one change
 * number      of a change in a part of a list of changes, or of a block in a page: from 1
 * part        the slice of a list of the API that one page shows, so long that the page stays below 12 kB
 * place       of a comment: the block or the line that it is on; of a link: the page and line that has it
 */
#ifndef OCTAVO_SPACE_PARTS_H
#define OCTAVO_SPACE_PARTS_H

#include "text/merge_text.h"
#include "view_parts.h"

/* A space as its views need it: at its head, in a change request, or at a revision. */
struct shown_space {
	const char  *id, *title;
	const cJSON *space;       /* GET /spaces/ID */
	const cJSON *pages;       /* the tree; NULL: was not requested */
	const char  *at;          /* its content in the API, below /spaces/ID: "/content", "/change-requests/R/content", "/revisions/R" */
	const char  *below;       /* its pages here begin with it: "/spaces/ID", "/spaces/ID/requests/R", … */
};

enum space_tab { TAB_PAGES, TAB_REQUESTS, TAB_HISTORY, TAB_FILES, TAB_LINKS, TAB_GIT };

/*
 * Requests the space of v->ids[0] from the API.
 *   open   NULL: without the tree of pages. Otherwise also requests the tree: with all pages if open is
 *          "*", or with all branches folded except that of the page with the id `open` ("": no page)
 *   at     content to read, as in struct shown_space; NULL: the head of the primary content
 *   below  as in struct shown_space; NULL: the address of the space
 * False: the space cannot be shown, and an error page or a redirect was written.
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
	const char *query;     /* parameters of the page's address that links of the tree keep: "&q=x" */
	bool        moves;     /* pages can be moved in it */
	bool        fold;      /* groups are folded */
};

/* Sets *t. Call it before page_begin(): it decides whether the page has a script. */
void open_tree(struct view *v, const struct shown_space *s, const char *page, struct page_tree *t);
/* Writes the tree. */
void write_page_tree(struct page_tree *t);

/* Writes a link above the heading to the page that this one belongs to, such as a list. */
void write_up(struct view *v, const char *below, enum say label);
/* Writes the titles of the pages above this one, above the heading, without the middle ones of many; nothing if the page is at the top. */
void write_ancestors(struct view *v, const struct shown_space *s, const char *page);
/* Writes links to the sites on which the space is published and that the caller may read. */
void write_site_links(struct view *v, const char *space);
/* Writes a link above the heading to the change request, which names it. request: from the API; below: its address. */
void write_request_up(struct view *v, const cJSON *request, const char *below);
/* The change request's number and subject. */
const char *name_request(struct view *v, const cJSON *request);

/* The first page with text, in reading order; NULL: there is none. */
const cJSON *first_page(const cJSON *pages);
/* The type of a page: document, group, link or computed. The page may be from a tree with `brief`. */
const char *page_type(const cJSON *page);
/* The page with this id in the tree; NULL: none. */
const cJSON *find_page(const cJSON *pages, const char *id);

/* Formats an address of the API, or below /app. Each %s is an id, which is percent-encoded. */
char *path_of_ids(struct view *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Writes sections with the sites, the API specifications and the topics of conversations of the
 * organization of v->ids[0]. A section that the caller may not list is left out.
 */
void write_org_lists(struct view *v);

/* Writes rows for the spaces of the list that are in this collection ("": at the top); returns their number. */
size_t write_spaces_of(struct view *v, const cJSON *spaces, const char *parent);
/* True if a space of the list is in this collection. */
bool has_space_of(const cJSON *spaces, const char *parent);

/* Writes the author and the time in one line. user NULL: the author has no account here. */
void write_author(struct view *v, const cJSON *user, const char *time);
/* Writes a row for a place of a link: how the link is written, its page, and its line. */
void write_link_place(struct view *v, const struct shown_space *s, const cJSON *place);
/* Requests the part of a list of the API that ?page= names, of at most this many items. NULL: the call failed, and an error page or a redirect was written. */
const cJSON *ask_part(struct view *v, struct call *c, const char *path, int most);
/* Says how many entries of a list the page leaves out, if any: answer is the API's list. */
void write_left_out(struct view *v, const cJSON *answer);
/* Writes a field for Markdown. optional: it may stay empty. */
void write_text_area(struct view *v, const char *id, const char *name, enum say label, bool optional);
/*
 * Writes a link to the next part of a list, if there is one. label: SAY_MORE where the newest come first; query: further
 * parameters of its address ("&q=x").
 */
void write_more(struct view *v, const struct call *list, enum say label, const char *below, const char *query);

/* lines: shown lines of a unified diff; added, removed: how many of them begin with + or -. */
struct diff_size { size_t lines, added, removed; };
struct diff_size size_of_diff(const char *diff);
/* Of the lines `first` to `last` of the new text, returns the last one that the diff shows; 0: it shows none of them. */
int64_t shown_line(const char *diff, int64_t first, int64_t last);
struct talk;
/* Writes the lines of the unified diff of change `number`, with its comments between them. t NULL: none. */
void write_diff_lines(struct view *v, const cJSON *change, struct talk *t, int number);

/*
 * Writes the changes of a revision or a change request (SemanticChanges, from ask_changes()): a row for each change, with its
 * difference folded. Many changes have a list of links to the rows before them. Long differences are left
 * out; instead, the row has a link to this page with ?full=NUMBER, which shows the difference. Links with ?after=NUMBER lead
 * to the other parts of a long list.
 *   below  the changed pages are at this address followed by /pages/ID
 *   query  "" or "?NAME=VALUE": is kept in links to the changed pages
 *   t      comments to write between the lines; NULL: none
 */
void write_changes(struct view *v, const cJSON *changes, const char *below, const char *query, struct talk *t);
/*
 * Requests the part of the changes that the page's address names. of: the address of the revision or the change request in the API; query:
 * further parameters ("&since=ID"), or "".
 */
struct call ask_changes(struct view *v, const char *of, const char *query);
/* The parameter of the page's address that names the part, for links to the same part ("after=50&"); "": it is the first one. */
const char *part_query(struct view *v);
/* For each change, by its number: true if write_changes() writes its difference. */
const bool *shown_changes(struct view *v, const cJSON *changes);
/* Writes a document of the API (of a comment or a description) as HTML; links to content have no address. */
void write_rich_text(struct view *v, const cJSON *document);
/* Titles of spaces that a page has asked for; an empty list is NULL. */
struct space_title { const char *id, *title; struct space_title *next; };
/* The title of the space of a change request, kept in the list. */
const char *title_of_space(struct view *v, struct space_title **known, const cJSON *request);
/* Writes one row of a list of change requests. space: the title of its space; NULL: it is left out. */
void write_request_line(struct view *v, const cJSON *request, const char *space);
/* True for the status of a change request that can still be merged. */
bool is_unmerged(const char *status);
/* Writes the verdict of a review, or of all reviews of a change request, as a tag. NULL: nothing. */
void write_verdict_tag(struct view *v, const char *verdict);
/*
 * Writes which other change requests change the page, with links to them, for people who may edit. own: id of the change
 * request that is shown; NULL: none.
 */
void write_also_changing(struct view *v, const struct shown_space *s, const char *page, const char *own);
/* Writes which change requests undo the revision, with links to them. */
void write_undone(struct view *v, const char *space, const char *revision);
/*
 * The id of a change request that undoes the revision and is not merged yet; NULL: there is none. One that changes no page of
 * the revision any more does not count: the undo was taken back in it.
 */
const char *find_waiting_undo(struct view *v, const char *space, const char *revision);
/* The label of the status of a change request. */
const char *request_status(struct view *v, const char *status);
/* Writes a form that searches in the space or the organization at `below`; where: its title. */
void write_search(struct view *v, const char *below, const char *where);
/* Writes a page that a search in the space found, with the sections that match. */
void write_hit(struct view *v, const char *space, const cJSON *hit);
/* Writes the answer of GET …/html: the article, and its outline beside it. */
void write_article(struct view *v, const cJSON *rendered);

void write_outline(struct view *v, const cJSON *outline);

/* True if a site shows the change request, whose address in the API is given: there is a preview (request_preview.c). */
bool has_preview(struct view *v, const char *api);
/* Writes a link that opens the preview in a tab of its own. below: address of the request; page: which page is shown, NULL: the first. */
void write_preview_link(struct view *v, const char *class, const char *below, const char *page);

/* Largest file that can be added to a text. */
enum { FILE_MOST = 5 << 20 };
/* Writes the field for a file, with a button that sends the form to this address with the step "file" (edit_file.c). */
void write_file_field(struct view *v, const char *below);
/* Writes a change of POST …/content that inserts the file of the form. ref: its name in the batch; NULL: none. */
void write_file_change(struct view *v, struct json *j, const char *ref);
/* Encodes the bytes of the form's file, for the member "base64" of a change. */
char *encode_file(struct view *v);
/* Adds the file of the form to a change request. amend: as in POST …/content, "": none. */
struct call send_file_of_form(struct view *v, const char *space, const char *request, const char *amend);
/* Markdown that shows the file that send_file_of_form() added. */
const char *markdown_of_file(struct view *v, const struct call *sent);

/*
 * Ends of lines. Browsers send "\r\n" for each in a form: with_newlines() makes each of them "\n", as texts of forms are compared
 * and merged. with_ends_of() gives a text the ends that the lines of the page have, so that an edited line changes no other.
 */
char *with_newlines(struct arena *a, const char *s);
char *with_ends_of(struct arena *a, const char *text, const char *page);

/*
 * A text of a form, merged with the text of the page, which may have changed after the form was opened
 * (edit_merge.c). A *conflict* is a place where both changed the same lines. base: the text when the form
 * was opened; mine: the text of the form; theirs: the present text of the page.
 */
struct meanwhile {
	const char           *kind;     /* distinguishes the fields of several texts */
	enum say              label;    /* heading of a conflict, with the number of its first line */
	const char           *base, *mine, *theirs;
	const char           *merged;   /* NULL: the form has no choice for some conflict yet */
	struct text_conflict *places;   /* the conflicts; NULL: none, or too many */
};

/* Merges mine and theirs by lines, with the choices of the form for conflicts. False: the form has no choice for some conflict. */
bool merge_meanwhile(struct view *v, struct meanwhile *m);
/*
 * Writes the conflicts of the page's text and of its description into a form, each with its choices. merges: the button
 * below them saves and merges.
 */
void write_places(struct view *v, const struct meanwhile *text, const struct meanwhile *about, bool merges);

/*
 * Writes fields for the properties of a page except those of its position in the tree (property_form.c): title,
 * description, icon, visibility, condition and cover. page: RevisionPage of the API; failed: a change that the API
 * refused: its values are shown again; NULL: none; all: the pictures of the space are offered as covers.
 */
void write_properties(struct view *v, const struct shown_space *s, const cJSON *page, const struct call *failed, bool all);
/*
 * Writes the members of update_page for the properties that the person changed in the form. The others are left
 * out, so that changes that others made in the meantime stay. True: the batch also needs a change that inserts the
 * file of the form with the ref COVER_REF.
 */
#define COVER_REF "cover-of-the-form"
bool add_properties(struct view *v, struct json *j, const cJSON *page);
/* True if the field has another value than when the form was shown (field "was-NAME"). */
bool is_changed(const struct view *v, const char *name);
/* Writes the hidden field "was-NAME" with this value, for is_changed(). */
void write_was(struct view *v, const char *name, const char *value);

/* Writes the kinds of blocks that the editor offers, as data for its script (edit_blocks.c). */
void write_blocks(struct view *v);

/* A comment and its place: number of the block or change (INT_MAX: none), line in it, and index of the comment in the list. */
struct placed {
	const cJSON *comment;
	int          number;
	int64_t      line;
	size_t       at;
};

/*
 * Comments on the primary content or on a change request, or on one page of it. The caller sets the members before v:
 * `blocks` of the page that is shown (GET …/html?blocks=true), or `changes`, with `shown` from shown_changes(); each may
 * be NULL. open_talk() sets the others.
 */
struct talk {
	const char    *api, *below;   /* address of the space or change request in the API, and below /app */
	const char    *page;          /* id of the page whose comments are shown; NULL: comments on all pages */
	const char    *query;         /* parameters of the page's address to keep in links ("plain=1&"), or "" */
	const cJSON   *blocks, *changes;
	const bool    *shown;
	bool           may_write;
	bool           closed;        /* it is a change request that is merged or archived: its lines are not reviewed any more */
	struct view   *v;
	const cJSON   *answer, *items;
	struct placed *order;         /* in the order in which they are shown: first those at blocks or changes (`placed`), then the others */
	size_t         placed, count;
	const char    *latest;        /* time of the latest comment or reply that was written */
	const char    *caller;        /* id of the person; NULL: was not needed yet */
};

/* Requests the comments. Call it before space_begin(): a page with comments has a script. */
void open_talk(struct view *v, struct talk *t);
/* Writes links to the first comment and to the first unread one, and to the page on which parts can be commented. */
void write_comment_links(struct talk *t);
/*
 * Writes the button that opens the list of keyboard shortcuts for reviewing (review_keys.c). below: the address of the
 * page, which has the list with ?keys=1.
 */
void write_shortcuts_button(struct view *v, const char *below);
/* True if a comment is at this place. */
bool has_comment_at(const struct talk *t, int number, int64_t line);
/* Writes the comments at this place. block: a block with lines of code, which the comments name; NULL: none. */
void write_comments_at(struct talk *t, int number, int64_t line, const cJSON *block);
/* Writes a page with the comments at their blocks, and its outline. */
void write_talked_article(struct talk *t, const cJSON *rendered);
/* Writes the comments that are at no block or change, and the form for a new comment. */
void write_comments(struct talk *t);
/*
 * Begins a form about comments (comment_forms.c); ends with h_close(). Its POST redirects back to the page that shows the
 * comments. id, class: may be NULL.
 */
void begin_talk_form(struct talk *t, const char *step, const char *id, const char *class);
/* Writes the field and the button for a comment on a block or a line. A page has at most one such form. */
void write_comment_field(struct talk *t);
/* Writes a form without visible fields; the buttons of all comments refer to it (attribute form). */
void write_button_form(struct talk *t);
/*
 * Write the link on a line of a difference that opens the form for a comment on that line, and this form. entry: the block
 * that ends at this line; the change's member "lines" has an item for each block.
 */
void write_line_link(struct talk *t, const cJSON *entry);
void write_line_form(struct talk *t, const cJSON *change);
/* Writes the reactions to a comment, and its buttons. The form for a reply is only on the page with ?reply=ID. */
void write_comment_buttons(struct talk *t, const cJSON *comment);
/* Writes a button that opens a change request that undoes the changes of the revision, if the caller may edit. */
void write_undo(struct view *v, const struct shown_space *s, const char *revision);
/* Writes a form for subject and description of a change request (request_about.c). */
void write_about_form(struct view *v, const cJSON *request, const char *below);
/*
 * Writes which merge rules a change request does not meet, and which pages have conflicts. outdated: the request must be
 * updated first, which may find more conflicts.
 */
void write_before_merge(struct view *v, const char *api, const char *below, bool outdated);
/*
 * Merges the request after a page was saved in it, and redirects to the page. If a merge rule is not met or there are
 * conflicts, redirects to the page of the request, which says what is missing.
 */
void merge_saved_page(struct view *v, const char *space, const char *request, const char *page);
/*
 * Adds the script of forms to a page that is shown after saving (?done=saved): the script deletes the text that it has kept
 * in the browser.
 */
void after_saving(struct view *v);
/* Writes a notice that says in which change request something was saved, and that readers do not see it yet. request: from the API. */
void write_saved_in(struct view *v, const cJSON *request);
/*
 * Shows the request of v->ids again after a form was sent. failed: the call that failed; conflicts: those that prevented a
 * merge. Each may be NULL.
 */
void show_request_with(struct view *v, const struct call *failed, const cJSON *conflicts);

#endif
