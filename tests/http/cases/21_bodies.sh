# Bodies: types, sizes, and invalid JSON that cJSON alone would accept.
P=/v1/spaces/$EMPTY
t 'a PATCH without a body changes nothing' PATCH $P admin '' 200 '.title == "Empty"'
t 'a PATCH with an empty object changes nothing' PATCH $P admin '{}' 200 '.title == "Empty"'
t 'blanks around JSON are ignored' PATCH $P admin '
	 { "title" : "Empty" }  ' 200 ''
t 'a body without a type answers 415' PATCH $P admin '{}' 415 '' 'Content-Type:'
t 'a form answers 415' PATCH $P admin 'title=x' 415 '' 'Content-Type: application/x-www-form-urlencoded'
t 'a body of plain text answers 415' PATCH $P admin '{}' 415 '' 'Content-Type: text/plain'
t 'a type that only begins like JSON answers 415' PATCH $P admin '{}' 415 '' 'Content-Type: application/jsonp'
t 'a type in capitals with a character set is read as JSON' PATCH $P admin '{}' 200 '' 'Content-Type: APPLICATION/JSON; charset=utf-8'
t 'a type without a body is ignored' PATCH $P admin '' 200 '' 'Content-Type: text/plain'
t 'a required member is missed where there is no body' POST /v1/orgs admin '' 400 '.fields[0].path == "/title"'
t 'a list where an object is wanted is refused' PATCH $P admin '[]' 400 '.fields[0].path == ""'
t 'a string where an object is wanted is refused' PATCH $P admin '"x"' 400 ''
t 'null where an object is wanted is refused' PATCH $P admin 'null' 400 ''

wrong_json() { t "text that is no JSON is refused: $1" PATCH $P admin "$2" 400 '.error.message | startswith("invalid JSON")'; }
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

t 'a number out of range is refused' PATCH $P admin '{"title":1e400}' 400 ''
t 'a number of 400 digits is refused' PATCH $P admin "{\"title\":1$(head -c 400 /dev/zero | tr '\0' 0)}" 400 ''
t 'escapes are read' PATCH $P admin '{"title":"\u00e9\ud83d\ude00\n\"\\\/"}' 200 '.title == "é😀\n\"\\/"'
t 'the title is restored' PATCH $P admin '{"title":"Empty"}' 200 ''
{ head -c 128 /dev/zero | tr '\0' '['; head -c 128 /dev/zero | tr '\0' ']'; } >"$tmp/deep"
t 'JSON of depth 128 is read' PATCH $P admin "@$tmp/deep" 400 '.fields[0].path == ""'
{ head -c 129 /dev/zero | tr '\0' '['; head -c 129 /dev/zero | tr '\0' ']'; } >"$tmp/deep"
t 'JSON of depth 129 answers 413' PATCH $P admin "@$tmp/deep" 413 ''
head -c 5000000 /dev/zero | tr '\0' '[' >"$tmp/deep"
t 'JSON of depth 5,000,000 answers 413' PATCH $P admin "@$tmp/deep" 413 ''
{ printf '[0'; head -c 199998 /dev/zero | sed 's/\x00/,0/g'; printf ]; } >"$tmp/many"
t 'JSON of 200,000 values is read' PATCH $P admin "@$tmp/many" 400 '.fields[0].path == ""'
{ printf '[0'; head -c 199999 /dev/zero | sed 's/\x00/,0/g'; printf ]; } >"$tmp/many"
t 'JSON of 200,001 values answers 413' PATCH $P admin "@$tmp/many" 413 ''
{ printf '{"title":"'; head -c 10485700 /dev/zero | tr '\0' a; printf '"}'; } >"$tmp/large"
t 'a body just below the limit is read' PATCH $P admin "@$tmp/large" 400 '.fields[0].path == "/title"'
{ printf '{"title":"'; head -c 10485760 /dev/zero | tr '\0' a; printf '"}'; } >"$tmp/large"
t 'a body over the limit answers 413' PATCH $P admin "@$tmp/large" 413 ''
{ printf '{"title":"x"'; seq 60000 | sed 's/.*/,"k&":&/'; printf '}'; } >"$tmp/many"
t 'at most 50 unknown members are reported' PATCH $P admin "@$tmp/many" 400 '.fields | length == 50'
{ printf '{"title":"x"'; seq 60000 | sed 's/.*/,"title":"&"/'; printf '}'; } >"$tmp/many"
t 'at most 50 duplicate members are reported' PATCH $P admin "@$tmp/many" 400 '.fields | length == 50'

t 'an unknown member is refused with a suggestion' PATCH $P admin '{"tilte":"x"}' 400 \
	'.fields == [{"path":"/tilte","message":"is not known here; did you mean \"title\"?"}]'
t 'a member in another case is refused with a suggestion' PATCH $P admin '{"TITLE":"x"}' 400 '.error.message | contains("\"title\"")'
t 'a member like no other is refused without a suggestion' PATCH $P admin '{"zzzzzzzzzzzz":1}' 400 '.fields[0].message == "is not known here"'
t 'members that are not of the shape are not assigned' PATCH $P admin '{"org":"'$ORG_B'","id":"x","deletedAt":null,"permissions":{}}' 400 \
	'.fields | length == 4'
t 'a duplicate member is refused' PATCH $P admin '{"title":"a","title":"b"}' 400 '.fields[0] == {"path":"/title","message":"is there twice"}'
t 'a member that an escape duplicates is refused' PATCH $P admin '{"title":"a","titl\u0065":"b"}' 400 '.fields[0].message == "is there twice"'
t 'several faults are reported at once' PATCH $P admin '{"title":1,"editMode":"x","nope":2}' 400 '[.fields[].path] == ["/title","/editMode","/nope"]'
t 'refused bodies changed nothing' GET $P admin '' 200 '.title == "Empty" and .organization == "'$ORG'"'
t 'a pointer escapes slash and tilde' PATCH $P admin '{"a/b~c":1}' 400 '.fields[0].path == "/a~1b~0c"'
t 'an action without a body refuses members' POST $P/duplicate admin '{"title":"x"}' 400 '.fields[0].path == "/title"'
t 'DELETE refuses members' DELETE $P admin '{"force":true}' 400 ''
t 'an action without a body refuses broken JSON' POST $P/duplicate admin '{' 400 ''
t 'an action without a body refuses plain text' POST $P/duplicate admin 'x' 415 '' 'Content-Type: text/plain'
t 'GET ignores a body' GET $P admin '{"x":' 200 ''
