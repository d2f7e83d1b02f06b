/*
 * Octavo: what a script adds to a published site. Everything works without it. No HTML is
 * made from text (Trusted Types are required by the site's policy).
 */
(() => {
'use strict'
const root = document.documentElement
/* Texts in English (include/render/texts.def), and what the page says: pages in other languages name theirs. */
const words = { copy: 'Copy', copied: 'Copied', keys: '↑↓ to choose, Enter to open, Esc to close', close: 'Close', results: 'Results',
	none: 'Nothing found for', wait: 'Searching …', offline: 'Search cannot be reached. Check the connection.', branch: 'Show what is below',
	...document.currentScript.dataset }, base = words.base
const store = (key, value) => {
	try {
		if (value === undefined) return localStorage.getItem(key)
		localStorage.setItem(key, value)
	} catch { /* no storage: nothing is remembered */ }
	return null
}
const make = (name, attributes = {}, ...children) => {
	const e = document.createElement(name)
	for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value)
	e.append(...children)
	return e
}

/* What an address names; a fragment that is badly encoded names nothing. */
const named = hash => {
	try { return hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null } catch { return null }
}
/* A list that was stored; whatever else stands there is none. */
const listed = key => {
	try {
		const list = JSON.parse(store(key))
		return Array.isArray(list) ? list : []
	} catch { return [] }
}

/* Links of another page, which may be relative to its address. */
const resolve = e => {
	for (const a of e.querySelectorAll('a[href]')) a.setAttribute('href', a.href)
}

/* A banner that the reader has closed, and the theme: before anything is painted. */
if (words.news && store('octavo-news') === words.news) root.classList.add('quiet')
const theme = words.theme && store('octavo-theme')
if (theme) root.dataset.theme = theme
const isDark = () => root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
function themeButton() {
	if (!words.theme) return
	const b = make('button', { type: 'button', class: 'icon theme', 'aria-label': words.theme, title: words.theme })
	b.onclick = () => store('octavo-theme', root.dataset.theme = isDark() ? 'light' : 'dark')
	document.querySelector('.top .row').append(b)
}

function banner() {
	const news = document.querySelector('.news')
	if (!news) return
	const b = make('button', { type: 'button', 'aria-label': words.close, title: words.close }, '×')
	b.onclick = () => {
		store('octavo-news', words.news)
		root.classList.add('quiet')
	}
	news.append(b)
}

/* The entries of the page's menu that need a script. */
function actions() {
	const menu = document.querySelector('.acts')
	if (!menu) return
	const text = { copy: async b => (await fetch(b.dataset.value, { headers: { accept: 'text/markdown' } })).text(), mcp: b => b.dataset.value }
	const run = async b => {
		if (b.dataset.act === 'print') return print()
		await navigator.clipboard.writeText(await text[b.dataset.act](b))
		const label = b.textContent
		b.textContent = words.copied
		setTimeout(() => { b.textContent = label }, 1500)
	}
	menu.hidden = false
	for (const b of menu.querySelectorAll('button')) {
		b.parentElement.hidden = false
		b.onclick = () => run(b).catch(() => {})
	}
}

/* That a page was read, and how it is rated: counts without anything of the reader. */
function counts() {
	if (!words.page || !navigator.sendBeacon) return
	if (navigator.doNotTrack !== '1') navigator.sendBeacon(base + '~count', new URLSearchParams({ event: 'page_view', space: words.space, page: words.page }))
	const form = document.querySelector('.rate')
	if (form) form.onsubmit = e => {
		const data = new URLSearchParams({ event: 'page_post_feedback', space: words.space, page: words.page, rating: e.submitter.value })
		e.preventDefault()
		fetch(form.action, { method: 'POST', body: data }).then(r => { if (r.ok) form.classList.add('rated') })
	}
}

/* A note is shown beside its word; the link to the end of the page works without script. */
function notes() {
	let shown
	const hide = () => { if (shown) shown.remove(); shown = null }
	for (const a of document.querySelectorAll('.note a'))
		a.addEventListener('click', e => {
			const from = named(a.hash)
			if (!from) return
			e.preventDefault()
			e.stopPropagation()
			const same = shown && shown.note === a
			hide()
			if (same) return
			shown = make('aside', { class: 'note-text', role: 'status' }, ...[...from.childNodes].slice(0, -1).map(n => n.cloneNode(true)))
			shown.note = a
			/* Ids stay with the note itself. */
			for (const n of shown.querySelectorAll('[id]')) n.removeAttribute('id')
			document.querySelector('main').append(shown)
			const at = a.getBoundingClientRect()
			shown.style.top = at.bottom + scrollY + 6 + 'px'
			if (innerWidth > 880) shown.style.left = Math.max(8, Math.min(at.left, innerWidth - shown.offsetWidth - 16)) + 'px'
		})
	addEventListener('click', e => { if (shown && !shown.contains(e.target)) hide() })
	addEventListener('keydown', e => { if (e.key === 'Escape') hide() })
}

/* Pictures that are shown smaller than they are fill the screen when they are clicked. */
function zoom() {
	// A button has a name: of a picture without a text, that of its file.
	const file = i => {
		const name = new URL(i.src).pathname.split('/').pop()
		try { return decodeURIComponent(name) } catch { return name }
	}
	// The widest variant, if there are variants: naturalWidth then follows from the page's "sizes".
	const whole = i => parseInt(i.parentNode.querySelector('source')?.srcset.split(' ').pop()) || i.naturalWidth
	const large = i => whole(i) > i.width * 1.15
	const show = i => {
		const d = make('dialog', { class: 'zoom', 'aria-label': i.alt || words.close }, make('img', { src: i.src, alt: i.alt }))
		d.onclick = () => d.close()
		d.onclose = () => { d.remove(); i.focus() }
		document.body.append(d)
		d.showModal()
	}
	for (const i of document.querySelectorAll('.pics img, article > p > .pic img')) {
		if (i.closest('a')) continue
		const ready = () => {
			if (!large(i)) return
			i.classList.add('zooms')
			i.tabIndex = 0
			i.setAttribute('role', 'button')
			if (!i.alt) i.setAttribute('aria-label', file(i))
			i.onclick = () => show(i)
			i.onkeydown = e => { if (e.key === 'Enter') show(i) }
		}
		if (i.complete) ready()
		else i.onload = ready
	}
}

/*
 * A branch of the contents opens without leaving the page: its entries are read from the page that
 * its link opens. (As a document: this request makes no HTML from text.)
 */
function branches() {
	for (const a of document.querySelectorAll('.toc a.more')) {
		const b = make('button', { type: 'button', class: 'twist', 'aria-expanded': 'false', 'aria-label': words.branch + ': ' + a.textContent.trim() })
		const toggle = on => {
			a.nextElementSibling.hidden = !on
			b.setAttribute('aria-expanded', String(on))
			a.classList.toggle('open', on)
			a.classList.toggle('more', !on)
		}
		b.onclick = () => {
			if (a.nextElementSibling.matches('ul')) return toggle(a.nextElementSibling.hidden)
			const request = new XMLHttpRequest()
			request.open('GET', a.href)
			request.responseType = 'document'
			request.onload = () => {
				const here = request.response && [...request.response.querySelectorAll('.toc a')].find(x => x.href === a.href)
				const list = here && here.nextElementSibling
				if (!list || !list.matches('ul')) return void (location.href = a.href)
				resolve(list)
				a.after(document.importNode(list, true))
				toggle(true)
			}
			request.onerror = () => { location.href = a.href }
			request.send()
		}
		a.parentElement.append(b)
	}
}

/* Code that can be copied; what scrolls can be reached by keyboard. */
function codeBlocks() {
	for (const pre of document.querySelectorAll('.code pre')) {
		const b = make('button', { type: 'button', class: 'copy', 'aria-label': words.copy, title: words.copy })
		b.onclick = async () => {
			await navigator.clipboard.writeText(pre.textContent)
			const say = (text, done) => {
				b.setAttribute('aria-label', b.title = text)
				b.classList.toggle('done', done)
			}
			say(words.copied, true)
			setTimeout(say, 1500, words.copy, false)
		}
		pre.after(b)
	}
	for (const e of document.querySelectorAll('pre, .math, .table')) if (e.scrollWidth > e.clientWidth) e.tabIndex = 0
}

/* Tabs of one title are chosen together, on all pages of the site. */
function tabs() {
	const label = input => input.nextElementSibling.textContent
	const all = [...document.querySelectorAll('.tabs > input')]
	const choose = title => all.forEach(i => { if (label(i) === title) i.checked = true })
	const list = listed('octavo-tabs')
	list.slice().reverse().forEach(choose)
	const opened = named(location.hash)
	if (opened && opened.matches('.tabs > input')) opened.checked = true
	for (const input of all)
		input.onchange = () => {
			const top = input.nextElementSibling.getBoundingClientRect().top
			choose(label(input))
			scrollBy({ top: input.nextElementSibling.getBoundingClientRect().top - top, behavior: 'instant' })
			store('octavo-tabs', JSON.stringify([label(input), ...list.filter(t => t !== label(input))].slice(0, 20)))
		}
}

/*
 * Schemas that are made on demand: opening one fetches the page that its link leads to. The browser
 * parses it as a document; no HTML is made from text.
 */
function schemas() {
	const load = details => {
		const link = details.querySelector(':scope > a')
		if (!details.open || !link || details.ariaBusy === 'true') return
		const request = new XMLHttpRequest()
		details.ariaBusy = 'true'
		request.open('GET', link.href)
		request.responseType = 'document'
		request.onloadend = () => {
			const body = request.status === 200 && request.response && request.response.querySelector('main .schema')
			details.ariaBusy = 'false'
			if (!body) return
			for (const e of [body, ...body.querySelectorAll('[id]')]) e.removeAttribute('id')
			resolve(body)
			link.replaceWith(document.adoptNode(body))
		}
		request.send()
	}
	document.addEventListener('toggle', e => { if (e.target.matches('.made')) load(e.target) }, true)
}

/* A reader's server stands in the samples and above them, on all pages of the site that offer it. */
function servers() {
	const bare = url => url.replace(/\/$/, '')
	const request = (text, from, to) => text.replace(' ' + bare(from.pathname) + '/', () => ' ' + bare(to.pathname) + '/').replace('Host: ' + from.host, () => 'Host: ' + to.host)
	const all = [...document.querySelectorAll('.servers[data-urls]')].map(d => {
		const urls = d.dataset.urls.split(' ').filter(u => URL.canParse(u)), api = d.closest('.api')
		if (urls.length < 2) return () => {}
		const select = make('select', { class: 'server', 'aria-label': d.firstElementChild.textContent }, ...urls.map(u => make('option', { value: u }, u)))
		let now = urls[0]
		const use = url => {
			if (!urls.includes(url) || url === now) return
			for (const code of api.querySelectorAll('.method code, .tabs code')) {
				if (code.closest('figure')?.querySelector('.lang')?.textContent === 'http') code.textContent = request(code.textContent, new URL(now), new URL(url))
				const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
				for (let t; (t = texts.nextNode());) t.data = t.data.replaceAll(bare(now), () => bare(url))
			}
			select.value = now = url
		}
		api.querySelector('.method').after(select)
		select.onchange = () => choose(select.value)
		return use
	})
	const choose = url => {
		store('octavo-server', url)
		all.forEach(use => use(url))
	}
	const chosen = store('octavo-server')
	if (chosen) all.forEach(use => use(chosen))
}

/* A link to what is folded or behind a tab opens it. */
function reveal() {
	let e = named(location.hash)
	const target = e
	for (; e; e = e.parentElement) {
		if (e.matches('details')) e.open = true
		if (e.matches('.panel')) e.previousElementSibling.previousElementSibling.checked = true
	}
	if (target && !target.matches('nav')) target.scrollIntoView()
}

/* The outline follows the reader. */
function outline() {
	const links = [...document.querySelectorAll('.outline a')]
	const heads = links.map(a => named(a.hash))
	if (!links.length) return
	const bar = document.querySelector('.bar a + a'), title = bar && bar.textContent
	let waiting = false
	const follow = () => {
		waiting = false
		/* Where the browser puts a heading that a link leads to, and a little below. */
		const top = (parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 100) + 40
		let now = -1
		heads.forEach((h, i) => { if (h && h.getBoundingClientRect().top < top) now = i })
		links.forEach((a, i) => a.classList.toggle('now', i === now))
		if (bar) bar.textContent = now < 0 ? title : links[now].textContent
	}
	addEventListener('scroll', () => {
		if (!waiting) requestAnimationFrame(follow)
		waiting = true
	}, { passive: true })
	follow()
}

/* What is opened by its address closes by a click beside it and by Escape. */
function panels() {
	const close = () => { if (/^#~(toc|outline)$/.test(location.hash)) location.replace('#~') }
	const menus = [...document.querySelectorAll('.menu')]
	/* Menus close by a click elsewhere and by Escape, which leaves the focus on their name. */
	const shut = e => menus.forEach(m => {
		if (!m.open || (e && m.contains(e.target))) return
		if (m.contains(document.activeElement)) m.firstElementChild.focus()
		m.open = false
	})
	for (const m of menus)
		m.addEventListener('toggle', () => m.classList.toggle('flip', m.open && !m.parentElement.closest('.menu') &&
			(m.classList.contains('flip') || m.lastElementChild.getBoundingClientRect().right > innerWidth)))
	addEventListener('click', shut)
	addEventListener('keydown', e => {
		if (e.key !== 'Escape') return
		close()
		shut()
	})
	document.querySelector('main').addEventListener('click', close)
	for (const a of document.querySelectorAll('.bar a'))
		a.addEventListener('click', e => {
			if (location.hash === a.hash) { e.preventDefault(); close() }
		})
	const here = document.querySelector('.toc [aria-current]')
	if (here) here.parentElement.closest('nav').scrollTop = Math.max(0, here.offsetTop - innerHeight / 2)
}

/* Pages that a reader is about to open are fetched. */
function prefetch() {
	const known = new Set([location.pathname])
	const fetchLink = e => {
		const a = e.target.closest && e.target.closest('a[href]')
		if (!a || a.origin !== location.origin || a.search || known.has(a.pathname) || !a.pathname.startsWith(base) ||
			(navigator.connection && navigator.connection.saveData) || a.pathname.includes('/~')) return
		known.add(a.pathname)
		document.head.append(make('link', { rel: 'prefetch', href: a.pathname }))
	}
	addEventListener('pointerover', fetchLink, { passive: true })
	addEventListener('touchstart', fetchLink, { passive: true })
}

/* Search as you type, in a dialog; Enter without it opens the page of results. */
function search() {
	const form = document.querySelector('.top form[role=search]'), field = form.elements.q
	const within = form.elements.in ? '&in=' + encodeURIComponent(form.elements.in.value) : ''
	const page = base + (words.index ? '~search/index.html' : '~search')
	let dialog, input, list, status, leave, chosen = -1, last = '', shown = '', timer, typed = 0, running
	form.append(make('kbd', { 'aria-hidden': 'true' }, '/'))
	const options = () => [...list.querySelectorAll('a')]
	const choose = n => {
		const all = options()
		chosen = all.length ? (n + all.length) % all.length : -1
		all.forEach((a, i) => a.setAttribute('aria-selected', String(i === chosen)))
		if (chosen >= 0) {
			all[chosen].scrollIntoView({ block: 'nearest' })
			input.setAttribute('aria-activedescendant', all[chosen].id)
		} else input.removeAttribute('aria-activedescendant')
	}
	/* Words of the query are marked; text stays text. */
	const marked = text => {
		const parts = last.trim().split(/\s+/).filter(w => w.length > 1).map(w => w.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
		if (!parts.length) return [text]
		return text.split(new RegExp('(' + parts.join('|') + ')', 'iu')).map((t, i) => i % 2 ? make('mark', {}, t) : t)
	}
	const option = (href, title, below, inside) => {
		const a = make('a', { href, role: 'option', id: '~hit' + list.children.length, tabindex: '-1' }, ...marked(title))
		if (below) a.append(make('small', {}, ...marked(below)))
		list.append(make('li', { role: 'presentation', class: inside ? 'in' : '' }, a))
	}
	const show = hits => {
		shown = last
		list.replaceChildren()
		let other
		for (const h of hits) {
			if (h.other && !other) list.append(make('li', { role: 'presentation', class: 'others' }, other = h.other))
			option(h.href, h.title, h.path || '', false)
			for (const s of h.sections)
				option(h.href + (s.anchor ? '#' + encodeURIComponent(s.anchor) : ''), s.title || h.title, s.text, true)
		}
		status.textContent = hits.length ? words.results + ': ' + hits.length : words.none + ' “' + last + '”'
		choose(0)
	}
	const recent = () => {
		shown = last
		list.replaceChildren()
		status.textContent = ''
		for (const q of listed('octavo-recent')) option(page + '?q=' + encodeURIComponent(q) + within, q, '', false)
		choose(-1)
	}
	/* A copy of the site as files searches by a script of its own (copy.js). */
	const find = async signal => {
		if (words.index) return window.octavoSearch(last, form.elements.in && form.elements.in.value)
		const r = await fetch(base + '~search.json?q=' + encodeURIComponent(last) + within, { signal })
		if (!r.ok) throw new Error(r.status)
		return r.json()
	}
	const ask = async () => {
		last = input.value
		if (running) running.abort()
		if (!last.trim()) return recent()
		const mine = running = new AbortController()
		const wait = setTimeout(() => { status.textContent = words.wait }, 300)
		try {
			const hits = await find(mine.signal)
			if (!mine.signal.aborted) show(hits)
		} catch {
			/* Unless a newer question replaced this one. */
			if (!mine.signal.aborted) status.textContent = words.offline
		}
		clearTimeout(wait)
	}
	const remember = () => {
		if (last.trim().length > 2)
			store('octavo-recent', JSON.stringify([last, ...listed('octavo-recent').filter(q => q !== last)].slice(0, 5)))
	}
	const build = () => {
		input = make('input', { type: 'search', role: 'combobox', 'aria-expanded': 'true', 'aria-controls': '~hits', 'aria-autocomplete': 'list',
			'aria-label': field.getAttribute('aria-label'), placeholder: field.placeholder, autocomplete: 'off', maxlength: '512' })
		list = make('ul', { role: 'listbox', id: '~hits', 'aria-label': field.getAttribute('aria-label') })
		/* Read aloud when it changes, so it stays in the document while it says nothing. */
		status = make('p', { role: 'status' })
		leave = make('button', { type: 'button' }, words.close)
		leave.onclick = () => dialog.close()
		dialog = make('dialog', { 'aria-label': field.getAttribute('aria-label') },
			make('div', {}, input, leave), status, list, make('p', { class: 'keys' }, words.keys))
		document.body.append(dialog)
		/* The first of some letters asks at once; those that follow quickly ask together. */
		input.oninput = e => {
			clearTimeout(timer)
			timer = setTimeout(ask, e.timeStamp - typed > 120 ? 0 : 60)
			typed = e.timeStamp
		}
		dialog.onkeydown = e => {
			/* Enter on the button closes, and asks for nothing. */
			if (e.isComposing) return
			/* In a field with text browsers only clear it. */
			if (e.key === 'Escape') { e.preventDefault(); dialog.close() }
			if (e.target === leave) return
			if (e.key === 'ArrowDown' || e.key === 'ArrowUp') {
				e.preventDefault()
				choose(chosen + (e.key === 'ArrowDown' ? 1 : -1))
			} else if (e.key === 'Enter') {
				e.preventDefault()
				remember()
				/* Hits of what was typed before are not what is asked for now. */
				if (chosen >= 0 && shown === input.value) { options()[chosen].click(); dialog.close() }
				else location.href = page + '?q=' + encodeURIComponent(input.value) + within
			}
		}
		dialog.onclick = e => {
			if (e.target === dialog) dialog.close()
			if (e.target.closest('a')) { remember(); dialog.close() }
		}
	}
	const open = text => {
		if (!dialog) build()
		if (dialog.open) return
		input.value = text
		dialog.showModal()
		input.focus()
		ask()
	}
	/* Not before the click: that of a tap would meet what is behind the dialog, and close it again. */
	field.addEventListener('mousedown', e => e.preventDefault())
	field.addEventListener('click', () => open(field.value))
	field.addEventListener('keydown', e => {
		if (e.key.length === 1 && !e.ctrlKey && !e.metaKey && !e.altKey) { e.preventDefault(); open(field.value + e.key) }
	})
	addEventListener('keydown', e => {
		const typing = e.target.matches && e.target.matches('input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]')
		if ((e.key === '/' && !typing) || (e.key === 'k' && (e.metaKey || e.ctrlKey))) { e.preventDefault(); open(field.value) }
	})
}

// A diagram's frame says how high it is; of one that cannot be drawn, the source is shown alone.
function diagrams() {
	addEventListener('message', e => {
		const f = [...document.querySelectorAll('.drawn iframe')].find(f => f.contentWindow === e.source), height = e.data?.diagram
		if (!f || !Number.isFinite(height)) return
		f.style.height = Math.min(height, 5000) + 'px'
		f.hidden = height <= 0
		if (f.hidden) f.parentElement.querySelector('details').open = true
	})
}
diagrams()

document.addEventListener('DOMContentLoaded', () => {
	themeButton()
	banner()
	actions()
	counts()
	notes()
	zoom()
	branches()
	codeBlocks()
	tabs()
	schemas()
	servers()
	reveal()
	addEventListener('hashchange', reveal)
	outline()
	panels()
	prefetch()
	search()
})
addEventListener('load', () => setTimeout(() => root.classList.add('read'), 100))
})()
