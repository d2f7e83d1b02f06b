/*
 * Room: views
 * Uses: base objects text http render
 *
 * Pages for people below /app: sign-in, account, and the rest of the application. Each view is a
 * client of the API in the same process: it makes requests to the dispatcher in memory, with the
 * person's session, and writes the answers as HTML. So a view can do nothing that a program with a
 * token cannot do. It has no SQL, no access rules and no checks of input of its own. Pages work
 * without scripts.
 *
 *   views     the table of views (views.def), from the request to the answer
 *   caller    requests to the API in memory
 *   form      what a browser sent: query, form, cookies, language, origin
 *   answer    status, headers, cookies and redirects
 *   keep      pages in a worker's memory
 *   page      the frame of a page, and its parts: fields, buttons, notices, lists
 *   the rest  a file for each group of pages
 */
