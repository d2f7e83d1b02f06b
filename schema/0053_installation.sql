-- Which installation this is: the backup of one never replaces that of another, and a database is
-- not served with the key of another.
CREATE TABLE installation (
  one      INTEGER PRIMARY KEY CHECK (one = 1),   -- one row
  id       TEXT NOT NULL,                         -- drawn once; copies and backups have the same
  key_mark TEXT                                   -- fingerprint of octavo.key; NULL: nobody has told it yet
) STRICT;
INSERT INTO installation (one, id) VALUES (1, lower(hex(randomblob(16))));
