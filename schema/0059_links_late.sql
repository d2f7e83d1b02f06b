-- Whether a job has to make the links of an edition anew: until it has, the tables may lack some, and who must not
-- miss any reads the pages.
ALTER TABLE link_edition ADD COLUMN late INTEGER NOT NULL DEFAULT 0 CHECK (late IN (0, 1)); -- a job "index" is on its way
UPDATE link_edition SET late = 1 WHERE branch IN (SELECT b.id FROM branch b JOIN job j ON j.space = b.space
  WHERE j.kind = 'index' AND j.state IN ('queued', 'running'));
