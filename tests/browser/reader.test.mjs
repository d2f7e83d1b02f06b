// A published site in its readers' browser: reading, searching, tabs, theme, phone, keyboard,
// without scripts; accessible and valid on each kind of page; no requests to other origins.
import { test, before, after } from 'node:test'
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { chromium } from 'playwright-core'
import { HtmlValidate } from 'html-validate'

const { OCTAVO_TEST_URL: url, OCTAVO_TEST_TOKEN: token, OCTAVO_TEST_ORG: org } = process.env
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const PAGES = ['', 'content/sites', 'blocks/blocks/text', 'blocks/blocks/tables', 'blocks/blocks/containers', '~search?q=page', 'no/such-page']
// Rules about the form of the HTML, which no reader notices.
const validator = new HtmlValidate({ extends: ['html-validate:standard'], rules: {
	'no-raw-characters': 'off', 'valid-id': 'off', 'prefer-native-element': 'off', 'long-title': 'off', 'void-style': 'off',
	'doctype-style': 'off', 'attribute-boolean-style': 'off', 'no-implicit-button-type': 'off',
} })
let browser, site

async function api(method, path, body) {
	const r = await fetch(`${url}/v1/orgs/${org}${path}`, { method, body: body && JSON.stringify(body),
		headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } })
	assert.ok(r.ok, `${method} ${path}: ${r.status}`)
	return r.json()
}

before(async () => {
	const { id } = await api('POST', '/sites', { title: 'Octavo', spaces: [process.env.OCTAVO_TEST_manual, process.env.OCTAVO_TEST_blocks] })
	site = (await api('POST', `/sites/${id}/publish`)).urls.published
	browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
})
after(() => browser?.close())

