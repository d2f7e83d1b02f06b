-- Reactions come back as they were sent.
ALTER TABLE reaction ADD COLUMN spelling TEXT;  -- of the emoji, as the user sent it; NULL: before there was this column
