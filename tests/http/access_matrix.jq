# Every operation x every variant of it x every kind of caller. Allowed calls that change something
# run on a copy; refused ones on the shared data, where all others see that nothing changes.
include "operations";
include "access";

def cells($d): $main[0] as $ids | $d | operations as $o | variants_of($o)[] as $v
	| callers | select(($v.self and (.dead or .org < 0)) | not)
	| expected($o; $v) as $no | call($d; $ids; $o; $v) | answering($o; $no);

# A deleted object is hidden, except for reading and restoring it.
def lifeless($d): $d | operations as $o | $o.vars[0] as $first
	| select($first == "spaceId" or $first == "collectionId") | select($o.rule != "SPACE_SEE" and $o.rule != "SPACE_DELETED")
	| { name: "deleted", ids: (if $first == "spaceId" then { spaceId: "{deletedSpaceId}" } else { collectionId: "{deletedCollectionId}" } end) } as $v
	| callers | select(.who == "admin") | call($d; $main[0]; $o; variants_of($o)[0] + $v) | answering($o; unseen($o));

# A session that the provider of AORG made, at the same objects of an organization of which its user is an admin.
def abroad($d): $d | operations as $o | variants_of($o)[0] as $v
	| select($o.vars[0] | IN("organizationId", "spaceId", "collectionId"))
	| callers | select(.who == "stranger")
	| (if $o.rule == "INVITE_SECRET" then unseen($o) else expected($o; $v) end) as $no
	| .who = "bound" | call($d; $foreign[0]; $o; $v) | answering($o; $no) | .name += " abroad";

# A member of an organization with `sso`, in a session that no provider of it made: whatever the role, all is refused.
def shut($d): $d | operations as $o | variants_of($o)[0] as $v
	| select($o.vars[0] | IN("organizationId", "spaceId", "collectionId"))
	| select($o.rule | IN("ANYONE", "OWN_PAGES", "USER", "INVITE_SECRET", "ORG_LINK", "SPACE_DELETED") | not)
	| callers | select(.who == "create") | .who = "walkin" | call($d; $foreign[0]; $o; $v)
	| answering($o; if $o.callers | index("user") then 403 else 404 end) | .name += " who came another way";

. as $d | [cells($d), lifeless($d), abroad($d), shut($d)]
