/* The shape Space and its emitters. Its columns: api/space_shape.h. */
#include <cjson/cJSON.h>

#include "api/app_address.h"
#include "api/examples.h"
#include "api/known_roles.h"
#include "api/merge_rule_settings.h"
#include "api/site_addresses.h"
#include "api/space_shape.h"
#include "app/audit.h"
#include "app/roles.h"
#include "base/utf8.h"
#include "http/req.h"
#include "propagate/copy_space.h"
#include "store/space.h"

static const struct shape SpaceUrls = { "SpaceUrls", (const struct field[]){
	{ "location", T_TEXT, F_REQ, .doc = "Address in this API",
	  .example = EXAMPLE_URL "/spaces/" EXAMPLE_SPACE },
	{ "app", T_TEXT, F_REQ, .doc = "Page of the application; the address in this API where OCTAVO_APP=0",
	  .example = EXAMPLE_APP "/spaces/" EXAMPLE_SPACE },
	{ "published", T_TEXT, .doc = "Address where it is published",
	  .example = "https://docs.example.com/handbook" },
	{ "public", T_TEXT, .doc = "Address where everybody can read it",
	  .example = "https://docs.example.com/handbook" },
	{ "icon", T_TEXT, .doc = "Address of its icon", .example = "https://example.com/icon.png" },
	{ 0 } } };

/* The member gitSync, which is absent if the space was never synchronized. */
static const struct shape GitSync = { "GitSyncState", (const struct field[]){
	{ "repoName", T_TEXT, .doc = "Name of the repository", .example = "acme/docs" },
	GIT_INSTALLATION_FIELDS,
	{ "integration", T_TEXT, .doc = "Service that synchronizes it", .example = "git" },
	{ "url", T_TEXT, .doc = "Address of the repository",
	  .example = "https://git.example.com/acme/docs" },
	{ "updatedAt", T_TIME, .doc = "When it was last synchronized" },
	{ 0 } } };

static const struct shape SpacePermissions = { "SpacePermissions", (const struct field[]){
	{ "view", T_BOOL, F_REQ, .doc = "You may see it" },
	{ "access", T_BOOL, F_REQ, .doc = "You may read its content" },
	{ "admin", T_BOOL, F_REQ, .doc = "You may change its settings" },
	{ "viewInviteLinks", T_BOOL, F_REQ, .doc = "You may list and make its invite links" },
	{ "edit", T_BOOL, F_REQ, .doc = "You may write in change requests" },
	{ "triggerGitSync", T_BOOL, F_REQ, .doc = "You may import from git" },
	{ "comment", T_BOOL, F_REQ, .doc = "You may comment" },
	{ "merge", T_BOOL, F_REQ, .doc = "You may merge change requests" },
	{ "review", T_BOOL, F_REQ, .doc = "You may review change requests" },
	{ "installIntegration", T_BOOL, F_REQ, .doc = "You may install integrations" },
	{ 0 } } };

/*
 * Writes `urls`. `shown` is NULL if no published site shows the space; the address is then not
 * looked up. A visitor gets the address on the visited site. The members are written by hand, since
 * one look-up gives two of them.
 */
static void
emit_urls(struct json *j, const struct field *f, const struct row *w)
{
	const char *at = url_for(w->r, "/v1/spaces/%s", row_text(w, "id"));
	const char *shown = w->r->visit == NULL && row_null(w, "shown") ? NULL :
	    space_address(w->r, row_text(w, "id"));

	json_kobj(j, f->name);
	json_kstr(j, "location", at);
	json_kstr(j, "app", app_space_address(w->r, row_text(w, "id")));
	if (shown != NULL)
		json_kstr(j, "published", shown);
	/* On an unlisted or public site, anybody who knows the address can open the space. */
	shown = space_public_address(w->r, row_text(w, "id"), shown, !row_null(w, "shown") && row_int(w, "shown") >= SHOWN_UNLISTED);
	if (shown != NULL)
		json_kstr(j, "public", shown);
	if (!row_null(w, "icon"))
		json_kstr(j, "icon", row_text(w, "icon"));
	json_end(j);
}

/*
 * Writes the widest visibility of the published sites that show the space. If there is none, the
 * value shows whether the space inherits its level from a collection.
 */
