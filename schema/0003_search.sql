-- Search and links of the spaces' primary content, as it is now: everything
-- here can be made again from nodes and blobs (job kind "index").

-- ---------------------------------------------------------------- search

-- A space in the index. Its number is the scope of its terms (src/core/db_tokenizer.c).
CREATE TABLE search_space (
  no      INTEGER PRIMARY KEY,
  space   TEXT NOT NULL UNIQUE REFERENCES space,
  pages   INTEGER NOT NULL DEFAULT 0           -- live ones
) STRICT;

-- A version of a page in the index. Rows are written ahead of the revision that
-- shows them (live 0) and switched with it; what has gone is swept later.
CREATE TABLE search_page (
  no       INTEGER PRIMARY KEY,                -- rowid in search_index
  space    INTEGER NOT NULL REFERENCES search_space,
  page     TEXT NOT NULL,                      -- node
  key      BLOB NOT NULL,                      -- hash of all that was indexed
  live     INTEGER NOT NULL CHECK (live IN (0, 1)),
  title    TEXT NOT NULL,
  about    TEXT NOT NULL,                      -- description
  trail    TEXT NOT NULL,                      -- words of the page's path
  sections BLOB NOT NULL,                      -- where each section begins, in words: body and headings
  UNIQUE (space, page, key)
) STRICT;
CREATE INDEX search_page_idle ON search_page (space, no) WHERE live = 0;

-- The text of a page by its headings; excerpts are cut from it.
CREATE TABLE search_section (
  id      INTEGER PRIMARY KEY,                 -- search_page.no * 65536 + number of the section
  anchor  TEXT NOT NULL,                       -- of the heading; '' before the first
  heading TEXT NOT NULL,
  text    TEXT NOT NULL                        -- plain
) STRICT;

-- Terms by scope. Holds no text of its own: rows are removed by giving their words again.
CREATE VIRTUAL TABLE search_index USING fts5 (title, heading, body, trail, content = '',
  tokenize = 'octavo');
INSERT INTO search_index (search_index, rank) VALUES ('rank', 'bm25(10.0, 4.0, 1.0, 2.0)');
INSERT INTO search_index (search_index, rank) VALUES ('hashsize', 16777216);

-- The terms themselves, for words that are nearly right.
CREATE VIRTUAL TABLE search_term USING fts5vocab (search_index, row);

-- Spaces that were there before the index.
INSERT INTO job (id, kind, space, run_at, created_at)
  SELECT lower(hex(randomblob(16))), 'index', s.id, 0, 0 FROM space s JOIN branch b ON b.id = s.branch
  WHERE b.head > 0;

-- ---------------------------------------------------------------- links

-- What a page body says by itself, whoever shows it: the targets that it spells and the names that its
-- places have. A function of the bytes; may be dropped at any time.
CREATE TABLE body_fact (
  body    BLOB PRIMARY KEY,                    -- hash
  version INTEGER NOT NULL,                    -- of the code that made it
  links   TEXT NOT NULL,                       -- JSON: [use, line in the body, spelling] each, in order
  anchors TEXT NOT NULL                        -- what a fragment may name, each between two line feeds
) STRICT, WITHOUT ROWID;

-- What the links of a branch's head lead to, one row a distinct target. Main branches alone.
CREATE TABLE link_target (
  id     INTEGER PRIMARY KEY,
  branch INTEGER NOT NULL REFERENCES branch,
  key    TEXT NOT NULL,                        -- kind and what names it: also the order of lists
  kind   TEXT NOT NULL CHECK (kind IN ('page', 'file', 'reusable', 'space', 'url', 'other', 'missing')),
  node   TEXT,                                 -- page, file, reusable content; space
  anchor TEXT,                                 -- page: a place in it
  url    TEXT,                                 -- url: the address; missing: how it was spelled
  status TEXT NOT NULL CHECK (status IN ('ok', 'broken', 'in-app')),
  links  INTEGER NOT NULL,                     -- that lead to it
  UNIQUE (branch, key)
) STRICT;
CREATE INDEX link_target_status ON link_target (branch, status, key);
CREATE INDEX link_target_node ON link_target (branch, node) WHERE node IS NOT NULL;

-- A link in the present version of a page or reusable content.
CREATE TABLE link (
  branch   INTEGER NOT NULL REFERENCES branch,
  source   TEXT NOT NULL,                      -- node
  n        INTEGER NOT NULL,                   -- its number there
  target   INTEGER NOT NULL REFERENCES link_target,
  line     INTEGER NOT NULL,                   -- in the file, from 1; 0: a property, or not known
  spelling TEXT NOT NULL,
  tried    INTEGER NOT NULL CHECK (tried IN (0, 1)),  -- found by looking now, not by the page's own map
  PRIMARY KEY (branch, source, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_to ON link (target, source, n);

-- How many there are, so that nobody has to count.
CREATE TABLE link_count (
  branch  INTEGER NOT NULL REFERENCES branch,
  status  TEXT NOT NULL,
  targets INTEGER NOT NULL,
  links   INTEGER NOT NULL,
  PRIMARY KEY (branch, status)
) STRICT, WITHOUT ROWID;
