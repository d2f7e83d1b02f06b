/*
 * Room: http
 * Uses: base db
 *
 * The life of a request, from the bytes that the web server passes to the log line:
 * router, shapes, bearer tokens, queries and bodies, transactions, tags, idempotency,
 * errors, /v1/openapi.json. Knows no resource.
 *
 * In: struct io and a table of routes (struct app). Out: an answer. Handlers see req.h,
 * tables of fields are in shape.h.
 */
