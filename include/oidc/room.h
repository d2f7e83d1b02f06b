/*
 * Room: oidc
 * Uses: base fetch
 *
 * What Octavo asks an OpenID provider (OpenID Connect Core 1.0, Discovery 1.0): where a person signs in,
 * and who came back. Only octavo-oidc links it, because of libcurl and cjose.
 *
 *   provider   the provider's addresses and keys, fetched and cached
 *   id_token   is an ID token of this provider, for us, and of now?
 *   exchange   a code becomes an ID token, and that the claims of a person
 */
