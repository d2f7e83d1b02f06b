/*
 * What the resource files share: shapes, the columns of a space, guards.
 * One file a resource, in the folder of its kind (include/api/room.h); each begins with its tables and invariants, then
 * shapes, SQL, helpers, handlers in the order of routes.def.
 */
#ifndef OCTAVO_API_H
#define OCTAVO_API_H

#include "app/audit.h"
#include "store/computed.h"
#include "store/content.h"
#include "store/space.h"
#include "http/req.h"
#include "app/roles.h"

/* Prototypes of all handlers: a route without its function does not link. */
#define ROUTE(method, path, operation, access, callers, mode, query, body, reply, ok, also, summary, tag, about) \
	int operation(struct req *r);
#include "../../src/routes.def"
#undef ROUTE

/* What the description of the API says of no single route or shape (describe.c). */
extern const char describe_about[];
extern const struct described describe_tags[], describe_parameters[], describe_rules[];

/* Ids for examples, one a kind, so that examples agree with each other. */
#define EXAMPLE_ORG        "o7RkQ2mVtXw9LsBd4HcN"
#define EXAMPLE_USER       "u3JpZ8nYqLk5WvTf6MxA"
#define EXAMPLE_TEAM       "t9CdF4gHrPz2KsVb8NwQ"
#define EXAMPLE_COLLECTION "c5XvB7mLkTq3RjWd2ZnH"
#define EXAMPLE_SPACE      "s2GhN6wPxYt8QfKc4LrV"
#define EXAMPLE_REVISION   "r8TzM3kVbJn6DxQs9WpC"
#define EXAMPLE_PAGE       "p4WqL9xRsHv7FnTd3KzJ"
#define EXAMPLE_FILE       "f6YbK2tNcPm8VgXh5RwZ"
#define EXAMPLE_REUSABLE   "e3LnD7qWzTk9JvMb4XsF"
#define EXAMPLE_REQUEST    "q9PsV5hXfRc2NmLt7WdB"
#define EXAMPLE_COMMENT    "m2KxT8vJgWn4QzRb6HpL"
#define EXAMPLE_REPLY      "y7FdW3sLbXq5TkVn9MzG"
#define EXAMPLE_REVIEW     "w5ZrH9nKtPc3GxJd8LvQ"
#define EXAMPLE_INVITE     "i8MvX4bQwRz6TsLk2FnY"
#define EXAMPLE_SAML       "a4NtJ7pVgXk9WqHd3CzR"
#define EXAMPLE_CLUSTER    "g5HwN8tKxLq3VzRb6McJ"
#define EXAMPLE_CONVERSATION "ticket-4711"
#define EXAMPLE_ISSUE      "i9TqV4xBnMz7LcWk2RhG"
#define EXAMPLE_TOKEN      "k6RwB2zLnTx8MfVs5QjP"
#define EXAMPLE_SPEC       "d7QmV2xLtRw9KsHb4NcZ"
#define EXAMPLE_VERSION    "n3TzK8pWxJv5GdRq6LfM"
#define EXAMPLE_UPLOAD "u4TnWq8RkZx2MpVb6JhC"
#define EXAMPLE_TRANSLATION "t7RkWq2ZnXm4VbJh9LpD"
#define EXAMPLE_TERM "g5QmZt8WkRx1NvBc6HjF"
#define EXAMPLE_EVENT      "v3HcQ9rXmWk7LtNb4ZdS"
#define EXAMPLE_SITE       "d5VqK8tNwRm3XbLz7FhC"
#define EXAMPLE_SITE_SPACE "j9WcP2kTzLs6QnVb4XgM"
#define EXAMPLE_SECTION    "n4XrG7mQvKw9TzHb2LdS"
#define EXAMPLE_GROUP      "z6TkM3wLrQn8VxPc5JbF"
#define EXAMPLE_BLOCK      "b1XkR7pQ"
#define EXAMPLE_URL        "https://docs.example.com/v1"

/* Shapes of more than one file. */
extern const struct shape ListNext, ListQuery, FilesQuery, RevisionQuery, PageQuery, DocumentQuery;
extern const struct shape ApiInformation, Health, AnyObject;
extern const struct shape FileUpload, UploadCreate;
extern const struct shape Translation, TranslationList, TranslationCreate, TranslationEdit;
extern const struct shape GlossaryEntry, GlossaryEntryList, GlossaryEdit;

