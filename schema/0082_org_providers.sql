-- OpenID providers of organizations, beside their SAML providers.
CREATE TABLE oidc_provider (
  id           TEXT PRIMARY KEY,
  org          TEXT NOT NULL REFERENCES org,
  label        TEXT NOT NULL,
  issuer       TEXT NOT NULL DEFAULT '',       -- exactly as the provider spells it
  client       TEXT NOT NULL DEFAULT '',       -- client id that the provider gave
  secret       BLOB,                           -- client secret, sealed with the installation's key; NULL: a public client
  secret_at    INTEGER,                        -- when the secret was set
  default_team TEXT REFERENCES team,           -- new users join it
  default_role INTEGER CHECK (default_role BETWEEN 1 AND 6),  -- NULL: guests
  created_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX oidc_provider_org ON oidc_provider (org, created_at, id);
CREATE INDEX oidc_provider_team ON oidc_provider (default_team) WHERE default_team IS NOT NULL;

-- A person of an organization's provider is somebody else than the same issuer and subject at another provider: each
-- organization chooses its issuer.
CREATE TEMP TABLE identities AS SELECT issuer, subject, id, account, linked, made_at FROM identity;
DROP TABLE identity;
CREATE TABLE identity (
  provider TEXT NOT NULL DEFAULT '',           -- id of the organization's provider; '': the one of the installation
  issuer   TEXT NOT NULL,                      -- "iss" of the provider's tokens
  subject  TEXT NOT NULL,                      -- "sub"
  id       TEXT NOT NULL UNIQUE,               -- names the row in addresses of the API
  account  TEXT NOT NULL REFERENCES account,   -- the account that this person signs in to
  linked   INTEGER NOT NULL DEFAULT 1 CHECK (linked IN (0, 1)), -- 0: the account's owner unlinked it, and this person is refused
  made_at  INTEGER NOT NULL,                   -- first sign-in of this person, in ms
  PRIMARY KEY (provider, issuer, subject)
) STRICT;
CREATE INDEX identity_account ON identity (account, made_at, id);
INSERT INTO identity (issuer, subject, id, account, linked, made_at)
  SELECT issuer, subject, id, account, linked, made_at FROM identities;
DROP TABLE identities;

-- An account that an organization's provider made has an address that signs nobody in: the provider verifies it for
-- its organization alone. account.email is then a name that no mail reaches, since the address may have an account.
ALTER TABLE account ADD COLUMN address TEXT;   -- as that provider tells it, '': none; NULL: any other account, which has email
ALTER TABLE session ADD COLUMN provider TEXT;  -- id of the organization's provider that made it
CREATE INDEX session_org ON session (org, provider) WHERE org IS NOT NULL;

-- What a provider has made ends with it, and its sessions end when another issuer takes its place.
CREATE TRIGGER provider_ends AFTER DELETE ON oidc_provider
  BEGIN
    DELETE FROM session WHERE org = OLD.org AND provider = OLD.id;
    DELETE FROM identity WHERE provider = OLD.id;
  END;
CREATE TRIGGER provider_changes AFTER UPDATE OF issuer, client ON oidc_provider
  WHEN NEW.issuer <> OLD.issuer OR NEW.client <> OLD.client
  BEGIN DELETE FROM session WHERE org = OLD.org AND provider = OLD.id; END;
