/*
 * Room: fetch
 * Uses: base
 *
 * Fetches bytes over HTTP from addresses that users chose. The only room that uses libcurl. Only
 * octavo-fetch and octavo-oidc link it: libcurl would cost each start of a CGI program 3 ms.
 */
