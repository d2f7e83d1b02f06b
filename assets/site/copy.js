/*
 * Octavo: search in a copy of a site as files (octavo site export). The index is a script, since a page
 * that is opened as a file may not fetch. Each entry is a page: t title, h address, p place, v site
 * space, g its section, d whether it is the default there, s parts: [heading, anchor, text].
 */
(() => {
'use strict'
const words = document.querySelector('script[data-index]').dataset
const HITS = 20, PARTS = 3, BEFORE = 50, EXCERPT = 180
let loading

/* Without accents and case, as people type. */
const fold = text => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
const load = () => loading = loading || new Promise((done, failed) => {
	const script = document.createElement('script')
	script.src = words.index
	script.onload = () => {
		for (const page of window.octavoIndex) page.f = [fold(page.t), ...page.s.map(s => [fold(s[0]), fold(s[2])])]
		done(window.octavoIndex)
	}
	script.onerror = () => {
		loading = null
		failed(new Error('no index'))
	}
	document.head.append(script)
})

/* Where a word begins in a text; scripts without blanks have no such places. -1: nowhere. */
const place = (text, word) => {
	for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
		if (at === 0 || word.charCodeAt(0) > 0x2e7f || !/[\p{L}\p{N}]/u.test(text[at - 1])) return at
	return -1
}
const excerpt = (text, folded, wanted) => {
	const found = wanted.map(w => place(folded, w)).filter(n => n >= 0), at = found.length ? Math.min(...found) : 0
	const from = at > BEFORE ? text.indexOf(' ', at - BEFORE) + 1 || at : 0
	return (from > 0 ? '…' : '') + text.slice(from, from + EXCERPT).trim() + (text.length > from + EXCERPT ? '…' : '')
}

/* A page with all words; null: it lacks one. */
const rate = (page, wanted) => {
	const [title, ...parts] = page.f
	const points = parts.map(([head, text]) => wanted.map(w => (place(head, w) >= 0 ? 4 : 0) + (place(text, w) >= 0 ? 1 : 0)))
	const inTitle = wanted.map(w => place(title, w) >= 0 ? 10 : 0)
	if (wanted.some((_, i) => !inTitle[i] && !points.some(p => p[i]))) return null
	const sums = points.map((p, at) => ({ at, sum: p.reduce((a, b) => a + b, 0) })).filter(p => p.sum > 0).sort((a, b) => b.sum - a.sum || a.at - b.at)
	const whole = title === wanted.join(' ') ? 10 : 0
	return { page, sums, score: whole + inTitle.reduce((a, b) => a + b, 0) + (sums.length ? sums[0].sum : 0) + Math.min(sums.length, 5) / 10 }
}

/* Hits in the form that the site's own search has; within: the site space in which the reader is. */
window.octavoSearch = async (query, within) => {
	const pages = await load()
	const wanted = fold(query).split(/[^\p{L}\p{N}]+/u).filter(w => w)
	if (!wanted.length) return []
	const own = within && pages.find(p => p.v === within)
	const other = p => Boolean(own) && p.v !== within && (p.g === own.g || !p.d)
	return pages.map(p => rate(p, wanted)).filter(r => r).sort((a, b) => other(a.page) - other(b.page) || b.score - a.score).slice(0, HITS).map(r => ({
		title: r.page.t, href: words.base + r.page.h, path: r.page.p, other: other(r.page) ? words.others : undefined,
		sections: r.sums.slice(0, PARTS).map(({ at }) => {
			const [title, anchor, text] = r.page.s[at]
			return { title, anchor, text: excerpt(text, r.page.f[at + 1][1], wanted) }
		})
	}))
}

/* The page of results. */
async function results() {
	const list = document.querySelector('main ol.hits'), asked = new URLSearchParams(location.search), query = (asked.get('q') || '').trim()
	if (!list || !query) return
	const make = (name, attributes, ...children) => {
		const e = document.createElement(name)
		Object.assign(e, attributes)
		e.append(...children)
		return e
	}
	const say = text => list.before(make('p', {}, text))
	document.querySelector('.top form[role=search]').elements.q.value = query
	try {
		const hits = await window.octavoSearch(query, asked.get('in'))
		if (!hits.length) say(words.none + ' “' + query + '”')
		for (const h of hits)
			list.append(make('li', {}, ...(h.path ? [make('span', { className: 'path' }, h.path)] : []),
				make('h2', { className: 'hit' }, make('a', { href: h.href }, h.title)),
				...h.sections.map(s => make('p', {}, ...(s.title ? [make('a', { href: h.href + (s.anchor ? '#' + encodeURIComponent(s.anchor) : '') }, s.title), ' '] : []), s.text))))
	} catch { say(words.offline) }
}
document.addEventListener('DOMContentLoaded', results)
})()
