-- Tokens know what they were made with, memberships whether the user chose
-- them, and a reaction is one emoji however it is spelled.

ALTER TABLE token ADD COLUMN made_by TEXT REFERENCES token; -- the token in whose request it was made; NULL: the octavo command made it
CREATE INDEX token_made_by ON token (made_by) WHERE made_by IS NOT NULL;
UPDATE token SET made_by = (SELECT e.token FROM audit_event e JOIN token t ON t.id = e.token
  WHERE e.action = 'token.created' AND e.target = token.id AND e.token <> token.id ORDER BY e.seq LIMIT 1);

-- What users do to their own accounts is recorded in organizations that they chose, and in no other.
ALTER TABLE member ADD COLUMN chosen INTEGER NOT NULL DEFAULT 0 CHECK (chosen IN (0, 1)); -- the user founded it, or joined by a link or the domain of their address; 0: was added by somebody else
UPDATE member SET chosen = 1 WHERE EXISTS (SELECT 1 FROM org o WHERE o.id = member.org AND o.creator = member.account)
  OR EXISTS (SELECT 1 FROM audit_event e WHERE e.org = member.org AND e.target = member.account
    AND e.action = 'member.joined' AND e.at >= member.joined_at)
  -- The octavo command makes an organization and its first admin at once.
  OR EXISTS (SELECT 1 FROM org o WHERE o.id = member.org AND o.creator IS NULL AND member.role = 6
    AND member.joined_at - o.created_at <= 20
    AND NOT EXISTS (SELECT 1 FROM member x WHERE x.org = o.id AND x.joined_at < member.joined_at));

-- reaction.emoji becomes the key of include/base/emoji.h; what is no emoji goes.
CREATE TABLE reaction_key (
  old TEXT PRIMARY KEY,                        -- as it was sent
  key TEXT NOT NULL
) STRICT;
INSERT INTO reaction_key (old, key) SELECT DISTINCT emoji, replace(lower(emoji), '-fe0f', '') FROM reaction
  WHERE emoji NOT GLOB '*[^0-9a-fA-F-]*' AND length(emoji) >= 2;
INSERT INTO reaction_key (old, key)
  WITH RECURSIVE spelled (old, rest, key) AS (
    SELECT DISTINCT emoji, emoji, '' FROM reaction WHERE emoji GLOB '*[^0-9a-fA-F-]*'
      AND (unicode(emoji) >= 8252 OR unicode(emoji) IN (169, 174) OR instr(emoji, char(8419)) > 0)
    UNION ALL
    SELECT old, substr(rest, 2), CASE WHEN unicode(rest) = 65039 THEN key
      ELSE key || CASE WHEN key = '' THEN '' ELSE '-' END || printf('%x', unicode(rest)) END
    FROM spelled WHERE rest <> '')
  SELECT old, key FROM spelled WHERE rest = '';
INSERT INTO reaction (comment, target, emoji, account, created_at)
  SELECT r.comment, r.target, k.key, r.account, min(r.created_at) FROM reaction r JOIN reaction_key k ON k.old = r.emoji
  WHERE true GROUP BY r.comment, r.target, k.key, r.account ON CONFLICT (comment, target, emoji, account) DO NOTHING;
DELETE FROM reaction WHERE emoji NOT IN (SELECT key FROM reaction_key);
DROP TABLE reaction_key;
