# Files of a change request: replaced, renamed, described and deleted. Pages keep their links, and earlier revisions their bytes.
fl_s=$(space_empty 'Files')
S=/v1/spaces/$fl_s C=/v1/spaces/$fl_s/change-requests
open_request() { send POST $C edit "{\"subject\":\"$1\"}"; N=$(jq -r .number "$out"); }
write() { w_name=$1 w_body=$2 w_code=$3 w_expr=$4; shift 4; t "$w_name" POST "$C/$N/content?compat=false" edit "$w_body" "$w_code" "$w_expr" "$@"; }
change() { printf '{"changes":[{"operation":"%s","file":"%s"%s}]}' "$1" "$fl_f" "${2-}"; }
# A picture of one dot.
fl_dot=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==

open_request first
write 'a page shows a file' '{"changes":[{"operation":"insert_files","files":[{"ref":"house","name":"house.txt","base64":"aG9tZQ=="}]},
	{"operation":"insert_page","title":"Houses","document":{"markdown":"A house:\n\n![](./house)\n\n![Mine](./house)\n"}}]}' 200 ''
fl_f=$(jq -r '.insertedFiles[0].id' "$out") fl_p=$(jq -r '.changes[0].page.id' "$out") fl_r=$(jq -r .changeRequest.revision "$out")
write 'a file is replaced, renamed and described' "$(change update_file ',"name":"red house.png","description":"A red house","base64":"'$fl_dot'"')" 200 \
	'(.changes | length == 1) and .changes[0].object == "updated_file" and (has("insertedFiles") | not) and
	(.changes[0].file | [.id, .name, .description, .contentType, .dimensions] ==
	["'$fl_f'", "red house.png", "A red house", "image/png", {width: 1, height: 1}])'
t 'the file of the change request is the new one' GET $C/$N/content/files/$fl_f read '' 200 '.size > 4 and .description == "A red house"'
t 'an earlier revision has the earlier file' GET $S/revisions/$fl_r/files/$fl_f read '' 200 \
	'.name == "house.txt" and .size == 4 and (has("description") | not)'
[ $TRANSPORT = cgi ] || same 'an earlier revision has the earlier bytes' home "$(curl -sg "$(jq -r .downloadURL "$out")")"
t 'the page links to the same file' GET $C/$N/content/page/$fl_p/links read '' 200 '[.items[].status] == ["ok"]'
t 'the page is among those that use the file' GET $C/$N/content/files/$fl_f/backlinks read '' 200 '[.items[].page.title] == ["Houses"]'
t 'a picture without an alternative text has the description' GET $C/$N/content/page/$fl_p/html read '' 200 \
	'(.html | contains("alt=\"A red house\"")) and (.html | contains("alt=\"Mine\""))'
write 'a description alone changes nothing else' "$(change update_file ',"description":null')" 200 \
	'.changes[0].file | .name == "red house.png" and (has("description") | not) and .dimensions.width == 1'
write 'an empty description removes it' "$(change update_file ',"description":"x"')" 200 '.changes[0].file.description == "x"'
write 'it is removed' "$(change update_file ',"description":""')" 200 '.changes[0].file | has("description") | not'
write 'a name with a slash is refused' "$(change update_file ',"name":"a/b"')" 400 '.fields[0] == {path: "/changes/0/name", message: "holds a slash"}'
write 'damaged bytes are refused' "$(change update_file ',"base64":"%%"')" 400 '.fields[0].path == "/changes/0/base64"'
write 'a file that is not there cannot be replaced' '{"changes":[{"operation":"update_file","file":"nope","name":"x"}]}' 404 ''
write 'a page is no file' '{"changes":[{"operation":"update_file","file":"'$fl_p'","name":"x"}]}' 404 ''
write 'a page is not deleted as a file' '{"changes":[{"operation":"delete_file","file":"'$fl_p'"}]}' 404 ''
t 'files are found by name and description' GET "$C/$N/content/files?find=HOUSE" read '' 200 '[.items[].id] == ["'$fl_f'"] and .count == 1'
t 'and not by other words' GET "$C/$N/content/files?find=barn" read '' 200 '.items == [] and .count == 0'
t 'pages are found by title' GET "$C/$N/content/pages?find=ouse" read '' 200 '[.pages[] | [.id, .title, .path]] == [["'$fl_p'", "Houses", "houses"]]'
t 'no page has these words' GET "$C/$N/content/pages?find=barn" read '' 200 '.pages == []'
t 'a reader replaces no file' POST $C/$N/content read "$(change update_file ',"name":"x.png"')" 403 ''
t 'the file is merged' POST $C/$N/merge review '' 200 '.result == "merge"'
t 'the space has the file' GET $S/content/files/$fl_f read '' 200 '.name == "red house.png"'

