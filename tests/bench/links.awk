# Makes a repository whose pages are full of links, as a stream for `git fast-import`:
#
#   awk -f links.awk -v pages=1000 -v links=1000 | git fast-import
#
# Each page links to that many others, by their files; with -v places=1 to a heading in each of
# them.

function file(path, text) {
	printf "M 644 inline %s\ndata %d\n%s\n", path, length(text), text
}
BEGIN {
	print "commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 5\nlinks"
	summary = "# Table of contents\n\n"
	for (n = 1; n <= pages; n++) {
		summary = summary "* [Page " n "](p" n ".md)\n"
		text = "# Page " n "\n\n" (places ? "## H\n\n" : "")
		for (i = 1; i <= links; i++)
			text = text "[l](p" (n + i) % pages + 1 ".md" (places ? "#h" : "") ")\n"
		file("p" n ".md", text)
	}
	file("SUMMARY.md", summary)
}
