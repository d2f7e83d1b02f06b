/*
 * Room: oidc
 * Uses: base fetch
 *
 * Requests to an OpenID provider (OpenID Connect Core 1.0, Discovery 1.0): where a person signs in,
 * and which person came back. Only octavo-oidc links this room, because of libcurl and cjose.
 *
 *   provider   the provider's addresses and keys, fetched and cached
 *   id_token   verifies ID tokens
 *   exchange   exchanges a code for an ID token, and the ID token for the claims of a person
 */