/* Languages of content, as the published client lists them. */
#define LANGUAGES SPACE_LANGUAGES
extern const struct shape User, UserSelf, Organization, OrganizationList, OrganizationCreate;
extern const struct shape Space, SpaceList, SpaceEdit, SpaceCreate, SpaceQuery;
extern const struct shape Revision, RevisionPage, PageList, RevisionFile, FileList,
    RevisionReusableContent, JSONDocument, MetaLinks, EmbedQuery, Embed, ContentRef, GitBlob, PageCover, PageTag,
    SpaceTag, PageComputation, LayoutSettings;
extern const struct shape GitImport, GitExport, GitBinding, GitBindingPut, GitInfo;
extern const struct shape Collection, CollectionList, CollectionsQuery, CollectionCreate,
    CollectionEdit, Move, Transfer;
extern const struct shape Site, SiteList, SitesQuery, SiteCreate, SiteEdit, SiteSpace, SiteSpaceList,
    SiteSpacesQuery, SiteSpaceAdd, SiteSpaceEdit, SiteSpaceMove, SiteSection, SiteSectionList, SiteSectionsQuery,
    SiteSectionAdd, SiteSectionEdit, SiteSectionMove, SiteSectionGroup, SiteSectionGroupList, SiteGroupAdd,
    SiteGroupEdit, SiteGroupTake, SiteGroupMove, SiteStructure, SiteStructureItem, SiteSort;
extern const struct shape SiteCustomization, SiteCustomizationEdit, PublishedSite, ShareKeyQuery, ResolveURL,
    Resolved, ContentURLQuery, ContentByURL, ShareLink, ShareLinkList, ShareLinkCreate, ShareLinkEdit, SiteAuth,
    SiteAuthEdit, PreviewQuery, SitePreview, SiteRedirect, SiteRedirectList, SiteRedirectCreate, SiteRedirectEdit,
    SiteRedirectsQuery, SiteRedirectQuery, SiteRedirectFound, SiteAdaptiveSchema, SiteAdaptiveSchemaPut,
    SiteTemplates, SiteSearch, CustomHostname, SiteEvents, SiteEventsAsk, SiteEventsTold,
    SiteMcpServer, SiteMcpServerList, SiteMcpServerCreate, SiteMcpServerEdit, SitePermissionList, SiteRedirectsPut,
    SiteRedirectsDone;
extern const struct shape MergeRulesSpace, MergeRulesOrganization;
extern const struct shape Member, MemberList, MembersQuery, MemberEdit, MemberSpaceList, MemberSpacesQuery,
    MemberTeamList, Ping;
extern const struct shape Team, TeamList, TeamsQuery, TeamCreate, TeamEdit, TeamMemberList,
    TeamMembersEdit, TeamMemberPut, TeamRole, TitleQuery;
extern const struct shape UserEdit, Token, TokenList, TokenCreate, TokenRotate, TokenRevokeQuery, Subdomain;
extern const struct shape UserPermissionList, TeamPermissionList, AggregateQuery, PermissionInvite,
    PermissionEdit;
extern const struct shape InviteByEmail, Invited, InviteLink, InviteLinkList, InviteLinksQuery,
    InviteLinkCreate, InviteLinkEdit;
extern const struct shape SAMLProvider, SAMLProviderList, SAMLProviderCreate, SAMLProviderEdit, LoginList;
extern const struct shape OrganizationEdit, DomainOrganizations, AgentInstructions, AgentInstructionsEdit;
extern const struct shape AuditEventList, AuditEventDetails, AuditQuery, AuditActionList;
extern const struct shape PDFQuery, PDFAddress;
extern const struct shape LinksQuery, RequestLinksQuery, LinkList, BacklinkList, ExpressionFaultList, SiteExpressionFaultList;
extern const struct shape SearchQuery, SearchPageList, SearchSpaceList;
extern const struct shape TemplateApply, TemplateUse, ContentChanges, CompatQuery, ContentUpdate, MergeResult, SemanticChanges,
    ChangesQuery;
