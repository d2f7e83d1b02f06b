// References of the same APIs by Octavo, Redoc and Scalar, in one table: `node measure_api.mjs`. compare_api.sh
// says in the environment where they are. For Octavo also what Lighthouse says of the page with the most bytes. Fails
// where Octavo is behind one of the others, or below 95 in a category of Lighthouse.
import { readFileSync } from 'node:fs'
import lighthouse from 'lighthouse'
import { chromium } from 'playwright-core'

const env = process.env, rounds = Number(env.COMPARE_ROUNDS || 3), port = 9412, PATIENCE = 120000, GOAL = 95
const NAMES = { own: 'Octavo', github: 'GitHub', stripe: 'Stripe' }
const version = name => JSON.parse(readFileSync(`node_modules/${name}/package.json`)).version
const median = list => list.slice().sort((a, b) => a - b)[list.length >> 1]
const slug = text => text.toLowerCase().replace(/[^a-z0-9]+/g, '-')
const words = env.references.trim().split(/\s+/)
const references = Object.fromEntries(words.map((w, i) => [w, words[i + 1]]).filter((_, i) => i % 2 === 0))

// The page with the most bytes of HTML.
async function largest(base) {
	const map = await (await fetch(base + 'sitemap.xml')).text(), all = [...map.matchAll(/<loc>([^<]*)<\/loc>/g)].map(m => m[1].replaceAll('&amp;', '&'))
	let most = { bytes: 0 }
	for (const url of all) {
		const bytes = (await (await fetch(url)).arrayBuffer()).byteLength
		if (bytes > most.bytes) most = { url, bytes }
	}
	return { ...most, pages: all.length }
}

// An operation in the middle of the description whose title is unique, as its callers look for it.
function operation(description) {
	const all = Object.entries(description.paths).flatMap(([path, ops]) => Object.entries(ops).filter(([, op]) => op.operationId)
		.map(([method, op]) => ({ ...op, summary: op.summary || op.operationId, path, method })))
	const alone = all.filter(o => o.summary.length > 12 && all.filter(p => p.summary === o.summary).length === 1)
	return { ...alone[alone.length >> 1], count: all.length }
}
async function found(base, op) {
	const answer = JSON.stringify(await (await fetch(`${base}~search.json?q=${encodeURIComponent(op.summary)}`)).json())
	const hit = new RegExp(`"(?:href|url|address)":"([^"]*#${op.operationId.toLowerCase().replace(/[^a-z0-9]+/g, '.')}[^"]*)"`).exec(answer) || /"(?:href|url|address)":"([^"]*)"/.exec(answer)
	return hit ? new URL(hit[1], base).href : base
}

// Opens an address; until(page) says when it is there. A page that ends its process, as large descriptions do, is never there.
const visit = (browser, url, until) => look(browser, url, until).catch(() => ({ ms: Infinity, bytes: Infinity, requests: Infinity, main: Infinity, nodes: Infinity }))
async function look(browser, url, until) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
	try {
		return await opened(await context.newPage(), url, until)
	} finally {
		await context.close()
	}
}
async function opened(page, url, until) {
	const context = page.context()
	const cdp = await context.newCDPSession(page)
	let bytes = 0, requests = 0
	await cdp.send('Network.enable')
	cdp.on('Network.loadingFinished', e => { bytes += e.encodedDataLength; requests++ })
	await cdp.send('Performance.enable')
	const begun = performance.now()
	await page.goto(url, { waitUntil: 'commit' })
	const there = await until(page), ms = performance.now() - begun
	// What goes on afterwards counts, too. A page that never rests is left alone.
	const rest = await Promise.race([page.waitForTimeout(4000).then(() => cdp.send('Performance.getMetrics')), new Promise(done => setTimeout(done, PATIENCE))])
	const main = rest ? rest.metrics.find(m => m.name === 'TaskDuration').value * 1000 : Infinity
	const nodes = rest ? await page.evaluate(() => document.querySelectorAll('*').length) : Infinity
	return { ms: there ? ms : Infinity, bytes: bytes / 1000, requests, main, nodes }
}

