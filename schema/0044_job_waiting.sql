-- How many jobs of one person wait, or run: none may have so many that all others wait for theirs.
CREATE INDEX job_waiting ON job (account, state) WHERE account IS NOT NULL AND state IN ('queued', 'running');
