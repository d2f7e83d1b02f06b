/*
 * Room: signin
 * Uses: base db app
 *
 * How people sign in and get a browser session: passwords, links that set a password, codes that a
 * program exchanges for a token, and the providers of the installation and of organizations.
 *
 *   session    makes, lists and ends sessions
 *   password   hashes of passwords, and which passwords are refused
 *   passkey    keys of devices, verified by the program octavo-passkey
 *   link       links that set a password, printed by the command or sent by mail
 *   code       one-time codes for programs
 *   flow       a sign-in at the provider that has begun and not ended
 *   provider   providers, and requests to an OpenID provider, made by the program octavo-oidc
 *   saml       sign-ins at a SAML provider, by the program octavo-saml
 *   verifier   asks octavo-saml and octavo-passkey
 *   identity   the account that belongs to a person at a provider
 *   mail       sends a mail by the admin's sendmail
 *
 * The room http recognises requests with a session's cookie (src/http/auth.c).
 */
