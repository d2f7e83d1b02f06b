// Every address that published pages name on their own site answers: links, contents, pictures,
// files. Crawled are the fixtures and, where they are there, real repositories (OCTAVO_TEST_corpus,
// a list of spaces), each for a bounded time.
import { test } from 'node:test'
import assert from 'node:assert/strict'

const { OCTAVO_TEST_URL: url, OCTAVO_TEST_TOKEN: token, OCTAVO_TEST_ORG: org } = process.env
const spaces = [process.env.OCTAVO_TEST_manual, process.env.OCTAVO_TEST_blocks, process.env.OCTAVO_TEST_parts,
	...(process.env.OCTAVO_TEST_corpus || '').split(' ').filter(Boolean)]
const SECONDS = 4, WORKERS = 4

async function api(method, path, body) {
	const r = await fetch(`${url}/v1/orgs/${org}${path}`, { method, body: body && JSON.stringify(body),
		headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } })
	assert.ok(r.ok, `${method} ${path}: ${r.status}`)
	return r.json()
}

const unescaped = text => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>')
// What a heading is called in an address, as authors expect it.
const slug = text => text.toLowerCase().replace(/<[^>]*>|[`*_]/g, '').trim().replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')

// Reads pages from `at` on; returns the addresses that failed, the links with fragments, and ids by page.
async function crawl(at) {
	const named = new Map([[at, at]]), todo = [at], failed = [], fragments = [], ids = new Map(), end = Date.now() + SECONDS * 1000
	let busy = 0
	const read = async address => {
		const r = await fetch(address, { redirect: 'manual' })
		const text = (r.headers.get('content-type') || '').startsWith('text/html') ? await r.text() : (await r.body?.cancel(), null)
		if (r.status >= 400) failed.push(`${r.status} ${address} on ${named.get(address)}`)
		if (text === null || r.status !== 200) return
		ids.set(address, new Set([...text.matchAll(/ id="([^"]*)"/g)].map(m => unescaped(m[1]))))
		for (const [, href] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
			const to = new URL(unescaped(href), address), fragment = to.hash.slice(1)
			to.hash = ''
			if (to.origin !== new URL(at).origin) continue
			if (fragment !== '' && !fragment.startsWith('~')) fragments.push([to.href, decodeURIComponent(fragment), address])
			if (named.has(to.href)) continue
			named.set(to.href, address)
			todo.push(to.href)
		}
	}
	const work = async () => {
		while (Date.now() < end && (todo.length > 0 || busy > 0)) {
			if (todo.length === 0) { await new Promise(done => setTimeout(done, 20)); continue }
			busy++
			await read(todo.shift()).finally(() => busy--)
		}
	}
	await Promise.all(Array.from({ length: WORKERS }, work))
	return { failed, fragments, ids }
}

for (const [i, space] of spaces.entries())
	test(`no address of a published site is dead: ${i}`, async () => {
		const { id } = await api('POST', '/sites', { title: `Crawled ${i}`, spaces: [space] })
		const { failed, fragments, ids } = await crawl((await api('POST', `/sites/${id}/publish`)).urls.published)
		assert.deepEqual(failed, [])
		assert.ok(ids.size > 1)
		// A fragment that leads nowhere names no heading of its page.
		for (const [to, fragment, on] of fragments) {
			if (!ids.has(to) || ids.get(to).has(fragment)) continue
			const text = (await (await fetch(to, { headers: { accept: 'text/markdown' } })).text()).replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
			for (const [, heading] of text.matchAll(/^#+ +(.*)$/gm))
				assert.notEqual(slug(heading), fragment, `${on} links to ${to}#${fragment}`)
		}
	})