// Opens a new page for fn; errors of the browser and requests to other origins fail the test.
async function open(path, options, fn) {
	const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
	const page = await context.newPage()
	const complaints = []
	page.setDefaultTimeout(20000)
	page.on('console', m => { if (m.type() === 'error' && !/404|ERR_|Failed to load/.test(m.text())) complaints.push(m.text()) })
	page.on('pageerror', e => complaints.push(String(e)))
	page.on('response', r => { if (r.status() >= 400 && r.url() !== site + path) complaints.push(`${r.status()} ${r.url()}`) })
	// The only picture of the fixture on another origin.
	await context.route('https://example.com/**', r => r.abort())
	page.on('request', r => {
		if (!r.url().startsWith(url) && !/^data:|^https:\/\/example\.com\//.test(r.url())) complaints.push(`asks ${r.url()}`)
	})
	try {
		await page.goto(site + path)
		await fn(page, context)
		assert.deepEqual(complaints, [])
		assert.deepEqual(await context.cookies(), [])
	} finally {
		await context.close()
	}
}

// Types words into the open dialog, until it shows the hits for all of them: hits for the first letters come before.
async function ask(page, words) {
	await page.keyboard.type(words)
	await page.waitForFunction(last => [...document.querySelectorAll('dialog [role=option] mark')].some(m => m.textContent.toLowerCase() === last),
		words.split(' ').pop())
}

for (const path of PAGES)
	test(`a page is accessible, valid and fits a phone: /${path}`, async () => {
		for (const look of [{}, { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }])
			await open(path, look, async page => {
				await page.evaluate(axe)
				const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }))
				assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes[0].html}`), [])
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'it is wider than the screen')
				if (process.env.OCTAVO_SHOTS)
					await page.screenshot({ path: `${process.env.OCTAVO_SHOTS}/${path.replace(/\W+/g, '-') || 'home'}-${look.viewport ? 'phone' : 'desktop'}.png` })
			})
		const report = await validator.validateString(await (await fetch(site + path)).text())
		assert.deepEqual(report.results.flatMap(r => r.messages.map(m => `${m.ruleId}: ${m.message}`)), [])
	})

test('links, outline, next, back and forward lead through a site', () => open('', {}, async page => {
	await page.click('main a:text("a first quarter of an hour")')
	await page.waitForURL('**/start/first-steps')
	assert.equal(await page.textContent('.toc [aria-current=page]'), await page.textContent('h1'))
	await page.click('.outline a >> nth=1')
	assert.match(page.url(), /#./)
	// A click on the sign of a code block copies it, and the button confirms that.
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
	await page.click('.code .copy >> nth=0')
	await page.waitForSelector('.copy.done[aria-label=Copied]')
	assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await page.textContent('.code pre >> nth=0'))
	await page.click('[rel=next]')
	await page.waitForURL('**/start/import')
	await page.goBack()
	await page.waitForURL('**/first-steps**')
	await page.goForward()
	await page.waitForURL('**/start/import')
}))

test('search works while typing, by keyboard alone', () => open('', {}, async page => {
	await page.keyboard.press('/')
	await ask(page, 'change requ')
	await page.keyboard.press('ArrowDown')
	await page.keyboard.press('ArrowUp')
	await page.keyboard.press('Enter')
	await page.waitForURL('**/change-requests**')
	await page.keyboard.press('Control+k')
	await page.waitForSelector('dialog[open] [role=option]')
	await page.keyboard.press('Escape')
	assert.equal(await page.locator('dialog[open]').count(), 0)
}))

test('Enter before the hits of the last letters have come asks for all of them', () => open('', {}, async page => {
	let go
	const held = new Promise(resolve => { go = resolve })
	await page.route('**/~search.json?q=lists%20of%20x*', async r => { await held; await r.abort() })
	await page.keyboard.press('/')
	await ask(page, 'lists')
	const asked = page.waitForRequest('**/~search.json?q=lists%20of%20x*')
	await page.fill('dialog input', 'lists of x')
	await asked
	await page.keyboard.press('Enter')
	await page.waitForURL('**/~search?q=lists%20of%20x*')
	go()
}))

test('search opens by a tap on a phone', () => open('', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }, async page => {
	await page.tap('input[type=search]')
	await page.waitForTimeout(300)
	assert.equal(await page.locator('dialog[open]').count(), 1)
	await ask(page, 'change requ')
	await page.tap('dialog [role=option] >> nth=0')
	await page.waitForURL('**/change-requests**')
	await page.setViewportSize({ width: 800, height: 800 })
	await page.tap('input[type=search]')
	// A tap next to it.
	await page.touchscreen.tap(400, 790)
	await page.waitForFunction(() => !document.querySelector('dialog[open]'))
}))

test('search fills a phone, says how much it found, and closes by its button', () => open('', { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true }, async page => {
	const closed = () => page.waitForFunction(() => !document.querySelector('dialog[open]'))
	await page.tap('input[type=search]')
	assert.deepEqual(await page.locator('dialog').boundingBox(), { x: 0, y: 0, width: 390, height: 800 })
	await ask(page, 'change requ')
	assert.equal(await page.textContent('dialog [role=status]'), `Results: ${await page.locator('dialog li:not(.in)').count()}`)
	if (process.env.OCTAVO_SHOTS) await page.screenshot({ path: `${process.env.OCTAVO_SHOTS}/search-phone.png` })
	await page.evaluate(axe)
	const { violations } = await page.evaluate(() => window.axe.run('dialog', { resultTypes: ['violations'] }))
	assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes[0].html}`), [])
	const close = page.getByRole('button', { name: 'Close', exact: true })
	const { height, width } = await close.boundingBox()
	assert.ok(height >= 44 && width >= 44, 'it is too small for a finger')
	await close.tap()
	await closed()
	const href = page.url()
	await page.tap('input[type=search]')
	await page.fill('dialog input', 'xyzzyplugh')
	await page.waitForFunction(() => document.querySelector('dialog [role=status]').textContent === 'Nothing found for “xyzzyplugh”')
	await page.keyboard.press('Tab')
	await page.keyboard.press('Enter')
	await closed()
	assert.equal(page.url(), href)
}))

