-- Grants on sites, beside those on spaces and collections, and the level that a site gives to
-- everybody. Without either the role in the organization counts, where it is create or admin.
ALTER TABLE site ADD COLUMN default_level INTEGER NOT NULL DEFAULT -1 CHECK (default_level BETWEEN -1 AND 6); -- -1 inherit, 0 none

ALTER TABLE site_mcp_server ADD COLUMN transport TEXT NOT NULL DEFAULT 'sse' CHECK (transport IN ('sse', 'http')); -- how clients talk to it

CREATE TABLE access_grant_new (
  id         TEXT PRIMARY KEY,
  space      TEXT REFERENCES space,
  collection TEXT REFERENCES collection,
  site       TEXT REFERENCES site ON DELETE CASCADE,
  account    TEXT REFERENCES account,
  team       TEXT REFERENCES team,
  role       INTEGER NOT NULL CHECK (role BETWEEN 1 AND 6),
  created_at INTEGER NOT NULL,
  CHECK (CASE WHEN space IS NULL THEN 0 ELSE 1 END + CASE WHEN collection IS NULL THEN 0 ELSE 1 END +
    CASE WHEN site IS NULL THEN 0 ELSE 1 END = 1),
  CHECK ((account IS NULL) <> (team IS NULL))
) STRICT;
INSERT INTO access_grant_new (id, space, collection, account, team, role, created_at)
  SELECT id, space, collection, account, team, role, created_at FROM access_grant;
DROP TABLE access_grant;
ALTER TABLE access_grant_new RENAME TO access_grant;

CREATE UNIQUE INDEX grant_space_user ON access_grant (space, account) WHERE space IS NOT NULL AND account IS NOT NULL;
CREATE UNIQUE INDEX grant_space_team ON access_grant (space, team) WHERE space IS NOT NULL AND team IS NOT NULL;
CREATE UNIQUE INDEX grant_collection_user ON access_grant (collection, account) WHERE collection IS NOT NULL AND account IS NOT NULL;
CREATE UNIQUE INDEX grant_collection_team ON access_grant (collection, team) WHERE collection IS NOT NULL AND team IS NOT NULL;
CREATE UNIQUE INDEX grant_site_user ON access_grant (site, account) WHERE site IS NOT NULL AND account IS NOT NULL;
CREATE UNIQUE INDEX grant_site_team ON access_grant (site, team) WHERE site IS NOT NULL AND team IS NOT NULL;
-- For the foreign keys of what is deleted: the unique ones know half of the rows each.
CREATE INDEX grant_space ON access_grant (space) WHERE space IS NOT NULL;
CREATE INDEX grant_collection ON access_grant (collection) WHERE collection IS NOT NULL;
CREATE INDEX grant_site ON access_grant (site) WHERE site IS NOT NULL;
CREATE INDEX grant_user ON access_grant (account) WHERE account IS NOT NULL;
CREATE INDEX grant_team ON access_grant (team) WHERE team IS NOT NULL;

CREATE TRIGGER access_by_grant_new AFTER INSERT ON access_grant
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_grant AFTER UPDATE ON access_grant
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER access_by_grant_gone AFTER DELETE ON access_grant
  BEGIN UPDATE access_version SET n = n + 1 WHERE id = 1; END;
