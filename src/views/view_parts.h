/*
 * Shared by the files of src/views; no other folder includes it.
 *
 * A *view* is the code that answers one address below /app (views.def), with a page or a redirect. `below`: an
 * address without the "/app" before it. `about`: a text that only screen readers read.
 */
#ifndef OCTAVO_VIEW_PARTS_H
#define OCTAVO_VIEW_PARTS_H

#include <cjson/cJSON.h>

#include "http/page_cache.h"
#include "http/req.h"
#include "render/html.h"
#include "render/interface_texts.h"
#include "views/views.h"

#define TEXT(name, ...) SAY_##name,
enum say {
#include "view_texts.def"
#include "space_texts.def"
	SAYS
};
#undef TEXT

/* A field of a form, decoded. */
struct pair {
	const char  *name, *value;
	struct pair *next;
};

/* A file of a form; name NULL: none was sent. The name is UTF-8, and may contain any character but NUL. */
struct sent_file {
	const char *name;
	struct str  bytes;
};

/* A request of a browser, and its answer. */
struct view {
	struct io                *io;
	struct arena             *arena;
	struct db                *db;
	const struct settings    *set;
	const struct views_setup *setup;
	const char               *id;        /* of the request, for its log lines and the answer */
	enum method               method;
	bool                      head;
	const char               *path;      /* below /app: "" or "/sign-in" */
	const char               *ids[4];    /* segments of the path in place of ":" in views.def, decoded */
	enum text_language        language;
	const char               *secret;    /* secret in the session's cookie, valid or not; NULL: there is none */
	const char               *csrf;      /* value for the field "csrf" of each form */
	struct pair              *form;      /* body of a POST */
	struct sent_file          file;
	bool                      trusted;   /* form_check() succeeded: writes are allowed */
	const char               *back;      /* address below /app to return to after signing in */

	int                       status;
	const char               *location;
	const char               *allow;
	const char               *targets;   /* further sources of form-action (Content-Security-Policy); NULL: only our own origin */
	const char               *refresh;   /* address that the browser loads after showing the page (Refresh); NULL: none */
	const char               *type;      /* of the body; NULL: it is a page */
	bool                      script;    /* the page uses the script of forms for Markdown (assets/app/edit.js) */
	bool                      tree;      /* the page uses the script that opens branches of the tree and moves pages (assets/app/tree.js) */
	bool                      passkey;   /* the page uses the script of passkeys (assets/app/passkey.js) */
	bool                      review;    /* the page uses the script of comments and differences (assets/app/review.js) */
	bool                      editor;    /* the page also uses the editor (CodeMirror); only with `script` */
	int                       retry_after;
	struct buf                cookies;   /* further header lines */
	struct str                policies;  /* header lines that send_view() wrote, or find_kept_page() read from the cache */
	const char               *key;       /* of the page in the cache (view_keep.c); NULL: it is not cached */
	struct page_sources       sources;   /* the cached answers of the API that the page was made from */
	struct buf                body;
	struct html               h;
};

/* ---- view_texts.c ---- */

const char *view_say(const struct view *v, enum say text);
/* The same, with "%s" replaced by a value. */
const char *view_say_with(const struct view *v, enum say text, const char *value);
/* The language with texts that an Accept-Language header prefers; NULL gives English. */
enum text_language choose_language(const char *header);

/* ---- view_caller.c ---- */

/* A request to the API, and its answer. */
struct call {
	int         status;
	int         retry_after;   /* seconds (Retry-After); 0: none */
	cJSON      *answer;        /* NULL: none */
};

static inline bool
is_success(const struct call *c)
{
	return c->status >= 200 && c->status < 300;
}

/*
 * Makes a request. path: below /v1, with its query; body: JSON, or NULL. Before form_check() has
 * succeeded, a write has no session, and the API refuses it.
 */
struct call ask_api(struct view *v, const char *method, const char *path, const char *body);
/* The same with the header If-Match: the API refuses a write with 412 unless the object is at this revision. */
struct call ask_api_at(struct view *v, const char *method, const char *path, const char *body, const char *revision);
/* Makes the POST of a form with write_once(). If the browser sends the same form twice, it is done once (Idempotency-Key). */
struct call post_once(struct view *v, const char *path, const char *body);
/* Begins a JSON object for the body of a request. It has room for the largest form; the API refuses what is too long. */
void begin_body(struct arena *a, struct json *j, struct buf *b);
/*
 * Makes a JSON object of strings: pairs of name and value, up to a NULL name. A member with a NULL
 * value is left out.
 */
