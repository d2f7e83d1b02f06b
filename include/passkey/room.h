/*
 * Room: passkey
 * Uses: base
 *
 * What a device of a person answers (WebAuthn), verified by libfido2. Only octavo-passkey links this
 * room, because of libfido2, which brings OpenSSL, libcbor and libudev.
 *
 *   verify      reads a new passkey, and verifies the signature of a sign-in
 */
