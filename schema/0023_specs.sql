-- Links lead to descriptions of APIs as well: of spaces that have pages, they are made
-- anew.
INSERT INTO job (id, kind, space, queue, run_at, created_at)
  SELECT lower(hex(randomblob(16))), 'index', s.id, s.id, 0, 0 FROM space s JOIN branch b ON b.id = s.branch
  WHERE b.head > 0 AND NOT EXISTS (SELECT 1 FROM job j WHERE j.space = s.id AND j.kind = 'index' AND j.state = 'queued');
