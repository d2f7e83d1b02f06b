# Bodies: types, sizes, and JSON that cJSON alone would take.
P=/v1/spaces/$EMPTY
t 'no body where nothing is required' PATCH $P admin '' 200 '.title == "Empty"'
t 'empty object' PATCH $P admin '{}' 200 '.title == "Empty"'
t 'blanks around' PATCH $P admin '
	 { "title" : "Empty" }  ' 200 ''
t 'no type' PATCH $P admin '{}' 415 '' 'Content-Type:'
t 'form' PATCH $P admin 'title=x' 415 '' 'Content-Type: application/x-www-form-urlencoded'
t 'text' PATCH $P admin '{}' 415 '' 'Content-Type: text/plain'
t 'nearly JSON' PATCH $P admin '{}' 415 '' 'Content-Type: application/jsonp'
t 'type in capitals with a character set' PATCH $P admin '{}' 200 '' 'Content-Type: APPLICATION/JSON; charset=utf-8'
t 'type without a body' PATCH $P admin '' 200 '' 'Content-Type: text/plain'
t 'required member without any body' POST /v1/orgs admin '' 400 '.fields[0].path == "/title"'
t 'list' PATCH $P admin '[]' 400 '.fields[0].path == ""'
t 'string' PATCH $P admin '"x"' 400 ''
t 'null' PATCH $P admin 'null' 400 ''

wrong_json() { t "JSON: $1" PATCH $P admin "$2" 400 '.error.message | startswith("invalid JSON")'; }
wrong_json 'blank text' ' '
wrong_json 'open object' '{"title":"x"'
wrong_json 'open string' '{"title":"x'
wrong_json 'text after' '{"title":"x"} x'
wrong_json 'two values' '{}{}'
wrong_json 'comma at the end' '{"title":"x",}'
wrong_json 'comma only' '{,}'
wrong_json 'no colon' '{"title" "x"}'
wrong_json 'no comma' '{"title":"x" "emoji":""}'
wrong_json 'name without quotes' '{title:"x"}'
wrong_json 'single quotes' "{'title':'x'}"
wrong_json 'comment' '{"title":"x"} // x'
wrong_json 'U+0000' '{"title":"a\u0000b"}'
wrong_json 'U+0000 in a name' '{"ti\u0000tle":"x"}'
wrong_json 'control character' "{\"title\":\"a$(printf '\001')b\"}"
wrong_json 'tab in a string' "{\"title\":\"a	b\"}"
wrong_json 'unknown escape' '{"title":"\x41"}'
wrong_json 'short escape' '{"title":"\u12"}'
wrong_json 'half a pair' '{"title":"\ud800"}'
wrong_json 'other half' '{"title":"\udc00"}'
wrong_json 'pair upside down' '{"title":"\udc00\ud800"}'
wrong_json 'leading zero' '{"title":01}'
wrong_json 'no digit after the point' '{"title":1.}'
wrong_json 'no digit before the point' '{"title":.5}'
wrong_json 'plus' '{"title":+1}'
wrong_json 'no exponent' '{"title":1e}'
wrong_json 'NaN' '{"title":NaN}'
wrong_json 'infinity' '{"title":-Infinity}'
wrong_json 'hexadecimal' '{"title":0x10}'
wrong_json 'wrong word' '{"title":nul}'
wrong_json 'word in capitals' '{"title":True}'
wrong_json 'brackets that do not match' '{"title":["x"}'
wrong_json 'byte order mark' "$(printf '\357\273\277{}')"
printf '{"title":"a\377b"}' >"$tmp/bytes"
wrong_json 'no UTF-8' "@$tmp/bytes"
printf '{"title":"a\300\257b"}' >"$tmp/bytes"
wrong_json 'overlong UTF-8' "@$tmp/bytes"
printf '{"title":"a\355\240\200b"}' >"$tmp/bytes"
wrong_json 'surrogate in UTF-8' "@$tmp/bytes"
printf '{"title":"a"}\0' >"$tmp/bytes"
wrong_json 'NUL byte at the end' "@$tmp/bytes"

