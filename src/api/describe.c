/*
 * Texts of /v1/openapi.json that are neither in a route nor in a shape: the introduction, the tags
 * (the sections of the manual, in order), the meaning of the {parameters} of paths, and the role
 * that each access rule takes. A tag or parameter without a text here fails
 * tests/unit/test_openapi.c.
 */
#include "api/describe.h"
#include "api/examples.h"

const char describe_about[] =
    "Organizations, spaces, pages and change requests of a documentation platform.\n\n"
    "Requests and answers are JSON. Send `Authorization: Bearer TOKEN`, where TOKEN comes from "
    "`octavo token create` or POST /user/tokens. Times are RFC 3339 in UTC. Ids are opaque text.\n\n"
    "Lists take `limit` and `page`: as long as an answer has `next`, send `next.page` as `page` to get "
    "what follows. A failure answers `error.code`, the HTTP status, and `error.message`; `fields` "
    "names what is wrong in the input. Objects that you may not see answer 404.";

/* The tags, in the order of the manual's sections. */
const struct described describe_tags[] = {
	{ "Service", "The API about itself: version, health, this description.", NULL },
	{ "Users and tokens", "Who you are, and the tokens that act for you.", NULL },
	{ "Organizations", "Organizations with their settings, spaces, invite links and search.", NULL },
	{ "Organization members", "Who belongs to an organization, with which role.", NULL },
	{ "Teams and team members", "Groups of members that are given roles together.", NULL },
	{ "Sign-in", "Sessions of people in browsers, passwords, and programs that sign in through a browser.", NULL },
	{ "SSO", "Identity providers for single sign-on by SAML.", NULL },
	{ "Audit", "Who changed what in an organization, and when.", NULL },
	{ "Collections", "Folders of spaces and of other collections, with the roles given on them.", NULL },
	{ "Spaces", "Containers of content, with their settings, place and the roles given on them.", NULL },
	{ "Space content", "Revisions, pages, files and reusable contents, and search in them.", NULL },
	{ "Change requests", "Proposed changes of a space: writing, review and merge.", NULL },
	{ "Comments", "Comments, replies and reactions on content and on change requests.", NULL },
	{ "Conversations", "Support conversations, what their users ask, and clusters of it.", NULL },
	{ "Translations", "Spaces in other languages, kept up to date, and the glossary.", NULL },
	{ "OpenAPI", "Descriptions of APIs, checked and shown as reference pages.", NULL },
	{ "Published content", "What published addresses lead to, for renderers of sites.", NULL },
	{ "Sites", "What an organization publishes: settings, publishing, structure.", NULL },
	{ "Site spaces", "Spaces as the variants of a site or of its sections.", NULL },
	{ "Site sections", "Parts of a site, each with spaces of its own.", NULL },
	{ "Site section groups", "Groups of sections, which may be in other groups.", NULL },
	{ "Git", "Import of content from a git repository.", NULL },
	{ "Imports", "Content that other programs wrote, from uploaded archives.", NULL },
	{ 0 }
};

