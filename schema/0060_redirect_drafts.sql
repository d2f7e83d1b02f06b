-- Drafts of redirects: each source may have one that counts and one that does not yet.
CREATE TABLE site_redirect_new (
  id          TEXT PRIMARY KEY,
  site        TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
  draft       INTEGER NOT NULL DEFAULT 0 CHECK (draft IN (0, 1)),       -- leads nowhere until it is published
  source      TEXT NOT NULL,                                            -- path below the site's address, with its first slash
  destination TEXT NOT NULL,                                            -- JSON
  permanent   INTEGER NOT NULL DEFAULT 0 CHECK (permanent IN (0, 1)),   -- 308 in place of 302, where everybody reads the site
  capture     INTEGER NOT NULL DEFAULT 0 CHECK (capture IN (0, 1)),     -- what "*" stood for goes behind the destination
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER,                                                  -- NULL: never changed
  UNIQUE (site, draft, source)
) STRICT;
INSERT INTO site_redirect_new (id, site, source, destination, permanent, capture, created_at, updated_at)
  SELECT id, site, source, destination, permanent, capture, created_at, updated_at FROM site_redirect;
DROP TABLE site_redirect;
ALTER TABLE site_redirect_new RENAME TO site_redirect;
CREATE INDEX site_redirect_wild ON site_redirect (site) WHERE substr(source, -1) = '*' AND draft = 0;
-- As in 0032: what a site shows has changed.
CREATE TRIGGER shown_by_site_redirect_new AFTER INSERT ON site_redirect
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_redirect AFTER UPDATE ON site_redirect
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_redirect_gone AFTER DELETE ON site_redirect
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
