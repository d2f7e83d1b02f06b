# Makes an export of a Confluence space as HTML, of pages of about 7 kB:
#
#   awk -f words.awk -f pages_html.awk -v pages=500 -v folder=DIR

function paragraph(   i, s) {
	for (i = 0; i < 4; i++)
		s = s sentence()
	return "<p>" s "<strong>" word[random(words)] "</strong> and <a href=\"Page_" 1 + random(pages) ".html\">" word[random(words)] "</a>.</p>\n"
}
function part(   s) {
	s = "<h2 id=\"part\">" word[random(words)] "</h2>\n" paragraph() paragraph()
	s = s "<div class=\"code panel pdl\"><div class=\"codeContent panelContent pdl\"><pre class=\"syntaxhighlighter-pre\" " \
		"data-syntaxhighlighter-params=\"brush: java; gutter: false\">if (a &lt; b) { " word[random(words)] "(); }</pre></div></div>\n"
	s = s "<div class=\"confluence-information-macro confluence-information-macro-note\"><div class=\"confluence-information-macro-body\">" \
		paragraph() "</div></div>\n"
	s = s "<div class=\"table-wrap\"><table class=\"confluenceTable\"><tbody><tr><th class=\"confluenceTh\">A</th><th class=\"confluenceTh\">B</th></tr>" \
		"<tr><td class=\"confluenceTd\">" sentence() "</td><td class=\"confluenceTd\">" sentence() "</td></tr></tbody></table></div>\n"
	return s "<ul><li>" sentence() "</li><li>" sentence() "<ul><li>" sentence() "</li></ul></li></ul>\n"
}
function page(n,   i, s) {
	s = "<!DOCTYPE html><html><head><title>Bench : Page " n "</title></head><body><div id=\"page\"><div id=\"main\">" \
		"<div id=\"main-header\"><div id=\"breadcrumb-section\"><ol id=\"breadcrumbs\"><li><span><a href=\"index.html\">Bench</a></span></li></ol></div>" \
		"<h1 id=\"title-heading\" class=\"pagetitle\"><span id=\"title-text\">Bench : Page " n "</span></h1></div><div id=\"content\" class=\"view\">" \
		"<div class=\"page-metadata\">Created by <span class='author'> Ann</span> on Mar 04, 2021</div><div id=\"main-content\" class=\"wiki-content group\">\n"
	for (i = 0; i < 4; i++)
		s = s part()
	return s "</div></div></div></div></body></html>"
}
BEGIN {
	index_file = folder "/index.html"
	print "<!DOCTYPE html><html><head><title>Bench (BN)</title></head><body><div id=\"main\"><div id=\"content\">" \
		"<div class=\"pageSection\"><table><tbody><tr><th>Key</th><td>BN</td></tr></tbody></table></div>" \
		"<div class=\"pageSection\"><div class=\"pageSectionHeader\"><h2 class=\"pageSectionTitle\">Available Pages:</h2></div><ul>" >index_file
	for (n = 1; n <= pages; n++) {
		print "<li><a href=\"Page_" n ".html\">Page " n "</a></li>" >index_file
		file = folder "/Page_" n ".html"
		print page(n) >file
		close(file)
	}
	print "</ul></div></div></div></body></html>" >index_file
}
