-- Sites: what is published, where, and to whom. A site shows spaces of its
-- organization: as variants of its own, or of its sections, which may stand in
-- groups. Orders are order keys (src/store/order_key.c). A default is the row with
-- is_default, or else the first of its siblings whose space is not deleted: so
-- nothing points at what may go.

CREATE TABLE site (
  id            TEXT PRIMARY KEY,
  org           TEXT NOT NULL REFERENCES org,
  type          TEXT NOT NULL,                 -- told back; every type behaves alike
  title         TEXT NOT NULL,
  basename      TEXT NOT NULL,                 -- its segment in the address
  visibility    TEXT NOT NULL CHECK (visibility IN ('public', 'unlisted', 'share-link', 'visitor-auth')),
  published_at  INTEGER,                       -- NULL: it is not published
  adaptive      INTEGER NOT NULL DEFAULT 0 CHECK (adaptive IN (0, 1)), -- conditions see claims of the visitor
  agents        TEXT NOT NULL DEFAULT 'included' CHECK (agents IN ('excluded', 'included')),
  proxy_origin  TEXT,                          -- host and path under which a proxy of its owner shows it
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,              -- the site or anything of its structure
  created_by    TEXT REFERENCES account,
  UNIQUE (org, basename)
) STRICT;
CREATE INDEX site_list ON site (org, created_at, id);

CREATE TABLE site_section_group (
  id         TEXT PRIMARY KEY,
  site       TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
  parent     TEXT REFERENCES site_section_group, -- NULL: at the top
  title      TEXT NOT NULL,
  icon       TEXT,
  ord        TEXT NOT NULL                     -- among the groups and sections of its parent
) STRICT;
CREATE INDEX site_section_group_site ON site_section_group (site, ord, id);
CREATE INDEX site_section_group_parent ON site_section_group (parent) WHERE parent IS NOT NULL;

CREATE TABLE site_section (
  id            TEXT PRIMARY KEY,
  site          TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
  section_group TEXT REFERENCES site_section_group, -- NULL: at the top
  title         TEXT NOT NULL,
  description   TEXT,
  path          TEXT NOT NULL,                 -- its segment in the address
  condition     TEXT,                          -- who sees it; NULL: everybody
  icon          TEXT,
  is_default    INTEGER NOT NULL DEFAULT 0 CHECK (is_default IN (0, 1)),
  ord           TEXT NOT NULL,                 -- among the groups and sections of its group
  UNIQUE (site, path)
) STRICT;
CREATE INDEX site_section_list ON site_section (site, ord, id);
CREATE INDEX site_section_in_group ON site_section (section_group) WHERE section_group IS NOT NULL;

CREATE TABLE site_space (
  id         TEXT PRIMARY KEY,
  site       TEXT NOT NULL REFERENCES site ON DELETE CASCADE,
  section    TEXT REFERENCES site_section ON DELETE CASCADE, -- NULL: the site has no sections
  space      TEXT NOT NULL REFERENCES space ON DELETE CASCADE,
  path       TEXT NOT NULL,                    -- its segment in the address
  condition  TEXT,                             -- who sees it; NULL: everybody
  is_default INTEGER NOT NULL DEFAULT 0 CHECK (is_default IN (0, 1)),
  ord        TEXT NOT NULL                     -- among the site spaces of its section
) STRICT;
CREATE INDEX site_space_list ON site_space (site, ord, id);
CREATE INDEX site_space_section ON site_space (section, ord, id) WHERE section IS NOT NULL;
CREATE INDEX site_space_space ON site_space (space);
