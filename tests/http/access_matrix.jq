# Every operation x every variant of it x every kind of caller. What is allowed
# and changes something is tried on a copy; what is refused, where all others see
# that nothing changed.
include "operations";
include "access";

def cells($d): $main[0] as $ids | $d | operations as $o | variants_of($o)[] as $v
	| callers | select(($v.self and (.dead or .org < 0)) | not)
	| expected($o; $v) as $no | call($d; $ids; $o; $v) | answering($o; $no);

# What is deleted is not there, but to look at it and to restore it.
def lifeless($d): $d | operations as $o | $o.vars[0] as $first
	| select($first == "spaceId" or $first == "collectionId") | select($o.rule != "SPACE_SEE" and $o.rule != "SPACE_DELETED")
	| { name: "deleted", ids: (if $first == "spaceId" then { spaceId: "{deletedSpaceId}" } else { collectionId: "{deletedCollectionId}" } end) } as $v
	| callers | select(.who == "admin") | call($d; $main[0]; $o; variants_of($o)[0] + $v) | answering($o; unseen($o));

. as $d | [cells($d), lifeless($d)]
