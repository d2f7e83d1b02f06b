-- Overviews of API descriptions list servers and authentication from now on. Each description is read once more, so
-- that its overview has them: unconditionally from its address, or from the text that its newest version was made of.
UPDATE openapi_spec SET etag = NULL, modified = NULL WHERE deleted_at IS NULL;
UPDATE schedule SET next_at = 0 WHERE kind = 'openapi';
INSERT INTO schedule (id, kind, org, queue, args, every, next_at)
  SELECT 'openapi:' || id, 'openapi', org, id, '{"spec":"' || id || '"}', 3600000, 0 FROM openapi_spec
  WHERE deleted_at IS NULL AND url IS NULL AND latest IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM schedule s WHERE s.id = 'openapi:' || openapi_spec.id);