static void
emit_visibility(struct json *j, const struct field *f, const struct row *w)
{
	static const char *const wide[] = { NULL, "visitor-auth", "share-link", "unlisted", "public" };
	bool inside = !row_null(w, "parent") && row_int(w, "default_level") == LEVEL_INHERIT;

	json_kstr(j, f->name, !row_null(w, "shown") ? wide[row_int(w, "shown")] :
	    inside ? "in-collection" : "private");
}

/*
 * Writes the member only if the widest visibility is visitor-auth, and not for visitors, whom the
 * site itself sends to the sign-in.
 */
static void
emit_visitor_auth(struct json *j, const struct field *f, const struct row *w)
{
	const char *backend = w->r->visit != NULL || row_null(w, "shown") || row_int(w, "shown") != SHOWN_VISITOR_AUTH ? NULL :
	    space_visitor_backend(w->r, row_text(w, "id"));

	if (backend == NULL)
		return;
	json_kobj(j, f->name);
	json_kstr(j, "backend", backend);
	/* The published client requires a name here. */
	if (strcmp(backend, "integration") == 0)
		json_kstr(j, "integration", "");
	json_end(j);
}

/*
 * Returns "owner/name", the last two segments of the path of an address without credentials. Host
 * and port are never included.
 */
static struct str
repo_name(const char *url)
{
	const char *scheme = strstr(url, "://");
	struct str s = str_of(scheme == NULL ? url : scheme + 3 + strcspn(scheme + 3, "/"));
	size_t i, slashes = 0;

	/*
	 * Remove what users append to an address: "…/docs.git/" is the same repository as "…/docs".
	 */
	while (s.n > 0 && s.p[s.n - 1] == '/')
		s.n--;
	if (s.n > 4 && memcmp(s.p + s.n - 4, ".git", 4) == 0)
		s.n -= 4;
	for (i = s.n; i > 0; i--)
		if (s.p[i - 1] == '/' && ++slashes == 2)
			break;
	/* A path of one segment has no owner. */
	i += i < s.n && s.p[i] == '/';
	return str_slice(s, i, s.n);
}

void
git_installation_members(struct json *j, const char *provider)
{
	json_kstr(j, "installationProvider", provider != NULL && strcmp(provider, "gitlab") == 0 ? "gitlab" : "github");
	json_kstr(j, "installationStatus", "active");
	json_kstr(j, "installationId", "");
}

/*
 * The address of gitInfo is preferred to tree_url, since the published client uses both for the
 * address of the repository's tree. git_url contains no credentials (git_operations.c), so it may
 * be shown.
 */
void
git_sync_members(struct json *j, const struct row *w)
{
	json_kstrn(j, "repoName", repo_name(row_text(w, "git_url")));
	git_installation_members(j, row_null(w, "git_provider") ? NULL : row_text(w, "git_provider"));
	json_kstr(j, "url", row_text(w, !row_null(w, "git_info_url") ? "git_info_url" :
	    !row_null(w, "git_tree_url") ? "git_tree_url" : "git_url"));
	json_key(j, "updatedAt");
	json_time(j, row_int(w, "git_updated_at"));
}

static void
emit_git_sync(struct json *j, const struct field *f, const struct row *w)
{
	/* NULL if git_sync has no row for the space (LEFT JOIN in SPACE_FROM). */
	if (row_null(w, "git_url"))
		return;
	json_kobj(j, f->name);
	git_sync_members(j, w);
	json_end(j);
}

/*
 * A flag is true only if the operations that it stands for succeed. So it is false for the import
 * into a locked space, and a deleted space can only be viewed and restored.
 */
static void
emit_permissions(struct json *j, const struct field *f, const struct row *w)
{
	/* The flags are for this token, whose scope may limit the role. */
	enum role view = cap_role(w->r, row_int(w, "role")), role = row_null(w, "deleted_at") ? view : ROLE_NONE;
	bool open = strcmp(row_text(w, "edit_mode"), "locked") != 0;

	json_kobj(j, f->name);
	json_kbool(j, "view", view >= ROLE_READ);
	json_kbool(j, "access", role >= ROLE_READ);
	json_kbool(j, "admin", role >= ROLE_CREATE);
	json_kbool(j, "viewInviteLinks", role >= ROLE_CREATE);
	json_kbool(j, "edit", role >= ROLE_EDIT && open);
	json_kbool(j, "triggerGitSync", role >= ROLE_REVIEW && open);
	json_kbool(j, "comment", role >= ROLE_COMMENT);
	json_kbool(j, "merge", role >= ROLE_REVIEW && open);
	json_kbool(j, "review", role >= ROLE_REVIEW);
	json_kbool(j, "installIntegration", false);
	json_end(j);
}

