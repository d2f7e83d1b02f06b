-- Lists that cost what they show: orders and filters of members are answered by
-- an index alone, and what has no change requests or no searchable pages is not
-- gone through for lists of an organization's requests and hits.

DROP INDEX member_joined;
CREATE INDEX member_joined ON member (org, joined_at, user, role, disabled);
DROP INDEX member_seen;
CREATE INDEX member_seen ON member (org, seen_at, user, role) WHERE seen_at IS NOT NULL AND disabled = 0;

CREATE INDEX space_requests ON space (org, requests) WHERE requests > 0 AND deleted_at IS NULL;

ALTER TABLE search_space ADD COLUMN org TEXT REFERENCES org;  -- that of the space
UPDATE search_space SET org = (SELECT s.org FROM space s WHERE s.id = search_space.space);
CREATE INDEX search_space_org ON search_space (org) WHERE pages > 0;
CREATE TRIGGER search_space_moves AFTER UPDATE OF org ON space
  BEGIN UPDATE search_space SET org = NEW.org WHERE space = NEW.id; END;