t 'number out of range' PATCH $P admin '{"title":1e400}' 400 ''
t 'number of many digits' PATCH $P admin "{\"title\":1$(head -c 400 /dev/zero | tr '\0' 0)}" 400 ''
t 'escapes are read' PATCH $P admin '{"title":"\u00e9\ud83d\ude00\n\"\\\/"}' 200 '.title == "é😀\n\"\\/"'
t 'back' PATCH $P admin '{"title":"Empty"}' 200 ''
{ head -c 128 /dev/zero | tr '\0' '['; head -c 128 /dev/zero | tr '\0' ']'; } >"$tmp/deep"
t 'depth 128' PATCH $P admin "@$tmp/deep" 400 '.fields[0].path == ""'
{ head -c 129 /dev/zero | tr '\0' '['; head -c 129 /dev/zero | tr '\0' ']'; } >"$tmp/deep"
t 'depth 129' PATCH $P admin "@$tmp/deep" 413 ''
head -c 5000000 /dev/zero | tr '\0' '[' >"$tmp/deep"
t 'bottomless' PATCH $P admin "@$tmp/deep" 413 ''
{ printf '[0'; head -c 199998 /dev/zero | sed 's/\x00/,0/g'; printf ]; } >"$tmp/many"
t '200,000 values' PATCH $P admin "@$tmp/many" 400 '.fields[0].path == ""'
{ printf '[0'; head -c 199999 /dev/zero | sed 's/\x00/,0/g'; printf ]; } >"$tmp/many"
t '200,001 values' PATCH $P admin "@$tmp/many" 413 ''
{ printf '{"title":"'; head -c 10485700 /dev/zero | tr '\0' a; printf '"}'; } >"$tmp/large"
t 'just below the limit' PATCH $P admin "@$tmp/large" 400 '.fields[0].path == "/title"'
{ printf '{"title":"'; head -c 10485760 /dev/zero | tr '\0' a; printf '"}'; } >"$tmp/large"
t 'over the limit' PATCH $P admin "@$tmp/large" 413 ''
{ printf '{"title":"x"'; seq 60000 | sed 's/.*/,"k&":&/'; printf '}'; } >"$tmp/many"
t 'many unknown members' PATCH $P admin "@$tmp/many" 400 '.fields | length == 50'
{ printf '{"title":"x"'; seq 60000 | sed 's/.*/,"title":"&"/'; printf '}'; } >"$tmp/many"
t 'many duplicates' PATCH $P admin "@$tmp/many" 400 '.fields | length == 50'

t 'unknown member' PATCH $P admin '{"tilte":"x"}' 400 \
	'.fields == [{"path":"/tilte","message":"is not known here; did you mean \"title\"?"}]'
t 'member in another case' PATCH $P admin '{"TITLE":"x"}' 400 '.error.message | contains("\"title\"")'
t 'member like none' PATCH $P admin '{"zzzzzzzzzzzz":1}' 400 '.fields[0].message == "is not known here"'
t 'no mass assignment' PATCH $P admin '{"org":"'$ORG_B'","id":"x","deletedAt":null,"permissions":{}}' 400 '.fields | length == 4'
t 'duplicate member' PATCH $P admin '{"title":"a","title":"b"}' 400 '.fields[0] == {"path":"/title","message":"is there twice"}'
t 'duplicate by escape' PATCH $P admin '{"title":"a","titl\u0065":"b"}' 400 '.fields[0].message == "is there twice"'
t 'several faults at once' PATCH $P admin '{"title":1,"editMode":"x","nope":2}' 400 '[.fields[].path] == ["/title","/editMode","/nope"]'
t 'nothing was changed by any of this' GET $P admin '' 200 '.title == "Empty" and .organization == "'$ORG'"'
t 'a pointer to a name with signs' PATCH $P admin '{"a/b~c":1}' 400 '.fields[0].path == "/a~1b~0c"'
t 'unknown member of an action without a body' POST $P/duplicate admin '{"title":"x"}' 400 '.fields[0].path == "/title"'
t 'member of a body with DELETE' DELETE $P admin '{"force":true}' 400 ''
t 'JSON of an action without a body' POST $P/duplicate admin '{' 400 ''
t 'type of an action without a body' POST $P/duplicate admin 'x' 415 '' 'Content-Type: text/plain'
t 'a body that GET does not want' GET $P admin '{"x":' 200 ''
