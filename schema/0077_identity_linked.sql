-- A person unlinks a person of the provider from their account: the row stays and signs nobody in, until they link it again.
CREATE TEMP TABLE identities AS SELECT issuer, subject, account, made_at FROM identity;
DROP TABLE identity;
CREATE TABLE identity (
  issuer  TEXT NOT NULL,                       -- "iss" of the provider's tokens
  subject TEXT NOT NULL,                       -- "sub"
  id      TEXT NOT NULL UNIQUE,                -- names the row in addresses of the API
  account TEXT NOT NULL REFERENCES account,    -- the account that this person signs in to
  linked  INTEGER NOT NULL DEFAULT 1 CHECK (linked IN (0, 1)), -- 0: the account's owner unlinked it, and this person is refused
  made_at INTEGER NOT NULL,                    -- first sign-in of this person, in ms
  PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX identity_account ON identity (account, made_at, id);
INSERT INTO identity (issuer, subject, id, account, made_at)
  SELECT issuer, subject, lower(hex(randomblob(16))), account, made_at FROM identities;
DROP TABLE identities;
