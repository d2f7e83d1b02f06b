# Words and sentences that are the same every time, for the generators of benchmarks: awk -f words.awk -f pages.awk …

function random(n) {
	seed = (seed * 69069 + 1) % 4294967296
	return int(seed / 65536) % n
}
function sentence(   i, s) {
	s = word[random(words)]
	for (i = 8 + random(8); i > 0; i--)
		s = s " " word[random(words)]
	return toupper(substr(s, 1, 1)) substr(s, 2) ". "
}
BEGIN {
	seed = 7
	for (words = 0; words < 3000; words++) {
		w = ""
		for (i = 2 + random(3); i > 0; i--)
			w = w substr("bdfgklmnprstvz", 1 + random(14), 1) substr("aeiou", 1 + random(5), 1)
		word[words] = w
	}
}
