-- What opens something for whoever knows it is kept as tokens are: a hash finds it, and only octavo.key
-- reads it for those who give it away. Old bytes are overwritten.
PRAGMA secure_delete = ON;
ALTER TABLE site_share_link ADD COLUMN sealed BLOB;  -- the key, sealed under octavo.key; NULL: nobody can tell it any more
-- From here on, secret is the hash of the key in hexadecimal.
UPDATE site_share_link SET sealed = octavo_seal(secret), secret = octavo_secret_hash(secret);

ALTER TABLE link_invite ADD COLUMN sealed BLOB;      -- the secret that the API calls the link's id, sealed likewise
-- From here on, id is the fingerprint of that secret, as the audit record names it.
UPDATE link_invite SET sealed = octavo_seal(id), id = substr(octavo_secret_hash(id), 1, 24);