char *json_texts(struct arena *a, ...) __attribute__((sentinel));
/* The API's message about this member of the body ("/email"); NULL: none. */
const char *fault_at(struct view *v, const struct call *c, const char *path);
/*
 * The message of a failed call, as a sentence, and its language (NULL: that of the page). Messages
 * of the API are English.
 */
const char *message_of(struct view *v, const struct call *c);
const char *message_language(const struct call *c);
/*
 * True if the call succeeded. Otherwise the view is answered: with a redirect to sign-in if the
 * session has ended, or with a page that says what is wrong.
 */
bool call_succeeded(struct view *v, const struct call *c);

/* ---- view_form.c ---- */

/* Reads method, language and cookies. Sets v->csrf; if there is no cookie for it yet, sets one. */
void form_begin_view(struct view *v);
/*
 * Reads the form of a POST, and checks that it was sent by one of our pages. False: the answer is a
 * page that says why the form is refused.
 */
bool form_check(struct view *v);
/* Reads the form of a POST that any page may have sent; v->trusted stays false. False: as form_check(). */
bool form_read(struct view *v);
/* Writes the field by which form_check() recognises a form of page_resend() after a new sign-in. */
void write_resend(struct view *v);
/* A field of the form; "" if it is absent. */
const char *form_value(const struct view *v, const char *name);
/* The text of a field without carriage returns: browsers end lines with CR and LF. */
char *plain_lines(struct arena *a, const char *text);
/* True if the form has the field, if only an empty one. */
bool has_field(const struct view *v, const char *name);
/* The same; false: the answer is a page that refuses the form. */
bool form_has(struct view *v, const char *name);
/* A parameter of the query, decoded; NULL: it is absent, or its encoding is invalid. */
const char *query_value(const struct view *v, const char *name);

/* ---- view_multipart.c ---- */

/* True for the media type of forms with files, multipart/form-data. */
bool is_multipart(const char *type);
/*
 * Reads such a form into v->form, and its last file into v->file. False: the body is incomplete or is no form
 * that a browser sends, or a text in it is not UTF-8 or contains a NUL.
 */
bool parse_multipart(struct view *v, const char *type, struct str body);

/* ---- view_resend.c ---- */

/* True if the request is a form with text that a person typed: it must not be lost if the session has ended. */
bool can_send_again(const struct view *v);
/* Answers with a page that shows the fields of the form and a button to send them again. status 401: the person must sign in first. */
void page_resend(struct view *v, int status, enum say text);

/* ---- view_answer.c ---- */

/* The address of a path below /app, as a path on this host (with the path of OCTAVO_URL). */
char *app_path(const struct view *v, const char *below);
/* The same, relative to the page's own address if that is shorter: for addresses that a page has many of. */
const char *near_path(const struct view *v, const char *below);
/* Answers 303 with a path below /app, or with a complete address. */
void go_to(struct view *v, const char *below);
void go_away(struct view *v, const char *address);
/*
 * Redirects to sign-in, which returns to v->back; if can_send_again(), shows the form again instead.
 * again: the person is signed in, but must sign in once more, since the sign-in is too old.
 */
void go_sign_in(struct view *v, bool again);
/* Name of a cookie, with the prefix that OCTAVO_URL allows. */
char *cookie_name(const struct view *v, const char *name);
/* The value of a cookie that set_cookie() has set; NULL: there is none. */
const char *cookie_text(const struct view *v, const char *name);
/*
 * Sets a cookie that scripts cannot read. seconds: its lifetime; 0: deletes it; -1: until the
 * browser is closed.
 */
enum { COOKIE_DELETE = 0, COOKIE_CLOSE = -1 };
void set_cookie(struct view *v, const char *name, const char *value, int64_t seconds);
/* Signs the browser in with this answer of the API (SignedIn), and ends an older session of the browser. */
void enter_session(struct view *v, const cJSON *signed_in);
/* Deletes the cookie of the session. */
void leave_session(struct view *v);
/* True once after leave_session(): the script of this page deletes the texts that it has kept in the browser. */
bool take_sign_out(struct view *v);
void send_view(struct view *v);
/* Sends a style sheet or a script if the path is its name, or its name in another release. */
bool send_asset(struct view *v);

/* ---- view_keep.c ---- */

/* Looks up the page of the request in the cache. True: it is in v->body, for send_view(). */
bool find_kept_page(struct view *v);
/* Caches the page that was sent, if it was made only from cached answers of the API. */
void keep_page(struct view *v);

/* ---- view_page.c ---- */

enum frame { FRAME_CARD, FRAME_WIDE, FRAME_SPACE };

