# Makes a repository of many small pages, as a stream for `git fast-import`:
#
#   awk -f words.awk -f pages.awk -v pages=10000 | git fast-import
#
# A chapter has a hundred pages. Of the first 660 pages every sixth contains the words "lantern
# harbour", later ones do not, so that a search finds as much in 660 pages as in 10,000. The page
# "ten" has a document response of about 10 kB. The text is the same every time.

function paragraph(   i, s) {
	s = ""
	for (i = 0; i < 4; i++)
		s = s sentence()
	return s "\n"
}
function page(n,   s) {
	s = "# Page " n " of the " word[n % words] "\n\n" paragraph()
	if (n <= 660 && n % 6 == 0)
		s = s "\nBring the lantern to the harbour.\n"
	s = s "\n## The " word[(n * 7) % words] "\n\n" paragraph() "\n* " sentence() "\n* " sentence()
	return s "\n\nSee [the next](p" (n % 100 == 0 ? n : n + 1) ".md).\n"
}
function file(path, text) {
	printf "M 644 inline %s\ndata %d\n%s\n", path, length(text), text
}
BEGIN {
	print "commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 5\npages"
	summary = "# Table of contents\n\n* [Welcome](README.md)\n* [Ten](ten.md)\n"
	file("README.md", "# Welcome\n\n" paragraph())
	ten = "# Ten\n\n"
	for (i = 1; i <= 9; i++)
		ten = ten "## Part " i "\n\n" paragraph() "\n* **" word[i] "**: " sentence() "\n* `" word[i + 9] "`\n\n"
	file("ten.md", ten)
	for (n = 1; n <= pages; n++) {
		chapter = "c" int((n - 1) / 100)
		if (n % 100 == 1) {
			summary = summary "* [Chapter " chapter "](" chapter "/README.md)\n"
			file(chapter "/README.md", "# Chapter " chapter "\n\n" paragraph())
		}
		summary = summary "  * [Page " n "](" chapter "/p" n ".md)\n"
		file(chapter "/p" n ".md", page(n))
	}
	file("SUMMARY.md", summary)
}
