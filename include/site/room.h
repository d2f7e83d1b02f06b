/*
 * Room: site
 * Uses: base db http app markdown layout store computed links search render visit typeset
 *
 * What octavo-site serves: published sites as web pages, and files by their signed
 * addresses. Who sees what is asked from the visit room, HTML is made by the render room.
 *
 *   site      requests: which site, what of it           answer   status, headers, body
 *   view      a site as one request sees it               links    where references lead
 *   recall    pages of those who show a key or claims, remembered
 *   page      pages, 404                                  frame    what stands around a page, head its head
 *   nav       table of contents, breadcrumbs, …           style    the site's own colours
 *   find      search                                      machine  sitemap, llms.txt, RSS
 *   files     downloads                               pdf      printed documents
 *   source    files of pages in git                   picture  pictures of pages, for links to them
 */