extern const struct shape ChangeRequest, ChangeRequestList, ChangeRequestQuery, ChangeRequestCreate,
    ChangeRequestEdit, ContributorList, UserContributor;
extern const struct shape ChangeRequestReview, ReviewList, ReviewListQuery, ReviewSubmit,
    RequestedReviewers, RequestedReviewerList, RequestReviewers;
extern const struct shape OpenAPISpec, OpenAPISpecList, OpenAPISpecCreate, OpenAPISpecPut, OpenAPISpecEdit,
    OpenAPISpecVersion, OpenAPISpecVersionList, OpenAPISpecContent;
extern const struct shape RichText, Comment, CommentList, CommentListQuery, CommentQuery, CommentPost,
    CommentEdit, CommentReply, CommentReplyList, ReplyListQuery, ReplyPost, ReplyEdit, RequestReplyEdit;

extern const struct shape ConversationQuery, ConversationList, ConversationIngest, ConversationWhole,
    ConversationIssueQuery, ConversationIssueList, ConversationIssueWhole, IssuesCluster,
    IssuesClusterQuery, IssuesClusterList;

/* Fields of the query of every list. */
#define PAGING \
	{ "page", T_TEXT, .doc = "Where to go on: next.page of the answer before", .example = "Mg.Zx3k" }, \
	{ "limit", T_INT, .min = 0, .max = 1000, .preset = "50", .doc = "Most items in one answer; 0: the count alone" }

/* Items of a list envelope whose items have the shape s. */
#define LIST_SHAPE(name_, s) \
	const struct shape name_ = { #name_, (const struct field[]){ \
		{ "items", T_LIST, F_REQ, .of = &s, .doc = "This part of the list" }, \
		{ "count", T_INT, F_REQ, .doc = "Objects in the whole list under its filters", .example = "1" }, \
		{ "next", T_OBJECT, .of = &ListNext, .doc = "Absent on the last page" }, { 0 } } }

/* Columns of the Collection shape, from collection c. */
#define COLLECTION_COLS \
	"c.id, c.org, c.parent, c.title, c.description, c.default_level, c.ord, c.updated_at"

/* Columns of the Member shape, from MEMBER_FROM; in a statement with AND_SEEN, them and AND_GAINED. */
#define MEMBER_COLS \
	"m.account AS id, m.role, m.disabled, m.joined_at, m.seen_at, m.sso, " USER_COLS("u", "u_") ", " \
	"(SELECT count(*) FROM team_member tm WHERE tm.account = m.account AND EXISTS " \
	"(SELECT 1 FROM team t WHERE t.id = tm.team AND t.org = m.org)) AS teams, " MEMBER_SPACES " AS spaces"
#define MEMBER_FROM \
	"gained x JOIN member m ON m.org = x.org AND m.account = x.account JOIN account u ON u.id = x.account "

/* Columns of the Team shape, from team t; in a statement with seen. Spaces are those that the team's
 * own grants lead to: of them, and below them as long as nothing else sets a level. */
#define TEAM_COLS \
	"t.id, t.title, t.created_at, " \
	"(SELECT count(*) FROM team_member tm WHERE tm.team = t.id) AS members, " \
	"(WITH RECURSIVE down (id) AS (SELECT g.collection FROM access_grant g " \
	"WHERE g.team = t.id AND g.collection IS NOT NULL UNION SELECT c.id FROM down " \
	"JOIN collection c ON c.parent = down.id WHERE c.default_level = -1 AND c.deleted_at IS NULL) " \
	"SELECT count(*) FROM (SELECT g.space AS id FROM access_grant g WHERE g.team = t.id " \
	"AND g.space IS NOT NULL UNION SELECT x.id FROM down JOIN space x ON x.parent = down.id " \
	"WHERE x.default_level = -1) AS led JOIN seen v ON v.id = led.id) AS spaces, " \
	"EXISTS (SELECT 1 FROM team_member tm WHERE tm.team = t.id AND tm.account = :user " \
	"AND tm.role = 'owner') AS owned"

/*
 * How wide the audience is that space s is shown to; NULL: no published site shows it. site_space.shown,
 * from 1 (visitor-auth) to 4 (public).
 */
