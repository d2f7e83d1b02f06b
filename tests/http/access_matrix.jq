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

. as $d | [cells($d), lifeless($d)]
