-- Passkeys (WebAuthn): a person signs in by a key that a device keeps, instead of a password.
CREATE TABLE passkey (
  id         TEXT PRIMARY KEY,                 -- names the row in addresses of the API
  account    TEXT NOT NULL REFERENCES account,
  rp         TEXT NOT NULL,                    -- the host for which the device made it; at another host, browsers do not offer it
  credential BLOB NOT NULL,                    -- the device's id for it
  kind       INTEGER NOT NULL CHECK (kind IN (-7, -8, -257)), -- algorithm of COSE: ES256, EdDSA, RS256
  key        BLOB NOT NULL,                    -- public key, as libfido2 gives it
  count      INTEGER NOT NULL,                 -- the device's counter at the last sign-in; 0: it has none
  label      TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  used_at    INTEGER,                          -- last sign-in; NULL: none
  UNIQUE (rp, credential)
) STRICT;
CREATE INDEX passkey_account ON passkey (account, created_at, id);
CREATE TRIGGER passkey_ends_with_account AFTER UPDATE OF email ON account WHEN NEW.email = NEW.id
  BEGIN DELETE FROM passkey WHERE account = NEW.id; END;

-- The table session again, with the way "passkey".
CREATE TEMP TABLE sessions AS SELECT id, account, hash, way, device, created_at, used_at, ends_at, org, provider FROM session;
CREATE TEMP TABLE codes AS SELECT hash, session, client, scope, challenge, token_end, ends_at FROM sign_in_code;
DROP TABLE session;
CREATE TABLE session (
  id         TEXT PRIMARY KEY,
  account    TEXT NOT NULL REFERENCES account,
  hash       BLOB NOT NULL UNIQUE,             -- BLAKE2b-256 of the secret
  way        TEXT NOT NULL CHECK (way IN ('password', 'link', 'provider', 'passkey')), -- how the person signed in
  device     TEXT NOT NULL DEFAULT '',         -- User-Agent of that request, cut
  created_at INTEGER NOT NULL,                 -- when the person signed in
  used_at    INTEGER NOT NULL,                 -- last use, to half an hour
  ends_at    INTEGER NOT NULL,                 -- ends then at the latest
  org        TEXT REFERENCES org,              -- the only organization that it is valid for; NULL: all of the account
  provider   TEXT                              -- id of the organization's provider that made it
) STRICT;
CREATE INDEX session_account ON session (account, created_at, id);
CREATE INDEX session_end ON session (ends_at);
CREATE INDEX session_org ON session (org, provider) WHERE org IS NOT NULL;
INSERT INTO session (id, account, hash, way, device, created_at, used_at, ends_at, org, provider)
  SELECT id, account, hash, way, device, created_at, used_at, ends_at, org, provider FROM sessions;
DELETE FROM sign_in_code;
INSERT INTO sign_in_code (hash, session, client, scope, challenge, token_end, ends_at)
  SELECT hash, session, client, scope, challenge, token_end, ends_at FROM codes;
DROP TABLE sessions;
DROP TABLE codes;
