/*
 * Room: computed
 * Uses: base db markdown store
 *
 * Documents and Markdown of pages that nobody wrote: what a page of type `computed` expands
 * to (store/computed.h), made of the parts of an OpenAPI specification (tables openapi_*).
 */
