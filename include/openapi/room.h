/*
 * Room: openapi
 * Uses: base
 *
 * Descriptions of APIs (Swagger 2.0, OpenAPI 3.0 and 3.1): read, checked, taken apart
 * into pages, operations and schemas. Pure: bytes in, values out; what a description
 * refers to outside itself comes through a function of the caller.
 *
 *   value value_read     JSON and YAML as a tree, for large and hostile input
 *   schema_* pattern     JSON Schema, draft 4
 *   uri                  references between documents
 */