test('an address with a broken fragment, and junk in the storage, break nothing', () => open('blocks/blocks/containers', {}, async page => {
	await page.evaluate(() => { for (const key of ['octavo-tabs', 'octavo-recent']) localStorage.setItem(key, '{') })
	await page.goto(site + 'blocks/blocks/containers#100%')
	await page.reload()
	await page.click('.tabs label:text-is("Two")')
	assert.ok(await page.isVisible('.panel >> nth=1'))
	await page.keyboard.press('/')
	await page.keyboard.type('welcome')
	await page.waitForSelector('dialog [role=option]')
}))

test('tabs are chosen together and remembered', () => open('blocks/blocks/containers', {}, async page => {
	assert.ok(!await page.isVisible('.panel >> nth=1'))
	await page.click('.tabs label:text-is("Two")')
	assert.ok(await page.isVisible('.panel >> nth=1'))
	await page.reload()
	assert.ok(await page.isVisible('.panel >> nth=1'))
}))

test('a choice of theme stays', () => open('', {}, async page => {
	const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
	const light = await background()
	await page.click('button.icon')
	const dark = await background()
	assert.notEqual(light, dark)
	await page.reload()
	assert.equal(await background(), dark)
}))

test('contents and outline open and close on a phone', () => open('content/sites', { viewport: { width: 390, height: 800 } }, async page => {
	assert.ok(!await page.isVisible('.toc'))
	await page.click('.bar a >> nth=0')
	assert.ok(await page.isVisible('.toc'))
	// It is below the bar, and all of it can be reached.
	const { top, bottom, bar } = await page.evaluate(() => {
		const { top, bottom } = document.querySelector('.toc').getBoundingClientRect()
		return { top, bottom, bar: document.querySelector('.bar').getBoundingClientRect().bottom }
	})
	assert.ok(top > bar - 8 && top < bar + 8 && bottom <= 800, `from ${top} to ${bottom}, the bar ends at ${bar}`)
	await page.locator('.toc a').last().scrollIntoViewIfNeeded()
	assert.ok((await page.locator('.toc a').last().boundingBox()).y < 790)
	await page.keyboard.press('Escape')
	assert.ok(!await page.isVisible('.toc'))
	await page.click('.bar a >> nth=1')
	await page.click('.outline a >> nth=0')
	assert.ok(!await page.isVisible('.outline'))
}))

test('on a phone: the first column of a table leaves room for the second, on paper it is as wide as it likes', () => open('content/sites', { viewport: { width: 320, height: 640 } }, async page => {
	const firsts = page.locator('.table tr > :first-child'), wide = cells => Math.max(...cells.map(c => c.offsetWidth))
	assert.ok(await firsts.evaluateAll(wide) <= 160)
	await page.emulateMedia({ media: 'print' })
	assert.equal(await firsts.first().evaluate(c => getComputedStyle(c).maxWidth), 'none')
}))

test('pages, tabs, contents and search work without scripts', () => open('blocks/blocks/containers', { javaScriptEnabled: false, viewport: { width: 390, height: 800 } }, async page => {
	await page.click('.tabs label:text-is("Two")')
	assert.ok(await page.isVisible('.panel >> nth=1'))
	await page.click('.bar a >> nth=0')
	assert.ok(await page.isVisible('.toc'))
	await page.click('.toc a:text-is("Tables")')
	await page.waitForURL('**/tables')
	await page.fill('input[type=search]', 'welcome')
	await page.keyboard.press('Enter')
	await page.waitForURL('**/~search?q=welcome*')
	assert.ok(await page.locator('.hits mark').count() > 0)
}))

