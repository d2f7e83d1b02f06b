-- A user's account. `user` is reserved in PostgreSQL, where the unquoted word is
-- the name of the database role: as a table it is a syntax error, and as a column
-- it silently means something else.
ALTER TABLE user RENAME TO account;
ALTER TABLE token RENAME COLUMN user TO account;
ALTER TABLE member RENAME COLUMN user TO account;
ALTER TABLE team_member RENAME COLUMN user TO account;
ALTER TABLE access_grant RENAME COLUMN user TO account;
ALTER TABLE job RENAME COLUMN user TO account;
ALTER TABLE requested_reviewer RENAME COLUMN user TO account;
ALTER TABLE reaction RENAME COLUMN user TO account;
ALTER TABLE named RENAME COLUMN user TO account;