# Two people change one file.
open_request mine; fl_mine=$N
open_request theirs; fl_theirs=$N
N=$fl_mine write 'a request replaces the file' "$(change update_file ',"base64":"bWluZQ=="')" 200 ''
N=$fl_theirs write 'another one describes it' "$(change update_file ',"description":"Theirs"')" 200 ''
t 'the description is merged' POST $C/$fl_theirs/merge review '' 200 '.result == "merge"'
t 'the bytes are merged' POST $C/$fl_mine/merge review '' 200 '.result == "merge"'
t 'the file has both' GET $S/content/files/$fl_f read '' 200 '.size == 4 and .description == "Theirs"'
t 'the changes name the file' GET $C/$fl_mine/changes read '' 200 '[.changes[].type] == ["file_edited"]'
open_request mine; fl_mine=$N
open_request theirs; fl_theirs=$N
N=$fl_mine write 'a request replaces the bytes' "$(change update_file ',"base64":"bXk="')" 200 ''
N=$fl_theirs write 'another one, too' "$(change update_file ',"base64":"dGhlaXI="')" 200 ''
t 'the first is merged' POST $C/$fl_mine/merge review '' 200 '.result == "merge"'
t 'the second conflicts' POST $C/$fl_theirs/merge review '' 200 '[.conflicts[].kind] == ["file"]'
t 'it is updated' POST $C/$fl_theirs/update edit '' 200 '.result == "conflicts"'
N=$fl_theirs write 'another file resolves the conflict' "$(change update_file ',"base64":"b3Vycw=="')" 200 ''
t 'the second is merged' POST $C/$fl_theirs/merge review '' 200 '.result == "merge"'

# Deleted.
open_request mine; fl_mine=$N
open_request theirs; fl_theirs=$N
N=$fl_mine write 'a file is deleted' "$(change delete_file)" 200 '.changes == [{object: "deleted_file", file: "'$fl_f'"}]'
t 'the request has it no longer' GET $C/$fl_mine/content/files/$fl_f read '' 404 ''
t 'its link is broken' GET $C/$fl_mine/content/page/$fl_p/links read '' 200 '[.items[].status] == ["broken"]'
t 'the space still has it' GET $S/content/files/$fl_f read '' 200 ''
N=$fl_theirs write 'another request replaces it' "$(change update_file ',"base64":"MQ=="')" 200 ''
t 'the replacement is merged' POST $C/$fl_theirs/merge review '' 200 '.result == "merge"'
t 'deleting what others replaced is a conflict' POST $C/$fl_mine/update edit '' 200 '[.conflicts[].kind] == ["deleted"]'
N=$fl_mine write 'deleting it once more resolves that' "$(change delete_file)" 200 ''
t 'the deletion is merged' POST $C/$fl_mine/merge review '' 200 '.result == "merge"'
t 'the space has it no longer' GET $S/content/files/$fl_f read '' 404 ''
t 'an earlier revision has it' GET $S/revisions/$fl_r/files/$fl_f read '' 200 '.size == 4'
open_request late
write 'what is deleted cannot be deleted' "$(change delete_file)" 404 ''
