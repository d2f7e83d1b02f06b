/*
 * Room: openapi
 * Uses: base
 *
 * Descriptions of APIs (Swagger 2.0, OpenAPI 3.0 to 3.2): read, checked, and divided into pages,
 * operations and schemas. Pure: bytes in, values out; a function of the caller reads other documents
 * that a description refers to.
 *
 *   openapi_value value_read   JSON and YAML as a tree, for large and hostile input
 *   openapi_check              checks that a description is valid
 *   schema_* pattern           JSON Schema, draft 4
 *   parts*                     pages, operations and schemas of a description
 *   follow uri                 references within and between documents
 *   example sample             examples of requests and answers
 *   weigh                      how large the HTML of a part will be
 *   words                      the words by which search finds a part
 */
