-- Runners of several nodes take jobs from one database. A process of a job that was taken again meanwhile is
-- recognised by the number of its claim.
ALTER TABLE job ADD COLUMN runner TEXT;                        -- that took it last; NULL: none yet
ALTER TABLE job ADD COLUMN claims INTEGER NOT NULL DEFAULT 0;  -- how often it was taken; attempts does not count turns
