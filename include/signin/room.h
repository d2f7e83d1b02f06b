/*
 * Room: signin
 * Uses: base db app
 *
 * How people sign in and get a browser session: passwords, links that set a password, codes that a
 * program exchanges for a token, and the OpenID provider of the installation.
 *
 *   session    makes, lists and ends sessions
 *   password   hashes of passwords, and which passwords are refused
 *   link       links that set a password, printed by the command or sent by mail
 *   code       one-time codes for programs
 *   flow       a sign-in at the provider that is under way
 *   provider   asks the OpenID provider, by the program octavo-oidc
 *   identity   whom a person of the provider is here
 *   throttle   how often somebody may try
 *   place      how many at a time do slow work: hashing, asking the provider
 *   outside    runs octavo-oidc and sendmail where there is a network
 *   mail       sends a mail by the admin's sendmail
 *
 * The room http recognises requests with a session's cookie (src/http/auth.c).
 */
