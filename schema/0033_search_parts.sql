-- What {% if %} holds is in sections of its own, so that visitors of a site find pages by
-- words alone that they see. Spaces get their index made anew, page by page.
ALTER TABLE search_page ADD COLUMN conditional INTEGER NOT NULL DEFAULT 0;   -- 1: a section has a condition
ALTER TABLE search_section ADD COLUMN part INTEGER NOT NULL DEFAULT 0;       -- 1: goes on under the heading, whose words the index has from a section before it
ALTER TABLE search_section ADD COLUMN condition TEXT;                        -- expressions that all have to hold, U+001F between them; null: none
CREATE INDEX search_page_conditional ON search_page (space, no) WHERE conditional = 1;
INSERT INTO job (id, kind, space, queue, run_at, created_at)
  SELECT lower(hex(randomblob(16))), 'index', s.id, s.id, 0, 0 FROM space s JOIN branch b ON b.id = s.branch
  WHERE b.head > 0 AND NOT EXISTS (SELECT 1 FROM job j WHERE j.space = s.id AND j.kind = 'index' AND j.state = 'queued');
