/*
 * Room: api
 * Uses: base db text http app markdown layout store computed links search publish merge edit git jobs support visit expr
 *
 * One file per resource: shapes, statements, handlers. src/routes.def has a line per
 * endpoint; access.c is the one function that says who may. From git and jobs it uses what
 * checks and seals arguments (git_url, credentials) and what queues a job, no more.
 */
