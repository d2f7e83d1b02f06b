-- The memory of translations forgets what no run has needed for long.

ALTER TABLE translation_memory ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0;   -- to within a month: when a run needed it last
UPDATE translation_memory SET used_at = COALESCE(
  (SELECT max(t.updated_at) FROM translation t WHERE t.org = translation_memory.org), 0);
CREATE INDEX translation_memory_used ON translation_memory (used_at);
