/*
 * Room: fetch
 * Uses: base
 *
 * Bytes from addresses that somebody else chose, over HTTP. libcurl is named here alone,
 * and only the job runner has it: it would cost each CGI start 3 ms.
 */
