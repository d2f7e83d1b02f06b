-- A comment whose block, line of code or cell was deleted says so: it is then on the page, the code or the table.
ALTER TABLE comment ADD COLUMN lost INTEGER NOT NULL DEFAULT 0 CHECK (lost IN (0, 1));
