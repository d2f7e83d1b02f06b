/*
 * Room: passkey
 * Uses: base
 *
 * Verifies the answers of a person's device (WebAuthn) by libfido2. Only octavo-passkey links this
 * room, because libfido2 depends on OpenSSL, libcbor and libudev.
 *
 *   verify      reads a new passkey, and verifies the signature of a sign-in
 */
