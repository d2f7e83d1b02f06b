/*
 * Include it in one file of each program that uses fontconfig. fontconfig keeps some of its memory
 * until the program ends; LeakSanitizer calls these two functions by their names to learn what to
 * ignore. Empty without AddressSanitizer.
 */
#ifndef OCTAVO_FONT_LEAKS_H
#define OCTAVO_FONT_LEAKS_H

#if defined(__SANITIZE_ADDRESS__)
const char *__lsan_default_suppressions(void);
const char *__lsan_default_options(void);

const char *
__lsan_default_suppressions(void)
{
	return "leak:libfontconfig\n";
}

const char *
__lsan_default_options(void)
{
	return "print_suppressions=0";
}
#endif

#endif