test('a share link opens the site, and is in no address after it', async () => {
	const { id } = await api('POST', '/sites', { title: 'Shared', visibility: 'share-link', spaces: [process.env.OCTAVO_TEST_manual] })
	await api('POST', `/sites/${id}/publish`)
	const { urls } = await api('POST', `/sites/${id}/share-links`, { name: 'One' })
	const key = urls.published.split('/').at(-2)
	const context = await browser.newContext()
	try {
		const page = await context.newPage()
		await page.goto(urls.published)
		assert.ok(!page.url().includes(key))
		assert.equal(await page.textContent('h1'), 'Octavo')
		await page.click('main a:text("a first quarter of an hour")')
		await page.waitForURL('**/start/first-steps')
		assert.ok(!(await page.content()).includes(key))
		const [cookie, ...others] = await context.cookies()
		assert.deepEqual(others, [])
		assert.ok(cookie.httpOnly && cookie.sameSite === 'Lax' && new URL(page.url()).pathname.startsWith(cookie.path))
		const other = await browser.newContext()
		assert.equal((await (await other.newPage()).goto(page.url())).status(), 404)
		await other.close()
	} finally {
		await context.close()
	}
})

// Where visitors sign in: here a page on another origin, whose link returns with signed claims.
test('visitors sign in, and their claims are in no address, page, log or other path', async () => {
	const { id } = await api('POST', '/sites', { title: 'Members', visibility: 'visitor-auth', spaces: [process.env.OCTAVO_TEST_manual] })
	const { privateKey } = await api('GET', `/sites/${id}/publishing/auth`)
	const asked = []
	let jwt, members
	const signIn = createServer((request, answer) => {
		const to = new URL(request.url, 'http://x').searchParams.get('location')
		if (to === null) return answer.writeHead(404).end()
		asked.push(request.url)
		answer.setHeader('content-type', 'text/html').end(`<title>In</title><a href="${members}${to}?jwt_token=${jwt}">Sign in</a>`)
	}).listen(0, '127.0.0.1')
	await once(signIn, 'listening')
	const elsewhere = `127.0.0.1:${signIn.address().port}`
	await api('PATCH', `/sites/${id}/publishing/auth`, { fallbackURL: `http://${elsewhere}/in` })
	members = (await api('POST', `/sites/${id}/publish`)).urls.published
	const text = ['{"alg":"HS256"}', JSON.stringify({ name: 'Ada', exp: Math.floor(Date.now() / 1000) + 600 })]
		.map(t => Buffer.from(t).toString('base64url')).join('.')
	jwt = `${text}.${createHmac('sha256', privateKey).update(text).digest('base64url')}`
	const context = await browser.newContext()
	try {
		const page = await context.newPage()
		const sent = []
		page.on('request', r => sent.push(r))
		await page.goto(members + 'start/first-steps')
		assert.equal(await page.title(), 'In')
		assert.deepEqual(await context.cookies(), [])
		await page.click('a')
		await page.waitForURL(members + 'start/first-steps')
		assert.equal(asked.length, 1)
		// From there on with the cookie alone, also by script, and on returning in a new tab.
		await page.click('[rel=next]')
		await page.waitForURL('**/start/import')
		await page.keyboard.press('/')
		await ask(page, 'change requ')
		const second = await context.newPage()
		await second.goto(members)
		assert.equal(await second.textContent('h1'), 'Octavo')
		assert.ok(!(await page.content()).includes(jwt))
		assert.equal(await page.evaluate(() => document.cookie), '')
		for (const r of sent.slice(2)) assert.ok(!r.url().includes('jwt_token') || r.redirectedTo(), r.url())
		// The browser history does not contain it either.
		assert.ok(!(await page.evaluate(() => performance.getEntriesByType('navigation')[0].name)).includes(jwt))
		const [cookie, ...others] = await context.cookies()
		assert.deepEqual(others, [])
		assert.deepEqual([cookie.value, cookie.httpOnly, cookie.sameSite, cookie.path], [jwt, true, 'Lax', new URL(members).pathname])
		assert.deepEqual(await context.cookies(`${url}/v1/orgs`), [])
		assert.deepEqual(await context.cookies(site), [])
		// Sent in spite of that, it opens nothing of the API.
		for (const path of ['/user', `/orgs/${org}`, `/orgs/${org}/sites/${id}`, `/spaces/${process.env.OCTAVO_TEST_manual}`]) {
			const ask = headers => fetch(`${url}/v1${path}`, { headers }).then(async r => [r.status, (await r.json()).error.code])
			assert.deepEqual(await ask({ cookie: `octavo_visitor=${jwt}` }), await ask({}))
			assert.equal((await ask({}))[0], 401)
		}
		// Cached pages for members are not sent to others: neither at the same URL, nor
		// with claims signed by another key.
		for (const headers of [{}, { cookie: 'octavo_visitor=x.y.z' }, { cookie: `octavo_visitor=${text}.${createHmac('sha256', 'other').update(text).digest('base64url')}` }]) {
			const r = await fetch(members + 'start/import', { headers, redirect: 'manual' })
			assert.deepEqual([r.status, new URL(r.headers.get('location')).host], [302, elsewhere])
		}
		for (const name of readdirSync(process.env.OCTAVO_TEST_logs))
			assert.ok(!readFileSync(`${process.env.OCTAVO_TEST_logs}/${name}`, 'utf8').includes(jwt.slice(0, 40)), `${name} has the claims`)
	} finally {
		signIn.close()
		await context.close()
	}
})

