-- A space and its duplicates share what they have in the search index: an entry (search_page, with
-- its words and text) stands there once, and a row of search_place says which space shows it. No
-- word is made anew: entries keep their numbers, and a space so far wrote its own alone.

-- A version of a page in the index.
CREATE TABLE search_page_new (
  no          INTEGER PRIMARY KEY,             -- rowid in search_index
  scope       INTEGER NOT NULL,                -- before its terms: number of the space that wrote it, which may have gone since
  page        TEXT NOT NULL,                   -- node; duplicates have the same ids
  key         BLOB NOT NULL,                   -- hash of all that was indexed
  title       TEXT NOT NULL,
  about       TEXT NOT NULL,                   -- description
  trail       TEXT NOT NULL,                   -- words of the page's path
  sections    BLOB NOT NULL,                   -- where each section begins, in words: body and headings
  conditional INTEGER NOT NULL,                -- 1: a section has a condition
  UNIQUE (scope, page, key)
) STRICT;
INSERT INTO search_page_new (no, scope, page, key, title, about, trail, sections, conditional)
  SELECT no, space, page, key, title, about, trail, sections, conditional FROM search_page ORDER BY no;

-- Where an entry is found. Rows are written ahead of the revision that shows them (live 0) and
-- switched with it; what has gone is swept later, and an entry goes with its last place.
CREATE TABLE search_place (
  space INTEGER NOT NULL REFERENCES search_space,
  no    INTEGER NOT NULL REFERENCES search_page,
  live  INTEGER NOT NULL CHECK (live IN (0, 1)),
  turn  INTEGER,                               -- seq of the main branch from which on live is the other way round
  PRIMARY KEY (space, no)
) STRICT, WITHOUT ROWID;
INSERT INTO search_place (space, no, live, turn) SELECT space, no, live, turn FROM search_page ORDER BY space, no;

DROP TABLE search_page;
ALTER TABLE search_page_new RENAME TO search_page;
CREATE INDEX search_page_conditional ON search_page (scope) WHERE conditional = 1;
CREATE INDEX search_place_entry ON search_place (no);
CREATE INDEX search_place_idle ON search_place (space) WHERE live = 0;
CREATE INDEX search_place_turn ON search_place (space, turn, live) WHERE turn IS NOT NULL;

-- Scopes that a space's entries are in: those of the space that it is a duplicate of, and its own
-- as soon as it writes an entry itself.
CREATE TABLE search_reads (
  space INTEGER NOT NULL REFERENCES search_space,
  scope INTEGER NOT NULL,
  PRIMARY KEY (space, scope)
) STRICT, WITHOUT ROWID;
INSERT INTO search_reads (space, scope) SELECT no, no FROM search_space;
