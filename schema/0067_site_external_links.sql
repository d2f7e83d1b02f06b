-- Links to other places in the navigation of a site, among its sections and groups. They need
-- sections: a site without any does not show them.
CREATE TABLE site_external_link (
  id            TEXT PRIMARY KEY,
  site          TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
  section_group TEXT REFERENCES site_section_group, -- NULL: at the top
  title         TEXT NOT NULL,
  titles        TEXT,                          -- JSON: titles in other languages; NULL: none
  description   TEXT,
  descriptions  TEXT,                          -- JSON: descriptions in other languages; NULL: none
  icon          TEXT,
  url           TEXT NOT NULL,
  draft         INTEGER NOT NULL DEFAULT 0 CHECK (draft IN (0, 1)), -- 1: no visitor sees it
  condition     TEXT,                          -- who sees it; NULL: everybody
  ord           TEXT NOT NULL                  -- among the groups, sections and links of its group
) STRICT;
CREATE INDEX site_external_link_list ON site_external_link (site, ord, id);
CREATE INDEX site_external_link_in_group ON site_external_link (section_group) WHERE section_group IS NOT NULL;

CREATE TRIGGER shown_by_site_external_link_new AFTER INSERT ON site_external_link
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_external_link AFTER UPDATE ON site_external_link
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
CREATE TRIGGER shown_by_site_external_link_gone AFTER DELETE ON site_external_link
  BEGIN UPDATE site_change SET n = n + 1 WHERE id = 1; END;
