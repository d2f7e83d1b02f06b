/*
 * Room: computed
 * Uses: base db text markdown layout store
 *
 * Pages that nobody wrote: what a page of type `computed` expands to, read from the parts
 * of an OpenAPI specification (tables openapi_*). They are no rows of a revision: they are
 * grafted into trees where these are read, and found by id and by path.
 */
