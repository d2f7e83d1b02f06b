-- Links that people ask for by mail stand beside each other: who asks for one takes no other from anybody. All
-- links of an account end when its password is set (signin/link.h).
CREATE TEMP TABLE links AS SELECT account, hash, kind, ends_at FROM sign_in_link;
DROP TABLE sign_in_link;
CREATE TABLE sign_in_link (
  hash    BLOB PRIMARY KEY,                    -- BLAKE2b-256 of the secret
  account TEXT REFERENCES account,             -- NULL: nobody has the address for which it was asked, and nobody the link
  kind    TEXT NOT NULL CHECK (kind IN ('invite', 'reset')),
  ends_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sign_in_link_account ON sign_in_link (account, ends_at);
CREATE INDEX sign_in_link_end ON sign_in_link (ends_at);
INSERT INTO sign_in_link (hash, account, kind, ends_at) SELECT hash, account, kind, ends_at FROM links;
DROP TABLE links;

CREATE TRIGGER links_end_with_password AFTER INSERT ON password
  BEGIN DELETE FROM sign_in_link WHERE account = NEW.account; END;
CREATE TRIGGER links_end_with_new_password AFTER UPDATE OF hash ON password
  BEGIN DELETE FROM sign_in_link WHERE account = NEW.account; END;
