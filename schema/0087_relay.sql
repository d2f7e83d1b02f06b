-- Hosts to which the installation sends requests of readers who try the API of a description.
ALTER TABLE openapi_spec ADD COLUMN relay TEXT NOT NULL DEFAULT '';  -- HOST or HOST:PORT in lower case, separated by blanks; '': none