// Every text of authors, in each form of a site: it stays text and runs nothing. The policy would
// also stop a script and report it on the console, which fails the test.
test('what people write runs nowhere', async () => {
	const bad = `</title></script><script>alert('x')</script><img src=x onerror=alert('x')>`
	await api('POST', '/openapi', { slug: 'hostile', source: { text: JSON.stringify({ openapi: '3.0.3', info: { title: bad, version: bad, description: bad },
		paths: { '/x': { get: { operationId: bad, summary: bad, description: bad, tags: [bad], parameters: [{ name: bad, in: 'query', description: bad, schema: { type: 'string', default: bad, enum: [bad] } }],
			responses: { 200: { description: bad, content: { 'text/html': { schema: { $ref: '#/components/schemas/A' }, example: bad } } } } } } },
		components: { schemas: { A: { type: 'object', description: bad, properties: { [bad]: { type: 'string', description: bad, example: bad } } } } } }) } })
	for (let i = 0; (await api('GET', '/openapi/hostile')).processingState === 'pending' && i < 100; i++) await new Promise(done => setTimeout(done, 100))
	const { id } = await api('POST', '/sites', { title: bad, spaces: [process.env.OCTAVO_TEST_hostile, process.env.OCTAVO_TEST_blocks] })
	const link = { title: '<img src=x onerror=alert(1)>', to: { kind: 'url', url: 'https://example.com/"><script>alert(1)</script>' } }
	await api('PUT', `/sites/${id}/customization`, { title: bad, footer: { groups: [{ title: link.title, links: [link] }], copyright: bad },
		header: { links: [{ ...link, links: [link] }] }, announcement: { enabled: true, message: bad, style: 'danger', link } })
	const at = (await api('POST', `/sites/${id}/publish`)).urls.published
	const context = await browser.newContext()
	try {
		await context.route('https://example.com/**', r => r.abort())
		let shown = false   // by the browser's own viewer of XML, which has styles of its own
		const complaints = [], page = await context.newPage(), parser = await context.newPage()
		page.on('dialog', d => { complaints.push(`${page.url()}: ${d.message()}`); d.dismiss() })
		page.on('console', m => { if (m.type() === 'error' && !/404|ERR_|Failed to load/.test(m.text()) && !(shown && /inline style/.test(m.text()))) complaints.push(m.text()) })
		page.on('pageerror', e => complaints.push(String(e)))
		for (const path of ['', 'second', `~search?q=${encodeURIComponent(bad)}`, '~search?q=words', `no/${encodeURIComponent(bad.replaceAll('/', ''))}`]) {
			const r = await page.goto(at + path)
			assert.match(r.headers()['content-security-policy'], /^default-src 'none'; script-src 'self'; .*require-trusted-types-for 'script'; trusted-types 'none'$/)
			await page.evaluate(() => { for (const e of document.querySelectorAll('main *')) { e.dispatchEvent(new MouseEvent('mouseover', { bubbles: true })); e.dispatchEvent(new Event('toggle')) } })
			// Only elements and attributes that the program writes.
			assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll('*')].filter(e => /^(iframe|object|embed|base|style|foreignobject)$/i.test(e.localName) ||
				(e.localName === 'script' && e.type !== 'application/ld+json' && !e.src.includes('/~asset/site.')) ||
				[...e.attributes].some(a => /^on|^style$|^srcdoc$/i.test(a.name) || (/^(href|src|action)$/i.test(a.name) && /^\s*(javascript|vbscript|data:(?!image\/svg\+xml,))/i.test(a.value)))).map(e => e.outerHTML.slice(0, 200))), [], path)
			for (const data of await page.locator('script[type="application/ld+json"]').allTextContents()) JSON.parse(data)
		}
		// On a separate page, because these attempts cause errors.
		await parser.goto(at + 'second')
		assert.ok(await parser.evaluate(() => { try { document.createElement('p').innerHTML = '<b>x</b>' } catch { return true } return false }), 'Trusted Types are off')
		await parser.goto('about:blank')
		await page.goto(at)
		assert.ok((await page.textContent('h1')).includes('<img src=x onerror'), 'the text is there')
		assert.ok((await page.textContent('main')).includes("alert('highlighted')"))
		await page.keyboard.press('/')
		await page.keyboard.type('<script>alert')
		await page.waitForSelector('dialog [role=option]')
		await page.keyboard.press('Escape')
		// Machine-readable forms opened in a browser; files by their names.
		const files = await page.evaluate(() => [...document.querySelectorAll('main [href*="~file"], main [src*="~file"]')].map(e => e.href || e.src))
		assert.ok(files.length > 0)
		for (const address of ['rss.xml', 'second.md', 'llms.txt', 'llms-full.txt', 'sitemap.xml', 'robots.txt', `~search.json?q=${encodeURIComponent('<script>')}`, ...files]) {
			const r = await fetch(new URL(address, at))
			const type = r.headers.get('content-type'), text = await r.text()
			assert.equal(r.status, 200, address)
			assert.equal(r.headers.get('x-content-type-options'), 'nosniff', address)
			assert.match(r.headers.get('content-security-policy'), /sandbox/, address)
			if (/xml/.test(type) && !/svg/.test(type))
				assert.ok(await parser.evaluate(text => !new DOMParser().parseFromString(text, 'application/xml').querySelector('parsererror'), text), `${address} is no XML`)
			// Downloads end the navigation.
			shown = true
			await page.goto(new URL(address, at).href).catch(() => {})
			shown = false
			await page.goto(at)
		}
		assert.deepEqual(complaints, [])
	} finally {
		await context.close()
	}
})