#define SPACE_SHOWN \
	"(SELECT sx.shown FROM site_space sx WHERE sx.space = s.id AND sx.shown > 0 ORDER BY sx.shown DESC LIMIT 1)"
/* Columns of the Space shape, from space s, its branch b and git_sync g. */
#define SPACE_COLS \
	"s.id, s.org, s.parent, s.title, s.emoji, s.icon, s.edit_mode, s.default_level, s.language, " \
	"s.merge_rules, s.created_at, s.updated_at, s.deleted_at, s.comments, s.requests, " \
	"s.requests_open, s.requests_draft, s.branch, b.head, " \
	"(SELECT rv.id FROM revision rv WHERE rv.branch = s.branch AND rv.seq = b.head) AS revision, " \
	SPACE_SHOWN " AS shown, " \
	"g.url AS git_url, g.tree_url AS git_tree_url, g.provider AS git_provider, " \
	"g.info_url AS git_info_url, g.updated_at AS git_updated_at"
#define SPACE_FROM "space s JOIN branch b ON b.id = s.branch LEFT JOIN git_sync g ON g.space = s.id"

/* Columns of the User shape from a joined user u, for a field with .join = prefix. */
#define USER_COLS(u, prefix) \
	u ".id AS " prefix "id, " u ".email AS " prefix "email, " u ".name AS " prefix "name, " \
	u ".photo_url AS " prefix "photo_url"

/* Of change_request cr, its branch b and that branch's base main: main moved on since, by what people did. */
#define REQUEST_OUTDATED \
	"CASE WHEN cr.status <> 'merged' AND main.head > b.base_seq AND EXISTS (SELECT 1 FROM revision moved " \
	"WHERE moved.branch = main.id AND moved.seq > b.base_seq AND moved.kind <> 'computed') THEN 1 ELSE 0 END"

enum { COLLECTION_DEPTH = 32 };   /* how deep collections nest */

/* Is it a cluster of conversations' issues in the organization, and may the caller see it? 0 or fail(). */
int cluster_or_fail(struct req *r, const char *org, const char *id);

/* The caller's role under the cap of the token. */
int capped(const struct req *r, int64_t role);

/* The caller's role in an organization; 0: a guest, -1: no member. */
int org_role(struct req *r, const char *org);

/* May the caller create in this collection, or (parent NULL) at the top of the organization? 0 or fail(). */
int container_or_fail(struct req *r, const char *org, const char *parent);

/* The role in an organization without the cap of the token, for :org_role of a list; -1: no member. */
int org_role_full(struct req *r, const char *org);

/*
 * The row of an access statement for the caller (:user) on :place, NULL if there is none: how roles are
 * looked up. A role that is still true is remembered (known_roles.c), not worked out again.
 */
struct stmt *role_row(struct req *r, const struct sql *sql, const char *place);

/* A living collection's whole row with the caller's role, without the cap; NULL: unknown to them. */
struct stmt *collection_row(struct req *r, const char *id);

/* How many collections there are from this one up, itself included; NULL: 0. */
int collection_depth(struct req *r, const char *id);
/* Is there room for so many levels of collections below parent? 0 or fail(). */
int depth_or_fail(struct req *r, const char *parent, int height);

/* What lives in a collection, at any depth. */
struct inside {
	const char    *id;
	bool           space;   /* else a collection */
	struct inside *next;
};
struct inside *collection_inside(struct req *r, const char *id);

/* Gives the caller a grant `create` on a space or a collection, of which one is NULL. */
void grant_creator(struct req *r, const char *space, const char *collection);
/* The row of a collection or a space (as collection_row, space_row) that the caller just made or
 * brought here: with such a grant where the rules give less. */
struct stmt *collection_kept(struct req *r, const char *id);
struct stmt *space_kept(struct req *r, const char *id);

/* The row of {userId}, as far as the caller may know of it; NULL after fail(). */
struct stmt *user_or_fail(struct req *r);

/* The access rules of invite links (invites.c), which fill r->invite. 0 or fail(). INVITE_MANAGE is of members. */
int invite_manage(struct req *r);
int invite_secret(struct req *r);

