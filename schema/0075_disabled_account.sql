-- `octavo user disable` locks a person out of the installation: nobody signs in to the account, whatever the way. Whom it
-- had locked out before is not marked: disabled memberships do not tell whether that command made them so, or an admin
-- of the organization (docs/people/organization.md, "When people leave").
ALTER TABLE account ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)); -- 1: nobody signs in