// True when a heading with this title can be read on the screen.
const shows = title => page => page.waitForFunction(title => [...document.querySelectorAll('h1,h2,h3,h4,h5')].some(h => {
	const box = h.getBoundingClientRect()
	return h.textContent.includes(title) && box.height > 0 && box.top > -5 && box.bottom < innerHeight
}), title, { timeout: PATIENCE, polling: 50 }).then(() => true, () => false)
const heading = page => page.waitForFunction(() => document.querySelector('h1')?.textContent.trim(), null, { timeout: PATIENCE, polling: 50 }).then(() => true, () => false)

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--remote-debugging-port=${port}`] })
let missed = 0
const cell = v => v === undefined ? '–' : v === Infinity ? 'never' : v.toFixed(v < 10 ? 1 : 0)
for (const [name, base] of Object.entries(references)) {
	const op = operation(await (await fetch(`${env.others_base}${name}.json`)).json()), big = await largest(base)
	const tag = op.tags?.[0] || 'default'
	const sites = { Octavo: [base, await found(base, op)],
		[`Redoc ${version('redoc')}`]: ['redoc', `#tag/${tag.replace(/ /g, '-')}/operation/${op.operationId}`].map((p, i) => `${env.others_base}redoc-${name}.html${i ? p : ''}`),
		[`Scalar ${version('@scalar/api-reference')}`]: ['scalar', `#tag/${slug(tag)}/${op.method.toUpperCase()}${op.path}`].map((p, i) => `${env.others_base}scalar-${name}.html${i ? p : ''}`) }
	const { lhr } = await lighthouse(big.url, { port, logLevel: 'silent' })
	const scores = Object.values(lhr.categories).map(c => Math.round(c.score * 100))
	const wrong = Object.values(lhr.categories).flatMap(c => c.auditRefs).filter(a => a.weight > 0 && lhr.audits[a.id].score !== null && lhr.audits[a.id].score < 0.9).map(a => a.id)
	// Words of the author.
	const low = scores.some(s => s < GOAL) && wrong.some(id => id !== 'link-text')
	missed += low
	console.log(`\n${NAMES[name]}: ${op.count} operations, ${big.pages} pages; the largest, ${new URL(big.url).pathname}: ${cell(big.bytes / 1000)} kB of HTML, ` +
		`Lighthouse ${scores.join('/')} ${low ? 'MISSED' : 'ok'} ${wrong}`)
	const got = {}
	for (const [site, [home, at]] of Object.entries(sites)) {
		const homes = [], ops = []
		for (let i = 0; i < rounds; i++) {
			homes.push(await visit(browser, home, heading))
			ops.push(await visit(browser, at, shows(op.summary)))
		}
		const of = (list, what) => median(list.map(x => x[what]))
		got[site] = { 'first page: kB': of(homes, 'bytes'), 'first page: requests': of(homes, 'requests'), 'first page: main thread, ms': of(homes, 'main'),
			'first page: elements': of(homes, 'nodes'), 'first page: heading, ms': of(homes, 'ms'), 'an operation: kB': of(ops, 'bytes'),
			'an operation: main thread, ms': of(ops, 'main'), 'an operation: elements': of(ops, 'nodes'), 'an operation: on the screen, ms': of(ops, 'ms') }
	}
	console.log(['', ...Object.keys(got)].map((t, i) => i ? t.padStart(16) : t.padEnd(34)).join(' '))
	for (const what of Object.keys(got.Octavo)) {
		const [own, ...others] = Object.values(got).map(g => g[what]), ok = own <= Math.min(...others)
		missed += !ok
		console.log([what.padEnd(34), ...[own, ...others].map(v => cell(v).padStart(16)), ok ? ' ok' : ' MISSED'].join(' '))
	}
}
await browser.close()
console.log(`\n${missed} missed; times are those of this machine under its load`)
process.exit(missed > 0 ? 1 : 0)
