/*
 * The route table: every endpoint, in the order of routes.def, which dispatch() needs for its
 * binary search. Also the other callbacks of the dispatcher (struct app). Contract: api/routes.h.
 */
#include "api/access_rules.h"
#include "api/audit_events.h"
#include "api/clusters.h"
#include "api/collections.h"
#include "api/comments.h"
#include "api/computed_previews.h"
#include "api/content_links.h"
#include "api/conversations.h"
#include "api/customization.h"
#include "api/describe.h"
#include "api/document_shapes.h"
#include "api/embed.h"
#include "api/expression_faults.h"
#include "api/fonts.h"
#include "api/git_bindings.h"
#include "api/git_operations.h"
#include "api/glossary.h"
#include "api/hostnames.h"
#include "api/import_files.h"
#include "api/import_runs.h"
#include "api/insights.h"
#include "api/insights_ask.h"
#include "api/invites.h"
#include "api/lists.h"
#include "api/members.h"
#include "api/merge_rules_unmet.h"
#include "api/meta.h"
#include "api/move.h"
#include "api/oidc.h"
#include "api/openapi_specs.h"
#include "api/org_exports.h"
#include "api/orgs.h"
#include "api/page_html.h"
#include "api/pdf_address.h"
#include "api/permissions.h"
#include "api/published.h"
#include "api/replies.h"
#include "api/request_changes.h"
#include "api/request_conflicts.h"
#include "api/request_content.h"
#include "api/request_row.h"
#include "api/requests.h"
#include "api/reviews.h"
#include "api/revision_files.h"
#include "api/revision_pages.h"
#include "api/revision_list.h"
#include "api/revisions.h"
#include "api/routes.h"
#include "api/saml.h"
#include "api/search_content.h"
#include "api/sign_in.h"
#include "api/site_audience.h"
#include "api/site_copies.h"
#include "api/site_faults.h"
#include "api/site_groups.h"
#include "api/site_links.h"
#include "api/site_mcp.h"
#include "api/site_people.h"
#include "api/site_redirects.h"
#include "api/site_schema.h"
#include "api/site_sections.h"
#include "api/site_spaces.h"
#include "api/site_structure.h"
#include "api/site_visit.h"
#include "api/sites.h"
#include "api/space_shape.h"
#include "api/space_translations.h"
#include "api/spaces.h"
#include "api/sso.h"
#include "api/storage.h"
#include "api/styleguides.h"
#include "api/subdomains.h"
#include "api/team_members.h"
#include "api/teams.h"
#include "api/tokens.h"
#include "api/uploads.h"
#include "api/users.h"
#include "api/visitor.h"
#include "audience/visit.h"
#include "http/metrics.h"

/* Prototypes of all handlers: a route without its handler fails to link. */
#define ROUTE(method, path, operation, access, callers, mode, query, body, reply, ok, also, summary, tag, about) \
	int operation(struct req *r);
#include "../routes.def"
#undef ROUTE

/* #access is the name of the access rule, for documentation and tests. */
static const struct route routes[] = {
#define ROUTE(method, path, operation, access, callers, mode, query, body, reply, ok, also, summary, tag, about) \
	{ method, path, #operation, operation, access, callers, mode, query, body, reply, ok, also, summary, \
	  #access, tag, about },
#include "../routes.def"
#undef ROUTE
};

/* Authenticates requests with tokens that belong to no user. */
static bool
read_other_token(struct req *r)
{
	return site_token(r) || metrics_token_take(r);
}

/* True for a hostname of a site, on which the API is not served: the site may have a variant called v1. */
static bool
is_site_host(struct req *r)
{
	return visit_is_hostname(r->db, r->arena, r->set, r->io->param(r->io, "HTTP_HOST"));
}

const struct app octavo_app = { routes, sizeof(routes) / sizeof(*routes), check_access, read_other_token, is_site_host,
	describe_about, describe_tags, describe_parameters, describe_rules };