/* Nobody grants above their own role: this role, and that of a defaultLevel in the body. 0 or fail(). */
int grant_or_fail(struct req *r, int own, int role);
int level_or_fail(struct req *r, int own);

/* Binds :org, :user and :org_role of a statement that begins WITH_PLACES, for {organizationId}. */
void bind_caller(struct stmt *q, struct req *r);

/*
 * The count that a statement about an organization or a collection (its id)
 * gives, when bind() has bound what it takes: nothing but what the ids of both
 * and of the caller decide. Remembered until anybody's access changes (known_roles.c).
 */
int64_t count_seen(struct req *r, const struct sql *q, const char *about,
    void (*bind)(struct stmt *q, struct req *r));

/* A pattern for LIKE … ESCAPE '\\' on octavo_fold(…): text that holds this, whatever case and accents; NULL for NULL. */
char *like_pattern(struct arena *a, const char *text);

/* The role that new members get: the organization's defaultRole, 0: a guest. */
int default_role(struct req *r, const char *org);

/*
 * The member that an id or address in a body names. An unknown address makes a
 * user and a member where the caller is an admin; NULL after fail() (404).
 */
const char *member_or_fail(struct req *r, const char *org, const char *key);

/* A new user for an address that nobody has, named in this organization; with the audit record. */
char *invited_user(struct req *r, const char *org, const char *mail);

/* Records what a membership has become since before, a member_snapshot(); NULL: it is new, by `added`. */
void member_changed(struct req *r, const char *org, const char *user, char *before,
    enum audit_action added);

/* Makes a user a member, or gives one another role, with the audit record. role 0: a guest. */
void member_add(struct req *r, const char *org, const char *user, int role, enum audit_action action);

/* The domain of the caller's address; NULL where it is not verified. */
const char *own_domain(struct req *r);

/* Gives a user a role on a space or a collection, of which one is NULL; replaces another one. With the audit record. */
void grant_set(struct req *r, const char *space, const char *collection, const char *user, int role);

/* Puts a member of the organization into a team, unless it is there. */
void team_join(struct req *r, const char *team, const char *user);

/* Is this user a member of the organization, guests and disabled ones included? */
bool is_member(struct req *r, const char *org, const char *user);

/*
 * The body's mergeRules: kinds that are known, users who are members. What they do not say is put in as
 * it was in before (JSON of the settings that they are part of). 0 or fail().
 */
int merge_rules_or_fail(struct req *r, const char *org, const char *before);

/* For r->after of whoever queues a job: starts the job runner where none is at work. (wake_runner.c) */
void wake_runner(struct req *r, void *arg);
/* May the user have one more job? 0 or fail(). */
int job_room_or_fail(struct req *r);

/* What a body says of a repository: its address without credentials, and those, sealed. 0 or fail(). (git_operations.c) */
int git_source_or_fail(struct req *r, const char **clean, struct str *secret);

/* A space's whole row with the caller's role; NULL: unknown to them. */
struct stmt *space_row(struct req *r, const char *id);

/* A specification of the organization by slug or id, on its row; NULL: there is none. (openapi_specs.c) */
struct stmt *openapi_row(struct req *r, const char *org, const char *slug);

/* An organization as its shape wants it, before the first step; for a caller who is a member. */
struct stmt *org_row(struct req *r, const char *id);

/* repoName, url, … of a space row or one with its git_* columns, into the open object. */
void git_sync_members(struct json *j, const struct row *w);

/* For what depends on the body or on whose an object is: the author, or this role on the space. 0 or fail(). */
int author_or_fail(struct req *r, const char *author, int need);
int role_or_fail(struct req *r, int need);

/* A change request whole (requests.c): its row, NULL if there is none; the row as the answer. */
struct stmt *request_row(struct req *r, const char *id);
int reply_request(struct req *r, const char *id);
/* 0, or fail(): the request of the path is merged or archived, and stays as it is. */
int request_open_or_fail(struct req *r);
/* Fills r->request with that change request of the space, by id or number: 0, or fail() with 404. */
int request_load(struct req *r, const char *id);
/* Is there such a template? 0 or fail(). */
int template_or_fail(struct req *r, const char *id);
/* Inserts a template's pages into r->request: 0 or fail(). */
int request_from_template(struct req *r, const char *id, const struct cJSON *params);
/* Takes subject and description of the body over into the request of the path. 0 or fail(). */
int request_describe(struct req *r);
/* The first merge rule that does not hold for the request of the path and the caller, and why ("RULE is
 * not met: …"); NULL: it may be merged. In merge_rules_unmet.c; inside the write transaction that merges. */
