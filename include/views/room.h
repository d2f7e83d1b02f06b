/*
 * Room: views
 * Uses: base http render
 *
 * Pages for people below /app: sign-in, account, and what the application will show. Each view is a
 * client of the API in the same process: it makes requests to the dispatcher in memory as the person of
 * the session, and writes the answers as HTML. So it can do nothing that a program with a token cannot:
 * it has no SQL, no access rule and no check of input of its own. Pages work without scripts.
 *
 *   views     the table of views (views.def), from the request to the answer
 *   caller    requests to the API in memory
 *   form      what a browser sent: query, form, cookies, language, where it came from
 *   answer    status, headers, cookies and redirects
 *   page      the frame of a page, and its parts: fields, buttons, notices, lists
 *   the rest  a file for each group of pages
 */
