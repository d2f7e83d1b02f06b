-- Other words are indexed (star-tree: "startree", too; more inflections), and a
-- row can only be taken out with the words that it came with: all is made anew.
INSERT INTO search_index (search_index) VALUES ('delete-all');
DELETE FROM search_section;
DELETE FROM search_page;
DELETE FROM search_space;
INSERT INTO job (id, kind, space, run_at, created_at)
  SELECT lower(hex(randomblob(16))), 'index', s.id, 0, 0 FROM space s JOIN branch b ON b.id = s.branch
  WHERE b.head > 0;
