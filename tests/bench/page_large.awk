# Markdown of SIZE bytes or somewhat more, with what pages have: awk -f words.awk -f page_large.awk -v size=38000
BEGIN {
	while (length(text) < size) {
		text = text "## The " word[++n] "\n\n" sentence() "**" sentence() "** [" word[n + 1] "](https://example.com/" word[n + 2] ") " sentence() "\n\n"
		text = text "* " sentence() "\n* `" word[n + 3] "` " sentence() "\n\n"
		if (n % 3 == 0)
			text = text "| " word[n] " | " word[n + 4] " |\n| --- | --- |\n| " sentence() "| " sentence() "|\n| " sentence() "| " sentence() "|\n\n"
		if (n % 4 == 0)
			text = text "```c\nint " word[n] " = " n ";\n```\n\n{% hint style=\"info\" %}\n" sentence() "\n{% endhint %}\n\n"
	}
	printf "%s", text
}
