/*
 * Room: fetch
 * Uses: base
 *
 * Fetches bytes over HTTP from addresses that users chose. The only room that uses libcurl, and
 * only the job runner links it: it would cost each CGI start 3 ms.
 */
