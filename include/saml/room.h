/*
 * Room: saml
 * Uses: base
 *
 * SAML 2.0 at an identity provider: where a person signs in, and which person came back. Only
 * octavo-saml links this room, because of lasso, which brings libxml2, XML Security Library and GLib.
 *
 *   run         one run of octavo-saml: its input, and the failure of a step
 *   structure   refuses documents that a signature would not protect, before anything is read
 *   response    reads a response of the provider
 *   request     makes the address at which a person signs in
 */
