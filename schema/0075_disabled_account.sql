-- The octavo command locks a person out of the installation: nobody signs in to the account, whatever the way.
ALTER TABLE account ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1));
