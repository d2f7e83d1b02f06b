-- Responses of organizations' SAML providers that were verified (signin/saml.h): each counts once, in the browser in
-- which the sign-in began. That browser takes the person by the code, which only it gets.
CREATE TABLE saml_answer (
  provider  TEXT NOT NULL,                     -- id of the provider
  assertion BLOB NOT NULL,                     -- BLAKE2b-256 of the assertion's id
  code      BLOB UNIQUE,                       -- BLAKE2b-256 of the code; NULL: it was taken
  request   TEXT,                              -- id of the request that it answers; this and the next three NULL: taken
  subject   TEXT,                              -- the person, as the provider names them
  email     TEXT,                              -- NULL: not sent
  name      TEXT,                              -- NULL: not sent
  made_at   INTEGER NOT NULL,                  -- ms
  ends_at   INTEGER NOT NULL,                  -- later the response is refused anyway, and the row goes
  PRIMARY KEY (provider, assertion)
) STRICT;
CREATE INDEX saml_answer_end ON saml_answer (ends_at);

-- As for OpenID providers: what a provider has made ends with it, and its sessions end when another provider takes its
-- place. Another certificate is only another key of the same provider.
CREATE TRIGGER saml_provider_ends AFTER DELETE ON saml_provider
  BEGIN
    DELETE FROM session WHERE org = OLD.org AND provider = OLD.id;
    DELETE FROM identity WHERE provider = OLD.id;
    DELETE FROM saml_answer WHERE provider = OLD.id;
  END;
CREATE TRIGGER saml_provider_changes AFTER UPDATE OF entity_id ON saml_provider
  WHEN NEW.entity_id <> OLD.entity_id
  BEGIN DELETE FROM session WHERE org = OLD.org AND provider = OLD.id; END;