const char *merge_rule_unmet(struct req *r);
/*
 * Why an expression does not let the caller merge r->request ("… is not true"); NULL: it does. One that
 * fails does not. reviews: rows for the shape ChangeRequestReview, not stepped. In merge_custom.c.
 */
const char *merge_custom_unmet(struct req *r, const char *text, struct stmt *reviews);

/*
 * Rich text of a body that is no page (rich_text.c): a document as it is stored
 * (JSON), and Markdown or a document as Markdown. NULL after fail(); path is
 * that of the member, for the message. rich_members writes Markdown back into
 * the open object, as the query's `format` asks.
 */
const char *document_text(struct req *r, const struct cJSON *v, const char *path);
const char *rich_markdown(struct req *r, const struct cJSON *v, const char *path);
void rich_members(struct req *r, struct json *j, struct str markdown);

/*
 * Records a change that this request makes: fills in who, from where and the
 * source of e, whose org, target and before/after are the caller's to set.
 * audit_change() leaves out what before and after agree in, and records
 * nothing where they agree in all.
 */
void audit(struct req *r, const struct audit_event *e);
void audit_change(struct req *r, const struct audit_event *e, char *before, char *after);
/* Of a user rather than an organization: one record in each that the user chose. */
void audit_everywhere(struct req *r, const char *user, const struct audit_event *e);

/* The point that a content route reads: of {revisionId}, of {changeRequestId}, else the head. 0 or fail(). */
int point_or_fail(struct req *r, struct point *p);
/* And what is there under an id, of these kinds; `what` names them in the 404. 0 or fail(). */
int node_or_fail(struct req *r, const char *id, unsigned kinds, const char *what, struct point *p,
    struct node *n);
/*
 * A page of these kinds; every operation that takes a page's id looks it up here. *c is the page that a computed page
 * expands to (store/computed.h), which has no row: *n is then made up. NULL: n is a row. With `computed=false` in the
 * query there are none. 0 or fail().
 */
int page_or_fail(struct req *r, const char *id, unsigned kinds, struct point *p, struct node *n,
    struct computed_page **c);
/* The page of a row with those below it that the caller sees, computed ones expanded as the query says (revisions.c). */
struct page *page_whole(struct req *r, const struct point *p, const struct node *n);
/* The same as page_or_fail() without fail(), at a point that may be read. */
bool page_find(struct req *r, const struct point *p, const char *id, unsigned kinds, struct node *n,
    struct computed_page **c);

/* A revision with empty lists of pages, files and reusable contents, as JSON (revisions.c). */
struct str revision_alone(struct req *r, const struct point *p);

/* The change request that a revision merged, as it is now: JSON, "" where there is none (revisions.c). */
const char *merged_from(struct req *r, const struct point *p);

/* Pages, files: in revision_pages.c and revision_files.c. */
struct page_style {
	bool git;          /* git metadata wanted */
};
/* Where a page is read: in the change request of the path, where it names one, else in primary content. */
char *page_url(struct req *r, const char *space, const char *page);
void page_json(struct req *r, struct json *j, const struct point *p, const struct page *page,
    const struct page_style *s, const char *body_key, struct str body);
void pages_json(struct req *r, struct json *j, const struct point *p, const struct page *first,
    const struct page_style *s);
/* downloadURL of a file: of a site's visitor one that names who reads. */
char *file_address(struct req *r, const struct point *p, const struct node *n);
void file_json(struct req *r, struct json *j, const struct point *p, const struct node *n, bool git);
void reusable_json(struct req *r, struct json *j, const struct point *p, const struct node *n,
    bool git);
void git_json(struct json *j, const struct node *n);
/* The document of a node as the value of the open key; kept in the cache after the answer. */
struct str document_json(struct req *r, const struct point *p, const struct node *n);

#endif