/*
 * Begins a page. title: title of the browser's tab, and heading of the page.
 *   FRAME_CARD   a narrow card in the middle
 *   FRAME_WIDE   a column of sections, with the person's menu above
 *   FRAME_SPACE  the columns of a space (space_frame.c), with the person's menu above; the view writes the heading
 */
void page_begin(struct view *v, enum frame f, const char *title);
void page_end(struct view *v);
/* Answer with a page that says what is wrong: page_error() in these texts, page_failure() with the API's message. */
void page_error(struct view *v, int status, const char *title, const char *text);
void page_failure(struct view *v, const struct call *c);

/*
 * Writes a link to the provider at which the person must sign in to reach an organization whose
 * `sso` does not accept the present sign-in; login: an item of GET /user/sso. write_provider_links():
 * the same for the providers whose addresses are in the message of a refusal.
 */
void write_provider_link(struct view *v, const cJSON *login);
void write_provider_links(struct view *v, const char *message);

/* Begins a section of a wide page, with a heading; ends with h_close(). */
void section_begin(struct view *v, const char *id, const char *title, const char *lead);

enum notice { NOTICE_GOOD, NOTICE_PLAIN };
void write_notice(struct view *v, enum notice kind, const char *text);
/* Says what is wrong with a form, in a text of our own. */
void write_alert(struct view *v, const char *text);
/*
 * Writes a notice with the message of a failed call, unless all its faults are shown at fields of
 * the page. paths: the JSON pointers of these fields, up to a NULL.
 */
void write_failure(struct view *v, const struct call *c, ...) __attribute__((sentinel));

/* Begins a form that is sent to a path below /app, with its field "csrf"; ends with h_close(). */
void write_form(struct view *v, const char *below, const char *class);
void write_hidden(struct view *v, const char *name, const char *value);
/* Writes the field that identifies this form, for post_once(). */
void write_once(struct view *v);

/* Writes a field of several lines (textarea). fixed: its text can be read and copied, but not changed. */
void write_source(struct view *v, const char *name, enum say label, const char *text, bool fixed);

struct input {
	const char *name, *label;
	const char *hint, *fault;   /* NULL: none; fault: the API's message about the field */
	const char *refusal;        /* a message of the page itself; NULL: none */
	const char *type;           /* NULL: text */
	const char *value, *fill;   /* fill: the attribute autocomplete */
	const char *list;           /* id of the datalist with values that the field offers; NULL: none */
	bool        optional, focus, fixed;
};
void write_input(struct view *v, const struct input *i);
/*
 * Begin and end a choice; write_option() writes its options. write_select() writes a whole choice, from pairs of
 * value and label up to a NULL value.
 */
void choice_begin(struct view *v, const char *name, const char *label);
void choice_end(struct view *v);
void write_option(struct view *v, const char *value, const char *label, bool chosen);
void write_select(struct view *v, const char *name, const char *label, const char *chosen, ...) __attribute__((sentinel));
/* class: "primary", "danger", "quiet" or NULL. */
void write_button(struct view *v, const char *class, const char *label);
/*
 * Writes a button in a row of a list. Its label alone does not say what it acts on, so screen readers also read
 * `about`, which is not shown. danger: the button deletes something or ends an access.
 */
void write_row_button(struct view *v, bool danger, const char *label, const char *about);
void write_link(struct view *v, const char *class, const char *below, const char *label);
/* Writes a circle with the first letter of a name. */
void write_initial(struct view *v, const char *name);
/* Format a date of the API: without and with the time of day. */
const char *show_day(struct view *v, const char *time);
const char *show_minute(struct view *v, const char *time);
/* A short name of a browser from its header User-Agent, such as "Firefox, Linux". */
const char *show_device(struct view *v, const char *agent);

/* ---- passkey_pages.c ---- */

/* Writes a form that signs in by a passkey and then redirects to this address; nothing if passkeys cannot be used here. */
void write_passkey_sign_in(struct view *v, const char *to);
/*
 * Write the passkeys of a person, and the form that adds one. fault: the API's message about the name in the form
 * that was sent: the new name of a passkey, or the name of a new passkey; NULL: none.
 */
void write_passkey_list(struct view *v, const struct call *list, const char *fault);
void write_passkey_form(struct view *v, const cJSON *user, const char *fault);
/* Make the API calls of the forms for passkeys. */
struct call ask_add_passkey(struct view *v);
struct call ask_rename_passkey(struct view *v);
struct call ask_delete_passkey(struct view *v);

/* The functions of views.def. */
#define VIEW(method, path, function) void function(struct view *v);
#include "views.def"
#undef VIEW

#endif
