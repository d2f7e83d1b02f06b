-- How many tokens of sites one user has made is bounded: the oldest of theirs go.
ALTER TABLE site_pass ADD COLUMN maker TEXT;         -- account that asked for it; NULL: before there was this column
CREATE INDEX site_pass_maker ON site_pass (maker, made_at) WHERE maker IS NOT NULL;
