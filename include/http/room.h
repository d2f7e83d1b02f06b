/*
 * Room: http
 * Uses: base db
 *
 * The life of a request, from the bytes that the web server passes to the log line: router, shapes,
 * bearer tokens, queries and bodies, transactions, ETags, idempotency, errors, /v1/openapi.json. It
 * knows no resource of the API.
 *
 * In: struct io and a table of routes (struct app). Out: an answer. Handlers use req.h; tables of fields
 * are in shape.h.
 *
 *   dispatch              the steps of a request, in order
 *   router input reply    path -> route; checked input for handlers; how handlers answer
 *   shape shape_row shape_schema shape_example
 *                         checks input; makes output, schemas and examples
 *   auth charge           bearer tokens; limits on the work of one person
 *   etag idempotency answers page_cache   conditional requests, repeated POSTs, cached answers and pages
 *   local_request         requests of this process to its own dispatcher
 *   error                 errors as clients see them
 *   api_description*      /v1/openapi.json
 *   metrics access_log    counters and log lines
 */
