/* Shared by the files of this room; no other room includes it. */
#ifndef OCTAVO_VIEW_PARTS_H
#define OCTAVO_VIEW_PARTS_H

#include <cjson/cJSON.h>

#include "http/req.h"
#include "render/html.h"
#include "render/interface_texts.h"
#include "views/views.h"

#define TEXT(name, ...) SAY_##name,
enum say {
#include "view_texts.def"
	SAYS
};
#undef TEXT

/* A field of a form, decoded. */
struct pair {
	const char  *name, *value;
	struct pair *next;
};

/* A request and its answer. */
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
	enum text_language        language;
	const char               *secret;    /* of the session's cookie, valid or not; NULL: there is none */
	const char               *csrf;      /* what the field "csrf" of each form is */
	struct pair              *form;      /* of a POST */
	bool                      trusted;   /* the form is ours: writes may be made (form_check()) */
	const char               *back;      /* where to come back to after signing in, below /app */

	int                       status;
	const char               *location;
	const char               *allow;
	const char               *targets;   /* more places that a form may lead to; NULL: our own only */
	const char               *refresh;   /* address that the page leads on to at once; NULL: none */
	int                       retry_after;
	struct buf                cookies;   /* lines of headers */
	struct buf                body;
	struct html               h;
};

/* ---- view_texts.c ---- */

const char *view_say(const struct view *v, enum say text);
/* The same with a value in place of "%s". */
const char *view_say_with(const struct view *v, enum say text, const char *value);
/* Of an Accept-Language header the language that has texts and is wanted most; NULL gives English. */
enum text_language choose_language(const char *header);

/* ---- view_caller.c ---- */

/* A request to the API, and its answer. */
struct call {
	int         status;
	int         retry_after;   /* seconds; 0: not said */
	cJSON      *answer;        /* NULL: none */
};

static inline bool
is_success(const struct call *c)
{
	return c->status >= 200 && c->status < 300;
}

/*
 * method and path are of the API, the path below /v1 with its query; body: JSON, or NULL. Requests that
 * write are made as the person only after form_check().
 */
struct call ask_api(struct view *v, const char *method, const char *path, const char *body);
/* A JSON object of texts: pairs of name and value up to a NULL name; a NULL value leaves its member out. */
char *json_texts(struct arena *a, ...) __attribute__((sentinel));
/* What the API says is wrong with this member of the body ("/email"); NULL: nothing. */
const char *fault_at(struct view *v, const struct call *c, const char *path);
/* The message of a failed call, as a sentence; and its language, NULL: that of the page. The API's are English. */
const char *message_of(struct view *v, const struct call *c);
const char *message_language(const struct call *c);
/*
 * True if the call succeeded. Else the answer is made: to sign-in where the session has ended, or a page
 * that says what is wrong.
 */
bool call_succeeded(struct view *v, const struct call *c);

/* ---- view_form.c ---- */

/* Reads method, language, cookies; sets v->csrf, and the cookie that it belongs to where there is none. */
void form_begin_view(struct view *v);
/* Reads the form of a POST and checks where it comes from. False: the answer is a page that says why not. */
bool form_check(struct view *v);
/* A field of the form; "" if it is absent. */
const char *form_value(const struct view *v, const char *name);
/* A parameter of the query, decoded; NULL: it is absent or broken. */
const char *query_value(const struct view *v, const char *name);

/* ---- view_answer.c ---- */

/* The address of a path below /app, as a path on this host. */
char *app_path(const struct view *v, const char *below);
/* Answers with 303 to a path below /app, or to a whole address. */
void go_to(struct view *v, const char *below);
void go_away(struct view *v, const char *address);
/* To sign-in, and back to v->back; again: somebody is signed in, but too long ago. */
void go_sign_in(struct view *v, bool again);
/* Name of a cookie here: with the prefix that the address allows. */
char *cookie_name(const struct view *v, const char *name);
/* The value of a cookie that set_cookie() has set; NULL: there is none. */
const char *cookie_text(const struct view *v, const char *name);
/* Sets a cookie that scripts cannot read. seconds: 0 deletes it, -1: until the browser is closed. */
enum { COOKIE_DELETE = 0, COOKIE_CLOSE = -1 };
void set_cookie(struct view *v, const char *name, const char *value, int64_t seconds);
/* The browser is signed in by this answer of the API (SignedIn), and an older session of it ends. */
void enter_session(struct view *v, const cJSON *signed_in);
/* Deletes the cookie of the session. */
void leave_session(struct view *v);
void send_view(struct view *v);
/* Sends the style sheet if the path is its name, or that of another release. */
bool send_style(struct view *v);

/* ---- view_page.c ---- */

enum frame { FRAME_CARD, FRAME_WIDE };

/*
 * Begins a page: a card in the middle, or a column of sections with the person's menu above. title: of
 * the browser's tab.
 */
void page_begin(struct view *v, enum frame f, const char *title);
void page_end(struct view *v);
/* A whole page that says what is wrong, in its own words, or in those of the API. */
void page_error(struct view *v, int status, const char *title, const char *text);
void page_failure(struct view *v, const struct call *c);

/* A section of a wide page, with a heading; ends with h_close(). */
void section_begin(struct view *v, const char *id, const char *title, const char *lead);

enum notice { NOTICE_GOOD, NOTICE_PLAIN };
void write_notice(struct view *v, enum notice kind, const char *text);
/*
 * The notice for a call that failed: its message, unless all that is wrong stands at fields of the page.
 * These are named by their paths in the body, up to a NULL.
 */
void write_failure(struct view *v, const struct call *c, ...) __attribute__((sentinel));

/* A form to a path below /app, with its csrf; ends with h_close(). */
void write_form(struct view *v, const char *below, const char *class);
void write_hidden(struct view *v, const char *name, const char *value);

struct input {
	const char *name, *label;
	const char *hint, *fault;   /* NULL: none. A fault is the API's, */
	const char *refusal;        /* or of the page itself; NULL: none */
	const char *type;           /* NULL: text */
	const char *value, *fill;   /* fill: autocomplete */
	bool        optional, focus, fixed;
};
void write_input(struct view *v, const struct input *i);
/* A choice: pairs of value and label up to a NULL value. */
void write_select(struct view *v, const char *name, const char *label, const char *chosen, ...) __attribute__((sentinel));
/* class: "primary", "danger", "quiet" or NULL. */
void write_button(struct view *v, const char *class, const char *label);
/* The same, whose label alone does not tell what it acts on: `about` is read out, and not seen. */
void write_row_button(struct view *v, const char *label, const char *about);
void write_link(struct view *v, const char *class, const char *below, const char *label);
/* A circle with the first letter of a name. */
void write_initial(struct view *v, const char *name);
/* A date of the API, to the day; with the time of day. */
const char *show_day(struct view *v, const char *time);
const char *show_minute(struct view *v, const char *time);
/* "Firefox, Linux" of what a browser called itself. */
const char *show_device(struct view *v, const char *agent);

/* The functions of views.def. */
#define VIEW(method, path, function) void function(struct view *v);
#include "views.def"
#undef VIEW

#endif
