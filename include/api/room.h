/*
 * Room: api
 * Uses: base db text http app markdown store computed links search propagate merge edit git sync jobs conversations audience expr render
 *
 * The endpoints: one file a resource, each with its shapes, statements and handlers. src/routes.def has
 * a line for each endpoint and routes.c makes the table of them; access.c is the one function that says
 * who may do what. From git and jobs it uses what checks and seals arguments (git_url, credentials) and
 * what queues a job, no more.
 *
 * The folders of src/api hold resources of a kind and know nothing of each other. What one asks of
 * another is declared in a header of include/api, beside what all of them use:
 *
 *   people         organizations, members, teams, users, tokens, permissions, invites, sign-in
 *   spaces         collections and spaces, and what each brings with it: git, translations,
 *                  descriptions of APIs
 *   content        revisions, pages, files, links, search, PDFs: what is read
 *   requests       change requests and their content, merge rules
 *   comments       what people say about content: comments, replies, reactions, reviews
 *   sites          published sites: structure, look, audience, redirects, hostnames, insights,
 *                  and what a renderer asks first: which site an address is of
 *   conversations  support conversations and clusters of their issues
 */