/* Descriptions of parameters by name. A parameter has the same meaning in every path. */
const struct described describe_parameters[] = {
	{ "auditEventId", "Id of an audit event.", EXAMPLE_EVENT },
	{ "changeRequestId", "Id of a change request, or its number in the space.", EXAMPLE_REQUEST },
	{ "clusterId", "Id of a cluster of issues.", EXAMPLE_CLUSTER },
	{ "collectionId", "Id of a collection.", EXAMPLE_COLLECTION },
	{ "commentId", "Id of a comment.", EXAMPLE_COMMENT },
	{ "commentReplyId", "Id of a reply to the comment.", EXAMPLE_REPLY },
	{ "conversationId", "Id of a conversation, as it was ingested, percent-encoded.", EXAMPLE_CONVERSATION },
	{ "documentId", "Id of a page or of a reusable content, which is that of its document.", EXAMPLE_PAGE },
	{ "emailDomain", "The domain of an address.", "example.com" },
	{ "exportId", "Id of an export of an organization.", "anExportOfTheOrg222222" },
	{ "fileId", "Id of a file.", EXAMPLE_FILE },
	{ "fontId", "Id of a font of the organization.", "n5HrT9vKxQb2LsWc7ZdM" },
	{ "gitHookId", "Id of a hook, which the binding of a space has.", "4hZk0PzqZ1vWc2Xn5tYb8m" },
	{ "glossaryEntryId", "Id of a term of the glossary.", EXAMPLE_TERM },
	{ "hostname", "Hostname of a site.", "docs.example.com" },
	{ "passkeyId", "Id of a passkey of your account.", "k7WmR2xKq8TnVb4ZcLd7" },
	{ "identityId", "Id of a person of the provider who signs in to your account.", "i5WmR2xKq8TnVb4ZcLd7" },
	{ "importRunId", "Id of an import.", "anImportOfTheManual222" },
	{ "inviteId", "Id of an invite link, which is its secret.", EXAMPLE_INVITE },
	{ "issueId", "Id of an issue of a conversation.", EXAMPLE_ISSUE },
	{ "oidcProviderId", "Id of an OpenID provider of an organization.", EXAMPLE_OIDC },
	{ "ssoProviderId", "Id of an OpenID or SAML provider of an organization.", EXAMPLE_OIDC },
	{ "openAPISpecId", "Id of an OpenAPI specification.", EXAMPLE_SPEC },
	{ "organizationId", "Id of an organization.", EXAMPLE_ORG },
	{ "pageId", "Id of a page.", EXAMPLE_PAGE },
	{ "pagePath", "Path of a page: segments joined by /, plain or as %2F.", "guides/first-steps" },
	{ "reusableContentId", "Id of a reusable content.", EXAMPLE_REUSABLE },
	{ "reviewId", "Id of a review.", EXAMPLE_REVIEW },
	{ "revisionId", "Id of a revision of the space.", EXAMPLE_REVISION },
	{ "samlProviderId", "Id of a SAML provider.", EXAMPLE_SAML },
	{ "sessionId", "Id of one of your sessions, or `current`.", "s8KwT3nRbXq5VmZc7LhD" },
	{ "siteExternalLinkId", "Id of an external link.", EXAMPLE_EXTERNAL_LINK },
	{ "siteId", "Id of a site.", EXAMPLE_SITE },
	{ "shareLinkId", "Id of a share link.", EXAMPLE_INVITE },
	{ "siteMcpServerId", "Id of an MCP server of a site.", EXAMPLE_INVITE },
	{ "siteRedirectId", "Id of a redirect.", EXAMPLE_INVITE },
	{ "siteSectionGroupId", "Id of a group of sections of the site.", EXAMPLE_GROUP },
	{ "siteSectionId", "Id of a section of the site.", EXAMPLE_SECTION },
	{ "siteSpaceId", "Id of a site space of the site.", EXAMPLE_SITE_SPACE },
	{ "spaceId", "Id of a space.", EXAMPLE_SPACE },
	{ "specSlug", "Slug of an OpenAPI specification; its case counts.", "pet-store" },
	{ "storageKey", "Storage key of a file, part of the signed address.", "f7QnT2wKxVb5LsZc9RhM" },
	{ "subdomain", "A hostname without dots.", "acme-docs" },
	{ "teamId", "Id of a team.", EXAMPLE_TEAM },
	{ "tokenId", "Id of a token, not its text.", EXAMPLE_TOKEN },
	{ "translationId", "Id of a translation.", EXAMPLE_TRANSLATION },
	{ "uploadId", "Id of a file that is being fetched.", EXAMPLE_UPLOAD },
	{ "userId", "Id of a user.", EXAMPLE_USER },
	{ "versionId", "Id of a version of the specification.", EXAMPLE_VERSION },
	{ 0 }
};

/* The role that each access rule takes, as the end of the sentence "Takes …". */
const struct described describe_rules[] = {
	{ "ANYONE", "no token", NULL },
	{ "OWN_PAGES", "no token; of browsers, only from a page of this installation", NULL },
	{ "USER", "any token", NULL },
	{ "ORG_VIEW", "a member of the organization, guests too", NULL },
	{ "ORG_LINK", "a member of the organization, guests too, also where `sso` closes it to this sign-in", NULL },
	{ "ORG_READ", "the role read in the organization", NULL },
	{ "ORG_CREATE", "the role create in the organization", NULL },
	{ "ORG_ADMIN", "the role admin in the organization", NULL },
	{ "SPACE_SEE", "the role read on the space", NULL },
	{ "SPACE_READ", "the role read on the space", NULL },
	{ "SPACE_COMMENT", "the role comment on the space", NULL },
	{ "SPACE_EDIT", "the role edit on the space", NULL },
	{ "SPACE_REVIEW", "the role review on the space", NULL },
	{ "SPACE_WRITE", "the role edit on the space where `changeRequestId` is given, else review", NULL },
	{ "SPACE_CREATE", "the role create on the space", NULL },
	{ "SPACE_DELETED", "the role create on the deleted space", NULL },
	{ "REQUEST_OWN", "the author of the change request, or the role edit on the space", NULL },
	{ "COLLECTION_READ", "the role read on the collection", NULL },
	{ "COLLECTION_CREATE", "the role create on the collection", NULL },
	{ "MEMBER_VIEW", "the member itself, or the role read in the organization", NULL },
	{ "SITE_LIST", "the role create in the organization", NULL },
	{ "SITE_SEE", "the role create in the organization; to others the site is not there", NULL },
	{ "SITE_READ", "the role create in the organization, or to be a member who may read what the site publishes: "
	  "anything where it is public or unlisted, else the role read on all of its spaces", NULL },
	{ "SITE_CREATE", "the role create in the organization; to others the site is not there", NULL },
	{ "TEAM_VIEW", "the role read in the organization, or an owner of the team", NULL },
	{ "TEAM_ADMIN", "an owner of the team, or the role admin in the organization", NULL },
	{ "PARENT_CREATE", "the role create on the collection that `parent` names, or else in the organization", NULL },
	{ "SELF", "the user itself", NULL },
	{ "INVITE_MANAGE", "the role admin in the organization, or for a link to content the role create on that", NULL },
	{ "INVITE_SECRET", "any token, with the id of the link", NULL },
	{ 0 }
};
