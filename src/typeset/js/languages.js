/*
 * Grammars for languages whose own grammar in Prism uses regular expressions that Duktape refuses.
 * They know the forms that are seen in documentation, and leave everything else plain.
 */
Prism.languages.markdown = Prism.languages.md = {
	comment: /<!--[\s\S]*?-->/,
	'attr-value': { pattern: /^---\n[\s\S]*?\n---$/m, greedy: true },
	code: { pattern: /^(`{3,}|~{3,})[\s\S]*?^\1[ \t]*$/m, greedy: true, alias: 'string' },
	title: /^#{1,6}[ \t].+$|^.+\n(?:==+|--+)[ \t]*$/m,
	blockquote: /^>.*$/m,
	'code-snippet': { pattern: /`[^`\n]+`/, greedy: true, alias: 'string' },
	url: /!?\[[^\]\n]*\]\([^)\n]*\)|<https?:[^>\s]+>/,
	keyword: /^[ \t]*(?:[-*+]|\d+\.)(?=[ \t])|\{%[^\n]*?%\}/m,
	important: /\*\*[^*\n]+\*\*|__[^_\n]+__/,
	tag: /<\/?[a-z][^>\n]*>/i
}
Prism.languages.perl = {
	comment: [{ pattern: /^=\w+[\s\S]*?^=cut.*/m, greedy: true }, { pattern: /(^|[^\\$])#.*/, lookbehind: true, greedy: true }],
	string: [{ pattern: /"(?:\\[\s\S]|[^\\"])*"|'(?:\\[\s\S]|[^\\'])*'/, greedy: true },
		{ pattern: /\bq[qwx]?\s*(?:\{[^{}]*\}|\([^()]*\)|\[[^[\]]*\]|<[^<>]*>|\/[^\/]*\/|\|[^|]*\|)/, greedy: true }],
	regex: { pattern: /\b(?:m|qr)\/(?:\\.|[^\\\/\n])*\/[a-z]*|\b(?:s|tr|y)\/(?:\\.|[^\\\/\n])*\/(?:\\.|[^\\\/\n])*\/[a-z]*|(=~\s*)\/(?:\\.|[^\\\/\n])*\/[a-z]*/, greedy: true },
	variable: /[$@%&]#?\$*\{\^?\w+\}|[$@%]#?\$*\w+(?:::\w+)*|\$[!@$&0-9]/,
	'function': { pattern: /(\bsub\s+)\w+/, lookbehind: true },
	keyword: /\b(?:any|break|continue|default|delete|die|do|else|elsif|eval|for|foreach|given|goto|if|last|local|my|next|our|package|print|redo|require|return|say|state|sub|switch|undef|unless|until|use|when|while)\b/,
	number: /\b(?:0x[\dA-Fa-f_]+|0b[01_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)\b/,
	operator: /[-+*\/%=!<>&|^~?:.]+|\b(?:and|cmp|eq|ge|gt|le|lt|ne|not|or|x|xor)\b/
}
