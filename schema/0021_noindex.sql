-- Pages with the property noIndex are not found by search: spaces that have some
-- get their index made right.
INSERT INTO job (id, kind, space, queue, run_at, created_at)
  SELECT lower(hex(randomblob(16))), 'index', s.id, s.id, 0, 0 FROM space s JOIN branch b ON b.id = s.branch
  WHERE EXISTS (SELECT 1 FROM node n WHERE n.branch = b.id AND n.until > b.head AND n.kind = 'document'
    AND n.props LIKE '%"noIndex":true%');
