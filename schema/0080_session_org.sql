-- A session that an organization's own provider made is valid for that organization alone: users are global, and an
-- admin can invite anybody, so such a provider must not open another organization (docs/design/security.md, "S21").
ALTER TABLE session ADD COLUMN org TEXT REFERENCES org; -- the only organization that it is valid for; NULL: all of the account
CREATE TRIGGER session_ends_with_membership AFTER DELETE ON member
  BEGIN DELETE FROM session WHERE account = OLD.account AND org = OLD.org; END;
