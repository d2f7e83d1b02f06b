/*
 * Room: api
 * Uses: base db text http app signin markdown layout store computed links search propagate merge edit git sync jobs conversations audience expr render typeset
 *
 * The endpoints: one file per resource, each with its shapes, statements and handlers. src/routes.def
 * has a line for each endpoint, and routes.c makes the table of them; check_access() in access_rules.c
 * decides who may do what. Of git and jobs it only uses the functions that check and seal arguments
 * (git_url, credentials) and that queue a job.
 *
 * The folders of src/api contain one kind of resource each and do not include each other's headers.
 * A function that another folder needs is declared in a header of include/api, together with the
 * functions for all of them:
 *
 *   people         organizations, members, teams, users, tokens, permissions, invites, sign-in
 *   spaces         collections and spaces, and what belongs to one: git, translations, OpenAPI
 *                  specifications
 *   content        reading content: revisions, pages, files, links, search, PDFs
 *   requests       change requests and their content, merge rules
 *   comments       comments, replies, reactions, reviews
 *   sites          published sites: structure, customization, audience, redirects, hostnames,
 *                  insights, and the first request of a renderer: which site an address belongs to
 *   conversations  support conversations and clusters of their issues
 */
