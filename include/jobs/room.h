/*
 * Room: jobs
 * Uses: base db text markdown app store links search propagate merge fetch openapi computed pdf conversations translate render typeset sync arrive
 *
 * Work that takes longer than a request: the runner's processes (pool), the table of kinds of job
 * (kinds), and the smaller kinds themselves: OpenAPI specifications, PDFs, translations, uploads by
 * address, and permanent removal (purge). Import, export and bindings are in the sync room.
 *
 *   pool pool_news         processes of jobs, and waiting for their end
 *   kinds                  one line per kind of job
 *   openapi_job openapi_version   fetches a specification and stores a version of it
 *   pdf_job html_file      makes a PDF, or one HTML file
 *   zip_file pandoc_file   an archive of Markdown; EPUB and DOCX by pandoc
 *   upload_job             a file fetched into a change request
 *   translate_job translate_page  a translation, page by page
 *   typeset_job            colours of code and formulas, set before the first reader comes
 *   variants_job variants_list   smaller versions of the pictures of published spaces
 *   purge purge_versions   permanent removal
 */