test('code is set in colours, formulas as MathML', () => open('blocks/blocks/text', {}, async page => {
	assert.ok(await page.locator('math mfrac').count() > 0)
	await page.goto(site + 'blocks/blocks/containers')
	assert.ok(await page.locator('pre .c').count() > 0)
}))

test('formulas keep alignment, lines and faces that browsers leave to style sheets', () => open('blocks/blocks/text', {}, async page => {
	const styles = await page.evaluate(() => {
		const make = (name, attributes, ...within) => {
			const e = document.createElementNS('http://www.w3.org/1998/Math/MathML', name)
			for (const a in attributes) e.setAttribute(a, attributes[a])
			e.append(...within)
			return e
		}
		const math = document.querySelector('math')
		math.replaceChildren(make('mtable', {}, make('mtr', {},
			make('mtd', { columnalign: 'right', columnspacing: '0em', columnlines: 'solid' }, make('mi', {}, 'a')),
			make('mtd', { columnalign: 'left', rowlines: 'solid' }, make('mi', { mathvariant: 'bold' }, 'b')))),
			make('menclose', { notation: 'box' }, 'c'), make('menclose', { notation: 'updiagonalstrike' }, 'd'))
		const of = selector => getComputedStyle(math.querySelector(selector))
		const [a, b] = ['mtd', 'mtd + mtd'].map(of)
		return [a.textAlign, a.paddingRight, a.borderRightWidth, b.textAlign, b.paddingLeft, b.borderBottomWidth, of('[mathvariant]').fontWeight,
			of('[notation=box]').borderTopWidth, of('[notation=updiagonalstrike]').backgroundImage.includes('linear-gradient')]
	})
	assert.deepEqual(styles, ['right', '0px', '1px', 'left', '0px', '1px', '700', '1px', true])
}))

