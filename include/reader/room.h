/*
 * Room: reader
 * Uses: base db http app markdown store computed search render audience typeset
 *
 * What octavo-site serves: published sites as web pages, and files by their signed addresses. Who sees
 * what is asked from the audience room, HTML is made by the render room.
 *
 *   reader        requests: which site, what of it        answer           status, headers, body
 *   view          a site as one request sees it           page_links       where references lead
 *   page          pages, 404                              frame, head      what stands around a page
 *   base_page     the page at the base address            page_layout      what frontmatter leaves out
 *   navigation    table of contents, breadcrumbs, …       style, font      the site's own colours and letters
 *   search_page   search, as a page and as JSON           icon             icons by the client's names
 *   machine_pages sitemap, robots.txt, llms.txt, RSS      mcp              a site as tools of language models
 *   signed_files  bytes of files and pictures             pdf_files        printed documents
 *   source_links  where a page's file lies in git         preview_picture  pictures of pages, for links to them
 *   served_pages  pages for the web server to send        kept_answers     pages of those who show a key or claims
 */
