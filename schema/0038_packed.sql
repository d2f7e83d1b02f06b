-- Bodies, what they say by themselves, and the text of pages as search shows it are packed
-- (include/base/pack.h): the whole in some two fifths fewer bytes. Nothing has to be made anew.

-- Bytes before they were packed; data that are as long were not. Beside blob.size, so that a row says by
-- itself what it holds (octavo salvage).
ALTER TABLE blob_data ADD COLUMN size INTEGER NOT NULL DEFAULT 0;
UPDATE blob_data SET size = length(data), data = octavo_pack(data);

-- What a page body says by itself, whoever shows it: the targets that it spells and the names that its
-- places have. A function of the bytes; may be dropped at any time.
CREATE TABLE body_fact_new (
  body    BLOB PRIMARY KEY,                    -- hash
  version INTEGER NOT NULL,                    -- of the code that made it
  size    INTEGER NOT NULL,                    -- bytes of facts before they were packed
  facts   BLOB NOT NULL                        -- JSON: [use, line in the body, spelling] each, in order; then what a fragment may name, each between two line feeds; packed
) STRICT, WITHOUT ROWID;
INSERT INTO body_fact_new (body, version, size, facts)
  SELECT body, version, length(CAST(links || anchors AS BLOB)), octavo_pack(links || anchors) FROM body_fact
  ORDER BY body;
DROP TABLE body_fact;
ALTER TABLE body_fact_new RENAME TO body_fact;

-- The text of a page by its headings; excerpts are cut from it. Apart from search_page, whose rows are
-- read far more often.
CREATE TABLE search_text (
  no   INTEGER PRIMARY KEY,                    -- search_page
  size INTEGER NOT NULL,                       -- bytes of text before it was packed
  text BLOB NOT NULL                           -- of each section, in order: anchor, heading and condition, '1' if it is a part, plain text; a NUL behind each but the '1'; packed
) STRICT;
INSERT INTO search_text (no, size, text)
  SELECT no, length(CAST(t AS BLOB)), octavo_pack(t) FROM (
    SELECT p.no AS no, COALESCE((SELECT group_concat(anchor || char(0) || heading || char(0)
      || COALESCE(condition, '') || char(0) || part || text || char(0), '') FROM (
        SELECT * FROM search_section c WHERE c.id BETWEEN p.no << 16 AND p.no << 16 | 65535 ORDER BY c.id)), '') AS t
    FROM search_page p);
DROP TABLE search_section;
