/*
 * Room: jobs
 * Uses: base db text markdown app store links search propagate merge fetch openapi computed pdf conversations translate typeset sync
 *
 * What takes longer than a request: the runner's processes (pool), the kinds of job (kinds), and the
 * small ones themselves: descriptions of APIs, PDFs, translations, uploads by address, and the removal
 * of what is deleted. Import, export and bindings are in the sync room.
 */
