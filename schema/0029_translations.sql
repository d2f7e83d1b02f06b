-- Translations: a space in another language, made by jobs from what it says at the head
-- of its primary content, and kept in a space of its own (the result).
--
-- Spaces are named without references: what was translated, and into what, may be
-- deleted and removed while the translation stays.
CREATE TABLE translation (
  id              TEXT PRIMARY KEY,
  org             TEXT NOT NULL REFERENCES org,
  source          TEXT NOT NULL,                  -- space
  source_language TEXT NOT NULL,
  language        TEXT NOT NULL,
  instructions    TEXT NOT NULL,                  -- JSON: a document, for engines that take it
  automatic       INTEGER NOT NULL DEFAULT 1 CHECK (automatic IN (0, 1)), -- a merge in the source runs it
  created_by      TEXT REFERENCES account,
  result          TEXT,                           -- space; NULL: it was never asked to run
  revision        TEXT,                           -- id of the result's revision that the last complete run left; NULL: none
  made_from       BLOB,                           -- hash of all that the last complete run depended on
  job             TEXT,                           -- of the last run; jobs are forgotten some time after their end
  error           TEXT,                           -- why the last run failed; NULL: it did not
  runs            INTEGER NOT NULL DEFAULT 0,     -- complete ones; the sums are of them
  words           INTEGER NOT NULL DEFAULT 0,     -- of source texts that were translated
  pages           INTEGER NOT NULL DEFAULT 0,     -- that have been translated, each counted once
  duration        INTEGER NOT NULL DEFAULT 0,     -- ms
  latest_words    INTEGER NOT NULL DEFAULT 0,
  latest_pages    INTEGER NOT NULL DEFAULT 0,
  latest_duration INTEGER NOT NULL DEFAULT 0,     -- ms
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  UNIQUE (org, source, language)
) STRICT;
CREATE INDEX translation_list ON translation (org, created_at, id);
CREATE INDEX translation_source ON translation (source, id);
CREATE INDEX translation_result ON translation (result) WHERE result IS NOT NULL;

-- What a page became, so that it is made again only when it, or what it depends on, changes.
CREATE TABLE translation_page (
  translation TEXT NOT NULL REFERENCES translation,
  page        TEXT NOT NULL,                      -- or reusable content
  key         BLOB NOT NULL,                      -- hash of its texts and of all that decides how they are translated
  title       TEXT NOT NULL,
  props       TEXT NOT NULL,                      -- JSON: those of its properties that are texts
  body        BLOB,                               -- hash; NULL: none
  warnings    TEXT,                               -- JSON: what somebody should look at; NULL: nothing
  PRIMARY KEY (translation, page)
) STRICT;

-- Texts that were translated, so that no engine is asked twice.
CREATE TABLE translation_memory (
  org  TEXT NOT NULL REFERENCES org,
  key  BLOB NOT NULL,                             -- hash of text, languages, engine, instructions
  text TEXT NOT NULL,                             -- in the other language
  PRIMARY KEY (org, key)
) STRICT, WITHOUT ROWID;

-- Terms that are always translated in the same way.
CREATE TABLE glossary_entry (
  id           TEXT PRIMARY KEY,
  org          TEXT NOT NULL REFERENCES org,
  translations TEXT NOT NULL,                     -- JSON: language -> term
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX glossary_entry_list ON glossary_entry (org, created_at, id);
