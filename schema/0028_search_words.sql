-- Other words are indexed (stems of Russian and Arabic, ends of compounds, parts of names,
-- traditional characters as simplified ones), and a row can only be taken out with the
-- words that it came with: all is made anew.
INSERT INTO search_index (search_index) VALUES ('delete-all');
DELETE FROM search_section;
DELETE FROM search_page;
DELETE FROM search_space;
INSERT INTO job (id, kind, space, queue, run_at, created_at)
  SELECT lower(hex(randomblob(16))), 'index', s.id, s.id, 0, 0 FROM space s JOIN branch b ON b.id = s.branch
  WHERE b.head > 0;
