-- Names are indexed as they are spelled (max_connections, .env), longer ones by all runs of their parts,
-- and a row can only be taken out with the words that it came with: all is made anew.
INSERT INTO search_index (search_index) VALUES ('delete-all');
DELETE FROM search_place;
DELETE FROM search_reads;
DELETE FROM search_text;
DELETE FROM search_page;
DELETE FROM search_space;
INSERT INTO job (id, kind, space, queue, run_at, created_at)
  SELECT lower(hex(randomblob(16))), 'index', s.id, s.id, 0, 0 FROM space s JOIN branch b ON b.id = s.branch
  WHERE b.head > 0 AND NOT EXISTS (SELECT 1 FROM job j WHERE j.kind = 'index' AND j.space = s.id AND j.state = 'queued');