test('paper shows the text alone, all tabs and folds, black on white', () => open('blocks/blocks/containers', { colorScheme: 'dark' }, async page => {
	await page.click('button.icon')
	await page.click('button.icon')
	assert.equal(await page.getAttribute('html', 'data-theme'), 'dark')
	await page.emulateMedia({ media: 'print' })
	for (const part of ['.top', '.toc', '.around', 'div.end']) assert.ok(!await page.isVisible(part), part)
	assert.ok(await page.isVisible('.panel >> nth=1'))
	assert.ok(await page.isVisible('article details:not(.menu, [open]) li >> nth=0'))
	assert.deepEqual(await page.evaluate(() => [document.body, document.querySelector('h1')].map((e, i) => getComputedStyle(e)[i ? 'color' : 'backgroundColor'])),
		['rgb(255, 255, 255)', 'rgb(20, 24, 29)'])
}))

// Each look that a customization can set, light and dark: text is readable.
test('customized sites stay accessible', async () => {
	const { id } = await api('POST', '/sites', { title: 'Looks', spaces: [process.env.OCTAVO_TEST_blocks, process.env.OCTAVO_TEST_manual] })
	const looks = (await api('POST', `/sites/${id}/publish`)).urls.published
	const link = { title: 'Support', to: { kind: 'url', url: 'https://example.com/' } }
	for (const [i, [theme, preset, corners, list]] of [['clean', 'default', 'rounded', 'default'], ['muted', 'bold', 'circular', 'line'], ['bold', 'default', 'straight', 'pill'],
		['gradient', 'contrast', 'rounded', 'default']].entries()) {
		await api('PUT', `/sites/${id}/customization`, { styling: { theme, corners, sidebar: { background: i % 2 ? 'filled' : 'default', list }, search: i % 2 ? 'subtle' : 'prominent',
			primaryColor: { light: '#8a1538', dark: '#ff9ab5' }, tint: i > 1 ? undefined : { color: { light: '#a02040', dark: '#ff88aa' } } }, externalLinks: { target: 'blank' },
			header: { preset, links: [{ ...link, links: [] }, { ...link, title: 'Sign in', style: 'button-secondary', links: [] },
				{ ...link, title: 'Sign up', style: 'button-primary', links: [] }] },
			footer: { logo: { light: 'https://example.com/logo.png', dark: 'https://example.com/dark.png' }, groups: [{ title: 'Company', links: [link] }] },
			announcement: { enabled: true, message: 'Version 3 is out.', style: 'info', link } })
		for (const colorScheme of ['light', 'dark']) {
			const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme })
			try {
				await context.route('https://example.com/**', r => r.abort())
				const page = await context.newPage()
				for (const path of ['blocks/blocks/text', 'blocks/blocks/containers']) {
					await page.goto(looks + path)
					await page.evaluate(axe)
					const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }))
					assert.deepEqual(violations.map(v => `${theme} ${preset} ${colorScheme} ${v.id}: ${v.nodes[0].html}`), [])
				}
				assert.equal(await page.getAttribute('main a[href^="https://"]', 'target'), '_blank')
				if (process.env.OCTAVO_SHOTS) await page.screenshot({ path: `${process.env.OCTAVO_SHOTS}/look-${theme}-${colorScheme}.png` })
			} finally {
				await context.close()
			}
		}
	}
})

