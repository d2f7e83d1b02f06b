-- What an organization calls the same, besides what documentation does anywhere
-- (src/search/search_synonyms.c): who asks for one word finds the others as well.
CREATE TABLE search_words (
  org     TEXT NOT NULL REFERENCES org,
  no      INTEGER NOT NULL,                    -- in the order in which they were added
  members TEXT NOT NULL,                       -- words and phrases as they are looked for, a line each
  PRIMARY KEY (org, no)
) STRICT, WITHOUT ROWID;

-- Stems of further languages are indexed, and a row can only be taken out with the words that
-- it came with: all is made anew.
INSERT INTO search_index (search_index) VALUES ('delete-all');
DELETE FROM search_section;
DELETE FROM search_page;
DELETE FROM search_space;
INSERT INTO job (id, kind, space, queue, run_at, created_at)
  SELECT lower(hex(randomblob(16))), 'index', s.id, s.id, 0, 0 FROM space s JOIN branch b ON b.id = s.branch
  WHERE b.head > 0;