static void
emit_type(struct json *j, const struct field *f, const struct row *w)
{
	if (row_int(w, "styleguide") != 0)
		json_kstr(j, f->name, "styleguide");
}

static const struct shape SpaceVisitorAuth = { "SpaceVisitorAuth", (const struct field[]){
	{ "backend", T_ENUM, F_REQ, .set = "custom,integration", .doc = "Who signs the claims of visitors" },
	{ "integration", T_TEXT, F_ALTERNATIVE, .doc = "With backend integration; always empty: Octavo has none", .example = "" },
	{ 0 } } };

const struct shape Space = { "Space", (const struct field[]){
	{ "object", T_CONST, F_REQ, .set = "space", .doc = "Kind of object" },
	{ "id", T_TEXT, F_REQ, .doc = "Unique id", .example = EXAMPLE_SPACE },
	{ "title", T_TEXT, F_REQ, .doc = "Title", .example = "Handbook" },
	{ "emoji", T_TEXT, F_REQ,
	  .doc = "Emoji beside the title, code points in hexadecimal; empty: none", .example = "1f4d8" },
	{ "visibility", T_ENUM, F_REQ,
	  .set = "private,in-collection,visitor-auth,share-link,unlisted,public", .emit = emit_visibility,
	  .doc = "Who may read it" },
	{ "createdAt", T_TIME, F_REQ, .col = "created_at", .doc = "When it was created" },
	{ "updatedAt", T_TIME, F_REQ, .col = "updated_at", .doc = "When it was last changed" },
	{ "deletedAt", T_TIME, F_ALTERNATIVE, .col = "deleted_at", .doc = "When it was deleted" },
	{ "editMode", T_ENUM, F_REQ, .set = "live,locked", .col = "edit_mode",
	  .doc = "locked: nobody can write to the space" },
	{ "type", T_CONST, F_ALTERNATIVE, .set = "styleguide", .emit = emit_type, .doc = "Kind of space; absent: a usual space" },
	{ "mergeRules", T_OBJECT, F_REQ, .of = &MergeRulesSpace, .col = "merge_rules",
	  .doc = "Rules that a change request must meet before it is merged" },
	{ "urls", T_OBJECT, F_REQ, .of = &SpaceUrls, .emit = emit_urls, .doc = "Its addresses" },
	{ "organization", T_TEXT, F_REQ, .col = "org", .doc = "Id of its organization",
	  .example = EXAMPLE_ORG },
	{ "parent", T_TEXT, .doc = "Id of the collection that contains it; absent: the top level",
	  .example = EXAMPLE_COLLECTION },
	{ "language", T_TEXT, .doc = "Language of the content", .example = "en" },
	{ "gitSync", T_OBJECT, .of = &GitSync, .emit = emit_git_sync,
	  .doc = "Repository that the content is synchronized with" },
	{ "visitorAuth", T_OBJECT, .of = &SpaceVisitorAuth, .emit = emit_visitor_auth,
	  .doc = "With visibility visitor-auth: settings of the site that shows the space for signing the claims of visitors" },
	{ "revision", T_TEXT, F_REQ, .doc = "Id of the newest revision of the primary content",
	  .example = EXAMPLE_REVISION },
	{ "defaultLevel", T_LEVEL, F_REQ, .col = "default_level",
	  .doc = "Role of everybody in the organization; null: none; inherit: the role on the collection above, and at the top level the "
	  "role in the organization" },
	{ "comments", T_INT, F_REQ, .doc = "Number of open comments", .example = "2" },
	{ "changeRequests", T_INT, F_REQ, .col = "requests",
	  .doc = "Number of change requests of any status", .example = "5" },
	{ "changeRequestsOpen", T_INT, F_REQ, .col = "requests_open", .doc = "Number of open change requests",
	  .example = "1" },
	{ "changeRequestsDraft", T_INT, F_REQ, .col = "requests_draft", .doc = "Number of drafts", .example = "1" },
	{ "permissions", T_OBJECT, F_REQ, .of = &SpacePermissions, .emit = emit_permissions,
	  .doc = "What you may do with it" },
	{ 0 } } };
