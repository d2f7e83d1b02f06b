/*
 * Room: api
 * Uses: base db text http app markdown layout store computed links search publish merge edit git jobs support visit expr render
 *
 * One file per resource: shapes, statements, handlers. src/routes.def has a line per
 * endpoint; access.c is the one function that says who may. From git and jobs it uses what
 * checks and seals arguments (git_url, credentials) and what queues a job, no more.
 *
 * The folders of src/api hold resources of a kind and know nothing of each other; what one
 * asks of another is declared in api.h, visit.h or shown.h, beside what the rooms above
 * (comments, sites) use:
 *
 *   people     organizations, members, teams, users, tokens, permissions, invites, sign-in
 *   spaces     collections and spaces, and what each brings with it: git, translations,
 *              descriptions of APIs
 *   content    revisions, pages, files, links, search, PDFs: what is read
 *   requests   change requests and their content, merge rules
 *   support    conversations and clusters of their issues
 */
