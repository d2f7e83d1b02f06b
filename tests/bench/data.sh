# The data for `make bench`: three directories below $data.
#
#   main   a generated space of 660 pages; with the corpus, fluentd and gl-sdk
#   small  100 pages, 10 spaces
#   big    10,000 pages, 1,000 spaces; a second organization of 10,000 members;
#          a third with a space in ten nested collections, and a user in 200 teams
#
# Each has a file "facts" of shell variables, whose names begin with that of the directory.

# fact NAME VALUE: adds a fact of directory $at
fact() { echo "${at}_$1='$2'" >>"$data/$at/facts"; }

data_new() {
	at=$1 dir=$data/$1
	say "making the data \"$1\""
	json "$dir" . init --email admin@example.com --name Admin --org Bench >/dev/null
	org=$(jq -r .organization "$tmp/json") admin=$(jq -r .token "$tmp/json")
	fact dir "$dir"
	fact org "$org"
	fact admin "$admin"
}

# pages_new COUNT: makes a space of generated pages; sets $space
pages_new() {
	pages_import "$1"
	fact space "$space"
}

pages_import() {
	p_repo=$tmp/pages-$1.git
	git init -q --bare -b main "$p_repo"
	awk -f "$here/words.awk" -f "$here/pages.awk" -v pages="$1" | git -C "$p_repo" fast-import --quiet
	space=$(json "$dir" .result.space import --org "$org" --title "pages $1" --url "$p_repo")
	rm -rf "$p_repo"
}

# user_new NAME ORG [ROLE]: makes $user and a token, the fact NAME; a guest without ROLE
user_new() {
	user=$(json "$dir" .user user create --email "$1@example.com" --name "$1")
	fact "$1" "$(json "$dir" .token token create --user "$user")"
	sql "$dir" "INSERT INTO member (org, account, role, joined_at) VALUES ('$2', '$user', ${3:-NULL}, 0)"
}

# spaces_new COUNT: more spaces, until there are COUNT; the guest "half" has grants on half of them,
# some through a team. In each directory also one space with a few pages, two change requests in
# each of ten spaces, and eight collections.
spaces_new() {
	pages_import 24
	service "$dir"
	i=2
	while [ $i -lt "$1" ]; do
		echo "POST $base/v1/orgs/$org/spaces {\"title\":\"Space $i\"}"
		i=$((i + 1))
	done | batch "$admin" >/dev/null
	for i in 1 2 3 4 5 6 7 8; do
		echo "POST $base/v1/orgs/$org/collections {\"title\":\"Collection $i\"}"
	done | batch "$admin" >/dev/null
	for i in $(api GET "$base/v1/orgs/$org/spaces?limit=10" "$admin" | jq -r '.items[].id'); do
		echo "POST $base/v1/spaces/$i/change-requests {\"subject\":\"One\"}"
		echo "POST $base/v1/spaces/$i/change-requests {\"subject\":\"Two\"}"
	done | batch "$admin" >/dev/null
	user_new half "$org"
	sql "$dir" "INSERT INTO team (id, org, title, created_at) VALUES ('halfTeam', '$org', 'Half', 0)" \
		"INSERT INTO team_member (team, account) VALUES ('halfTeam', '$user')" \
		"UPDATE collection SET default_level = 1 WHERE org = '$org'" \
		"INSERT INTO access_grant (id, space, account, team, role, created_at)
		 SELECT 'half-' || n, id, CASE WHEN n % 4 = 0 THEN '$user' END, CASE WHEN n % 4 = 2 THEN 'halfTeam' END, 1, 0
		 FROM (SELECT id, row_number() OVER (ORDER BY ord) AS n FROM space) WHERE n % 2 = 0"
}

# A space below ten collections, and a user in 200 teams, of which twenty have grants on the outermost collection.
deep_new() {
	org=$(json "$dir" .organization org create --title Deep --user admin@example.com)
	parent=''
	i=1
	while [ $i -le 10 ]; do
		parent=$(api POST "$base/v1/orgs/$org/collections" "$admin" "{\"title\":\"Level $i\"${parent:+,\"parent\":\"$parent\"}}" | jq -r .id)
		[ $i -gt 1 ] || outermost=$parent
		i=$((i + 1))
	done
	fact deep_space "$(api POST "$base/v1/orgs/$org/spaces" "$admin" "{\"title\":\"Deep\",\"parent\":\"$parent\"}" | jq -r .id)"
	user_new deep "$org"
	sql "$dir" "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 200)
		INSERT INTO team (id, org, title, created_at) SELECT 'team-' || n, '$org', 'Team ' || n, n FROM n" \
		"INSERT INTO team_member (team, account) SELECT id, '$user' FROM team WHERE id LIKE 'team-%'" \
		"INSERT INTO access_grant (id, collection, team, role, created_at)
		 SELECT 'deep-' || id, '$outermost', id, 1, 0 FROM team WHERE id LIKE 'team-%0'"
}

# A third of the members are guests; half have a time of their last visit; all can read a space in three collections.
members_new() {
	crowd=$(json "$dir" .organization org create --title Crowd --user admin@example.com)
	fact crowd "$crowd"
	sql "$dir" BEGIN "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000)
		INSERT INTO account (id, email, name, created_at)
		SELECT 'member-' || n, 'member' || n || '@example.com', 'Member ' || n, n FROM n" \
		"INSERT INTO member (org, account, role, joined_at) SELECT '$crowd', id, 1, created_at FROM account WHERE id LIKE 'member-%'" \
		"UPDATE member SET role = NULL WHERE org = '$crowd' AND joined_at % 3 = 0 AND account LIKE 'member-%'" \
		"UPDATE member SET seen_at = joined_at WHERE org = '$crowd' AND joined_at % 2 = 0" COMMIT
	parent=''
	for i in 1 2 3; do
		parent=$(api POST "$base/v1/orgs/$crowd/collections" "$admin" "{\"title\":\"Level $i\"${parent:+,\"parent\":\"$parent\"}}" | jq -r .id)
	done
	fact crowd_space "$(api POST "$base/v1/orgs/$crowd/spaces" "$admin" "{\"title\":\"In it\",\"parent\":\"$parent\"}" | jq -r .id)"
}

# The option for repositories of the corpus whose content is in a folder.
project_of() { [ "$1" != gl-sdk ] || echo --project-dir gitbook; }

data_main() {
	data_new main
	pages_new 660
	for name in gl-sdk fluentd; do
		[ -r "$corpus/$name.bundle" ] || continue
		git clone -q "$corpus/$name.bundle" "$tmp/$name"
		fact "$(echo $name | tr -d -)" "$(json "$dir" .result.space import --org "$org" --title $name --url "$tmp/$name" \
			$(project_of $name))"
		rm -rf "${tmp:?}/$name"
	done
}

data_make() {
	[ ! -e "$data/ready" ] || return 0
	data_main
	data_new small
	pages_new 100
	spaces_new 10
	data_new big
	pages_new 10000
	spaces_new 999
	deep_new
	members_new
	touch "$data/ready"
}
