-- How people sign in: sessions, passwords, links that set one, codes for programs, and the provider of the installation.

-- A session acts for a person in a browser as a token does for a program. Its secret is in a cookie. A row that is
-- not there has ended.
CREATE TABLE session (
  id         TEXT PRIMARY KEY,
  account    TEXT NOT NULL REFERENCES account,
  hash       BLOB NOT NULL UNIQUE,             -- BLAKE2b-256 of the secret
  way        TEXT NOT NULL CHECK (way IN ('password', 'link', 'provider')), -- how the person signed in
  device     TEXT NOT NULL DEFAULT '',         -- User-Agent of that request, cut
  created_at INTEGER NOT NULL,                 -- when the person signed in
  used_at    INTEGER NOT NULL,                 -- last use, to half an hour
  ends_at    INTEGER NOT NULL                  -- ends then at the latest
) STRICT;
CREATE INDEX session_account ON session (account, created_at, id);
CREATE INDEX session_end ON session (ends_at);

CREATE TABLE password (
  account TEXT PRIMARY KEY REFERENCES account,
  hash    TEXT NOT NULL,                       -- crypto_pwhash_str() of libsodium (Argon2id, RFC 9106)
  set_at  INTEGER NOT NULL
) STRICT;

-- Links that set a password. Each works once; an account has one at most.
CREATE TABLE sign_in_link (
  account TEXT PRIMARY KEY REFERENCES account,
  hash    BLOB NOT NULL UNIQUE,                -- BLAKE2b-256 of the secret
  kind    TEXT NOT NULL CHECK (kind IN ('invite', 'reset')),
  ends_at INTEGER NOT NULL
) STRICT;

-- One-time codes that a program exchanges for a token (POST /sso/token).
CREATE TABLE sign_in_code (
  hash      BLOB PRIMARY KEY,                  -- BLAKE2b-256 of the code
  session   TEXT NOT NULL REFERENCES session ON DELETE CASCADE, -- the session of the person who confirmed
  client    TEXT NOT NULL,                     -- name of the program, label of the token
  scope     TEXT NOT NULL CHECK (scope IN ('read', 'write', 'admin')),
  challenge TEXT NOT NULL,                     -- S256 code challenge (RFC 7636, section 4.2)
  token_end INTEGER,                           -- when the token ends; NULL: never
  ends_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_code_session ON sign_in_code (session);

-- Whom the installation's provider knows under which account.
CREATE TABLE identity (
  issuer  TEXT NOT NULL,                       -- "iss" of the provider's tokens
  subject TEXT NOT NULL,                       -- "sub"
  account TEXT NOT NULL REFERENCES account,
  made_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT;
CREATE INDEX identity_account ON identity (account);

-- Sessions end whatever program makes the change.
CREATE TRIGGER session_ends_with_password AFTER INSERT ON password
  BEGIN DELETE FROM session WHERE account = NEW.account; END;
CREATE TRIGGER session_ends_with_new_password AFTER UPDATE OF hash ON password
  BEGIN DELETE FROM session WHERE account = NEW.account; END;
CREATE TRIGGER session_ends_with_member AFTER UPDATE OF disabled ON member WHEN NEW.disabled = 1
  BEGIN DELETE FROM session WHERE account = NEW.account; END;
-- A removed account has its id as its address (user_forget()).
CREATE TRIGGER sign_in_ends_with_account AFTER UPDATE OF email ON account WHEN NEW.email = NEW.id
  BEGIN
    DELETE FROM session WHERE account = NEW.id;
    DELETE FROM password WHERE account = NEW.id;
    DELETE FROM sign_in_link WHERE account = NEW.id;
    DELETE FROM identity WHERE account = NEW.id;
  END;

-- Answers of repeated requests are kept for sessions as well: their ids are in the column token, which loses its
-- reference. The rows are a day old at most, and a client that repeats a request during the upgrade sends it anew.
DROP TABLE idempotency;
CREATE TABLE idempotency (
  token      TEXT NOT NULL,                    -- id of the token or session
  path       TEXT NOT NULL,
  key        TEXT NOT NULL,
  request    BLOB NOT NULL,                    -- hash of the body
  status     INTEGER NOT NULL,
  location   TEXT,
  answer     BLOB NOT NULL,                    -- sealed under a key derived from the secret of the token or session
  created_at INTEGER NOT NULL,
  PRIMARY KEY (token, path, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency (created_at);
