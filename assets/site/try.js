/*
 * Octavo: sends the requests of API references from the reader's browser, where a site allows it. The
 * page's policy names the servers that it may reach; those that allow no requests from here may be reached by the relay. Cookies are never sent. Keys stay in the session
 * storage of the tab, by server. No HTML is made from text (Trusted Types).
 */
(() => {
'use strict'
const words = document.currentScript.dataset, SHOWN = 200000
const make = (name, attributes = {}, ...children) => {
	const e = document.createElement(name)
	for (const [key, value] of Object.entries(attributes)) if (value !== false) e.setAttribute(key, value === true ? '' : value)
	e.append(...children)
	return e
}
const kept = (key, value) => {
	try {
		if (value === undefined) return sessionStorage.getItem(key) || ''
		sessionStorage.setItem(key, value)
	} catch { /* no storage: nothing is remembered */ }
	return ''
}
const field = (name, note, input) => make('label', {}, make('span', {}, make('code', {}, name), note ? ' ' + note : ''), input)
const group = (title, ...children) => make('fieldset', {}, make('legend', {}, title), ...children)

/* The part of an operation's request that an input gives. */
function parameterField(p) {
	const input = make('input', { value: p.value, required: p.required, autocomplete: 'off', spellcheck: 'false' })
	return { p, input, label: field(p.name, p.in + (p.required ? ', ' + words.required : ''), input) }
}

/* Keys: a token, a key, or a name with its password. They belong to the chosen server. */
function keyFields(k, server) {
	const place = part => 'octavo-key ' + new URL(server()).origin + ' ' + k.name + part
	const one = (part, type) => {
		const input = make('input', { type, autocomplete: 'off', spellcheck: 'false', 'aria-label': k.name + part })
		const load = () => { input.value = kept(place(part)) }
		input.onchange = () => kept(place(part), input.value)
		load()
		return { input, load }
	}
	return k.in === 'basic' ? [one('.user', 'text'), one('.password', 'password')] : [one('', 'password')]
}

/* Basic authentication in UTF-8 (RFC 7617). */
const basic = text => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

function bodyFields(body) {
	if (!body) return { parts: [], read: () => undefined }
	if (body.kind === 'file') {
		const input = make('input', { type: 'file', 'aria-label': words.body })
		return { parts: [input], type: body.type, read: () => input.files[0] }
	}
	if (body.kind === 'text') {
		const input = make('textarea', { rows: Math.min(16, body.value.split('\n').length + 1), spellcheck: 'false', 'aria-label': body.type })
		input.value = body.value
		return { parts: [input], type: body.type, read: () => input.value || undefined }
	}
	const inputs = body.fields.map(f => ({ f, input: make('input', f.file ? { type: 'file', multiple: true } : { value: f.value, autocomplete: 'off' }) }))
	const read = () => {
		const form = new FormData()
		for (const { f, input } of inputs) {
			if (f.file) for (const one of input.files) form.append(f.name, one)
			else if (input.value) form.append(f.name, input.value)
		}
		return body.kind === 'form' ? new URLSearchParams(form) : form
	}
	/* The browser sets the type of forms, with the boundary of their parts. */
	return { parts: inputs.map(({ f, input }) => field(f.name, '', input)), read }
}

function request(op, base, parameters, keys, body) {
	const url = op.path.replace(/\{([^{}]*)\}/g, (all, name) => {
		const found = parameters.find(({ p }) => p.in === 'path' && p.name === name)
		return found ? encodeURIComponent(found.input.value) : all
	})
	const query = new URLSearchParams(), headers = new Headers()
	for (const { p, input } of parameters) {
		if (!input.value && !p.required) continue
		if (p.in === 'query') for (const v of p.list ? input.value.split(',') : [input.value]) query.append(p.name, v)
		if (p.in === 'header') headers.set(p.name, input.value)
	}
	for (const { k, fields } of keys) {
		const values = fields.map(f => f.input.value)
		if (!values.some(v => v)) continue
		if (k.in === 'query') query.append(k.field, values[0])
		else if (k.in === 'header') headers.set(k.field, values[0])
		else if (k.in === 'basic') headers.set('Authorization', 'Basic ' + basic(values.join(':')))
		else headers.set('Authorization', k.field + ' ' + values[0])
	}
	const method = op.method.toUpperCase(), sent = method === 'GET' || method === 'HEAD' ? undefined : body.read()
	if (sent !== undefined && body.type) headers.set('Content-Type', body.type)
	const search = query.toString()
	return [base.replace(/\/$/, '') + url + (search ? (url.includes('?') ? '&' : '?') + search : ''), { method, headers, body: sent,
		mode: 'cors', credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' }]
}

/* Text that people read: JSON with a member on each line. */
function readable(text, type) {
	if (/json/.test(type)) try { return JSON.stringify(JSON.parse(text), null, 2) } catch { /* it says that it is JSON, and is none */ }
	return text
}

/*
 * The relay of the installation (src/reader/relay.c), for servers that do not allow requests from pages of others. It is
 * asked for its hosts when a panel is opened.
 */
async function relayHosts(op) {
	if (!words.base || !words.space || !op.spec) return []
	try {
		const answer = await fetch(words.base + '~relay?' + new URLSearchParams({ space: words.space, spec: op.spec }), { cache: 'no-store' })
		return answer.ok ? (await answer.json()).hosts : []
	} catch {
		return []
	}
}
const decode = bytes => new TextDecoder().decode(bytes)
const pause = ms => new Promise(done => setTimeout(done, ms))

/* Cookies are for this site alone, which may be shown to some only: the relay sends none. */
async function askRelay(op, url, options) {
	/* As the browser would send it: a form becomes bytes with their type. */
	const request = new Request(url, options), bytes = await request.blob()
	const head = JSON.stringify({ space: words.space, spec: op.spec, url, method: options.method, headers: [...request.headers] })
	for (let tries = 0; ; tries++) {
		const answer = await fetch(words.base + '~relay', { method: 'POST', headers: { 'Content-Type': 'application/vnd.octavo.request' },
			body: new Blob([head, '\n', bytes]), credentials: 'same-origin' })
		if (answer.status !== 503 || tries === 9) return answer
		await pause(1000)
	}
}

async function sendByRelay(op, url, options) {
	const answer = await askRelay(op, url, options)
	if (!answer.ok) throw Object.assign(new Error(), { why: (await answer.text()).trim() })
	const all = new Uint8Array(await answer.arrayBuffer()), end = all.indexOf(10), head = JSON.parse(decode(all.subarray(0, end)))
	const headers = new Headers()
	for (const [name, value] of head.headers) try { headers.append(name, value) } catch { /* servers send what is no header, too */ }
	return { status: head.status, statusText: '', ok: head.status >= 200 && head.status < 300, headers, ms: head.ms,
		blob: () => new Blob([all.subarray(end + 1)], { type: headers.get('content-type') || '' }) }
}

async function show(answer, started, out) {
	const bytes = await answer.blob(), took = answer.ms ?? Math.round(performance.now() - started), type = answer.headers.get('content-type') || ''
	const line = [answer.status + ' ' + answer.statusText, took + ' ms', bytes.size.toLocaleString() + ' B'].join(' · ')
	const headers = [...answer.headers].map(([k, v]) => k + ': ' + v).join('\n')
	out.replaceChildren(make('p', {}, make('strong', { class: answer.ok ? 'good' : 'bad' }, line)))
	if (headers) out.append(make('details', {}, make('summary', {}, words.headers), make('pre', { tabindex: '0' }, headers)))
	if (!bytes.size) return
	if (/^text\/|json|xml|yaml|javascript|urlencoded/.test(type)) {
		const text = readable(await bytes.text(), type)
		out.append(make('pre', { tabindex: '0' }, text.length > SHOWN ? text.slice(0, SHOWN) + '…' : text))
		if (text.length <= SHOWN) return
	}
	out.append(make('a', { href: URL.createObjectURL(bytes), download: 'answer' }, words.download))
}

/* A key that was typed stands in the samples of its operation, which have a word in its place. */
function fillKey(api, k, value) {
	const word = k.in === 'token' ? 'YOUR_TOKEN' : 'YOUR_API_KEY'
	/* Signs that end a text in none of the languages. */
	const key = /^[\w.~+/=-]+$/.test(value) ? value : word
	for (const code of api.querySelectorAll('.tabs code')) {
		const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT), before = code.keyShown || word
		if (!code.textContent.includes(before)) continue
		for (let t; (t = texts.nextNode());) t.data = t.data.replaceAll(before, key)
		code.keyShown = key
	}
}

function panel(op, api) {
	const choice = make('select', { 'aria-label': words.servers }, ...op.servers.map(s => make('option', { value: s }, s)))
	const server = () => choice.value
	const parameters = op.parameters.map(parameterField), keys = op.keys.map(k => ({ k, fields: keyFields(k, server) })), body = bodyFields(op.body)
	const out = make('div', { role: 'status' }), send = make('button', {}, words.send)
	const form = make('form', { class: 'try-form' }, group(words.servers, choice))
	if (keys.length) form.append(group(words.keys, ...keys.map(({ k, fields }) => field(k.name, '', make('span', {}, ...fields.map(f => f.input)))),
		make('small', {}, words.stays)))
	if (parameters.length) form.append(group(words.parameters, ...parameters.map(x => x.label)))
	if (body.parts.length) form.append(group(words.body, ...body.parts))
	form.append(send, out)
	/* Hosts of the relay, and what the reader is told of it. */
	const note = make('small', { hidden: true }, words.relayed), relayed = () => hosts.includes(new URL(server()).host)
	let hosts = []
	choice.after(note)
	const asked = relayHosts(op).then(found => {
		hosts = found
		note.hidden = !relayed()
	})
	const showKey = () => { if (keys.length === 1 && op.keys[0].in !== 'basic') fillKey(api, op.keys[0], keys[0].fields[0].input.value) }
	const changed = () => {
		keys.forEach(({ fields }) => fields.forEach(f => f.load()))
		note.hidden = !relayed()
		showKey()
	}
	form.addEventListener('change', showKey)
	/* One choice of a server for the form and for the samples (site.js). */
	const shared = api.querySelector('.server')
	if (shared) {
		const follow = () => {
			if (op.servers.includes(shared.value)) choice.value = shared.value
			changed()
		}
		shared.addEventListener('change', follow)
		follow()
	}
	choice.onchange = () => {
		if (shared) {
			shared.value = choice.value
			shared.dispatchEvent(new Event('change'))
		}
		changed()
	}
	showKey()
	form.onsubmit = async e => {
		e.preventDefault()
		if (send.disabled) return
		const started = performance.now()
		send.disabled = true
		out.replaceChildren('…')
		try {
			await asked
			const asking = request(op, server(), parameters, keys, body)
			await show(await (relayed() ? sendByRelay(op, ...asking) : fetch(...asking)), started, out)
		} catch (e) {
			out.replaceChildren(make('p', {}, e.why || words.failed))
		}
		send.disabled = false
	}
	return form
}

/* Addresses that are none (a port above 65535, say) are not offered. */
const isAddress = s => {
	try { return Boolean(new URL(s)) } catch { return false }
}
for (const data of document.querySelectorAll('script.try')) {
	const op = JSON.parse(data.textContent)
	op.servers = op.servers.filter(isAddress)
	if (!op.servers.length) continue
	const open = make('button', { type: 'button', class: 'try-open', 'aria-expanded': 'false' }, words.try)
	let form
	open.onclick = () => {
		if (form) form.hidden = !form.hidden
		else open.after(form = panel(op, data.closest('.api')))
		open.setAttribute('aria-expanded', String(!form.hidden))
	}
	data.before(open)
}
})()
