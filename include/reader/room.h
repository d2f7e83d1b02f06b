/*
 * Room: reader
 * Uses: base db objects http app markdown store computed search render audience typeset
 *
 * What octavo-site serves: published sites as web pages, and files by their signed addresses. The
 * audience room decides what a visitor sees; the render room makes the HTML of documents.
 *
 *   reader        requests: which site, which page        answer           status, headers, body
 *   view          a site as one request sees it           page_links       addresses of references
 *   page          pages, 404                              frame, head      the parts around a page
 *   base_page     the page at the base address            page_layout      parts that frontmatter hides
 *   navigation    table of contents, breadcrumbs, …       style, font      the site's own colours and fonts
 *   search_page   search, as a page and as JSON           icon             icons by the client's names
 *   machine_pages sitemap, robots.txt, llms.txt, RSS      mcp              a site as tools of language models
 *   signed_files  bytes of files and pictures             pdf_files        printed documents
 *   page_actions  what readers can do with a page         count            views and ratings of pages
 *   print         PDFs for visitors                        relay            requests of readers who try an API
 *   nearest       pages near a missing address
 *   source_links  the git file of a page                  preview_picture  pictures of pages, for links to them
 *   served_pages  pages for the web server to send        kept_answers     pages for visitors with a key or claims
 */
