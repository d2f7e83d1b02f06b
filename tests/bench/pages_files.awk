# Writes a folder of Markdown pages that name three files each:
#
#   awk -f words.awk -f pages_files.awk -v pages=500 -v folder=DIR
#
# A chapter has a hundred pages. Every page and every file is different.

function put(path, text) {
	print text >path
	close(path)
}
function paragraph(   i, s) {
	s = ""
	for (i = 0; i < 4; i++)
		s = s sentence()
	return s "\n"
}
BEGIN {
	put(folder "/README.md", "# Welcome\n\n" paragraph())
	for (n = 1; n <= pages; n++) {
		chapter = folder "/c" int((n - 1) / 100)
		if (n % 100 == 1) {
			system("mkdir -p '" chapter "/files'")
			put(chapter "/README.md", "# Chapter " n "\n\n" paragraph())
		}
		text = "# Page " n " of the " word[n % words] "\n\n" paragraph() "\n## The " word[(n * 7) % words] "\n\n" paragraph()
		for (i = 1; i <= 3; i++) {
			name = "files/p" n "-" i ".txt"
			put(chapter "/" name, "File " i " of page " n ".\n" sentence())
			text = text "\n[File " i "](" name ")\n"
		}
		put(chapter "/p" n ".md", text "\nSee [the next](p" (n % 100 == 0 || n == pages ? n : n + 1) ".md).")
	}
}