test('icons are drawn', async () => {
	const { id } = await api('POST', '/sites', { title: 'Icons' })
	for (const [spaceId, icon] of [[process.env.OCTAVO_TEST_manual, 'rocket'], [process.env.OCTAVO_TEST_blocks, 'gear']])
		await api('POST', `/sites/${id}/sections`, { spaceId, title: icon, icon })
	const icons = (await api('POST', `/sites/${id}/publish`)).urls.published
	const context = await browser.newContext()
	try {
		const page = await context.newPage(), complaints = []
		page.on('console', m => { if (m.type() === 'error') complaints.push(m.text()) })
		await page.goto(icons)
		assert.equal(await page.locator('.sections svg use').count(), 2)
		// Icons come from the site's sprite: a missing one has no size.
		await page.waitForFunction(() => [...document.querySelectorAll('.sections use')].every(u => u.getBBox().width > 4))
		assert.deepEqual(complaints, [])
	} finally {
		await context.close()
	}
})

test('links of the header are within reach on a phone; what is customized follows the system theme', async () => {
	const { id } = await api('POST', '/sites', { title: 'Linked', spaces: [process.env.OCTAVO_TEST_manual] })
	await api('PUT', `/sites/${id}/customization`, { header: { links: [{ title: 'Support', to: { kind: 'url', url: 'https://example.com/' }, links: [] }] },
		announcement: { enabled: true, message: 'Version 3 is out.', style: 'info' } })
	const linked = (await api('POST', `/sites/${id}/publish`)).urls.published
	const context = await browser.newContext({ viewport: { width: 320, height: 640 }, colorScheme: 'dark' })
	try {
		const page = await context.newPage()
		await page.goto(linked)
		assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(20, 23, 27)')
		assert.ok(!await page.isVisible('.links a'))
		await page.click('.bar a >> nth=0')
		assert.ok(await page.isVisible('.links a:text-is("Support")'))
		const [bar, toc] = await Promise.all(['.bar', '.toc'].map(part => page.locator(part).boundingBox()))
		assert.ok(toc.y > bar.y + bar.height - 8, `contents from ${toc.y}, the bar ends at ${bar.y + bar.height}`)
		await page.locator('.toc a').last().scrollIntoViewIfNeeded()
		const [last, links] = await Promise.all([page.locator('.toc a').last().boundingBox(), page.locator('.links').boundingBox()])
		assert.ok(last.y + last.height <= links.y && links.y + links.height <= 640, JSON.stringify([last, links]))
		// A header with a banner hides neither headings that a link jumps to, nor the table of contents.
		const wide = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
		await wide.goto(linked + 'content/sites#what-readers-find')
		const tops = await wide.evaluate(() => ['.top', 'h2[id=what-readers-find], [id=what-readers-find]', '.toc'].map(part => document.querySelector(part).getBoundingClientRect()).map((r, i) => i ? r.top : r.bottom))
		assert.ok(tops[1] >= tops[0] && tops[2] >= tops[0] - 4, JSON.stringify(tops))
		await wide.close()
		await api('PUT', `/sites/${id}/customization`, { themes: { default: 'light' } })
		await page.goto(linked)
		assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)')
	} finally {
		await context.close()
	}
})
