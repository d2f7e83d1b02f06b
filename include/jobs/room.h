/*
 * Room: jobs
 * Uses: base db text markdown app store links search propagate merge fetch openapi computed pdf conversations translate typeset sync
 *
 * Work that takes longer than a request: the runner's processes (pool), the table of kinds of job
 * (kinds), and the smaller kinds themselves: OpenAPI specifications, PDFs, translations, uploads by
 * address, and permanent removal (purge). Import, export and bindings are in the sync room.
 */
