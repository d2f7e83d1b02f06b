-- The words of a long page are in several rows of search_index, its parts, so that none keeps others from
-- writing for long (src/search/search_division.c): part k is row no + k * 2^40.
ALTER TABLE search_page ADD COLUMN division BLOB;  -- section that each part but the first begins with, 4 bytes each; NULL: it has one part
ALTER TABLE search_page ADD COLUMN parts INTEGER NOT NULL DEFAULT 1;  -- parts in search_index; fewer than there are while the row is written or removed, its key then is random
CREATE INDEX search_page_long ON search_page (scope) WHERE division IS NOT NULL;
