// What owners set up and what readers get, in their browser, on desktop, tablet and phone: headers
// and their menus, outlines, tables, code, paper.
import { test, before, after } from 'node:test'
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { chromium } from 'playwright-core'

const { OCTAVO_TEST_URL: url, OCTAVO_TEST_TOKEN: token, OCTAVO_TEST_ORG: org, OCTAVO_TEST_parts: parts, OCTAVO_TEST_blocks: blocks } = process.env
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const DESKTOP = { width: 1440, height: 900 }, TABLET = { width: 1024, height: 768 }, PHONE = { width: 390, height: 800 }
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><rect width="40" height="10"/></svg>'
let browser, plain, branded

async function api(method, path, body) {
	const r = await fetch(`${url}/v1/orgs/${org}${path}`, { method, body: body && JSON.stringify(body),
		headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } })
	assert.ok(r.ok, `${method} ${path}: ${r.status} ${await r.clone().text()}`)
	return r.status === 204 ? null : r.json()
}
const to = n => ({ kind: 'url', url: `https://example.com/${n}` })

async function publish(title, spaces, customization) {
	const { id } = await api('POST', '/sites', { title, spaces })
	if (customization) await api('PUT', `/sites/${id}/customization`, customization)
	return { id, at: (await api('POST', `/sites/${id}/publish`)).urls.published }
}

before(async () => {
	browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
	plain = (await publish('Plain', [parts])).at
	branded = (await publish('Branded', [parts], {
		header: { preset: 'bold', logo: { light: 'https://example.com/logo.svg', dark: 'https://example.com/logo.svg' },
			links: [{ title: 'Products', to: null, links: [{ title: 'One', to: to(1) }] }, { title: 'Guides', to: to(2), links: [{ title: 'Two', to: to(3) }] },
				{ title: 'Sign in', style: 'button-primary', to: to(4), links: [] }] },
		styling: { sidebar: { background: 'filled' } }, announcement: { enabled: true, message: 'Version 3 is out.', style: 'danger' }, feedback: { enabled: true },
		pageActions: { items: ['mcp', 'markdown', 'external-ai', 'pdf'] }, footer: { groups: [{ title: 'Company', links: [{ title: 'About', to: to(5) }] }], copyright: '© Acme' },
		socialAccounts: [{ platform: 'github', handle: 'acme', display: { footer: true, header: true } }, { platform: 'bluesky', handle: 'acme', display: { footer: true, header: false } }] })).at
})
after(() => browser?.close())

// Opens a page for fn. Errors of the browser fail the test; the pictures of elsewhere are LOGO.
async function open(address, options, fn) {
	const context = await browser.newContext({ viewport: DESKTOP, ...options })
	const page = await context.newPage(), complaints = []
	page.setDefaultTimeout(20000)
	page.on('console', m => { if (m.type() === 'error' && !/404|ERR_|Failed to load/.test(m.text())) complaints.push(m.text()) })
	page.on('pageerror', e => complaints.push(String(e)))
	await context.route('https://example.com/**', r => r.fulfill({ contentType: 'image/svg+xml', body: LOGO }))
	try {
		await page.goto(address)
		await fn(page, context)
		assert.deepEqual(complaints, [])
		assert.deepEqual(await context.cookies(), [])
	} finally {
		await context.close()
	}
}
const box = (page, part) => page.locator(part).first().boundingBox()

test('a tablet shows where the reader is, and opens the outline', () => open(plain + 'guides/long', { viewport: TABLET, reducedMotion: 'reduce' }, async page => {
	assert.ok(await page.isVisible('.toc') && !await page.isVisible('.outline') && !await page.isVisible('.bar [href="#~toc"]'))
	await page.click('.bar [href="#~outline"]')
	await page.click('.outline a:text-is("Section 5")')
	assert.ok(!await page.isVisible('.outline'))
	await page.waitForFunction(() => document.querySelector('.bar [href="#~outline"]').textContent === 'Section 5')
	const [bar, heading] = [await box(page, '.bar'), await box(page, '#section-5')]
	assert.ok(heading.y >= bar.y + bar.height - 1, 'the bar covers the heading')
}))

test('the outline has its column on a desktop; without one its room is free', () => open(plain + 'guides/long', {}, async page => {
	assert.ok(await page.isVisible('.outline') && !await page.isVisible('.bar'))
	const with_it = await box(page, 'main')
	await page.goto(plain + 'guides/deep/other')
	const without = await box(page, 'main')
	assert.ok(without.width > with_it.width + 200 && Math.abs(without.x - with_it.x) < 2, JSON.stringify([with_it, without]))
}))

test('a landing page stands in the middle, and fits 320 pixels', async () => {
	await open(plain, { viewport: { width: 1920, height: 1000 } }, async page => {
		const { x, width } = await box(page, 'main')
		assert.ok(Math.abs(x + width / 2 - 960) < 2, `from ${x}, ${width} wide`)
		assert.equal(await page.locator('.bar').count(), 0)
	})
	await open(plain, { viewport: { width: 320, height: 640 } }, async page => {
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
		const [one, two] = await page.locator('.btn').all().then(all => Promise.all(all.map(b => b.boundingBox())))
		assert.ok(two.y >= one.y + one.height + 4 || two.x >= one.x + one.width + 4, 'buttons touch')
	})
})

test('menus of the header open over the page, one at a time, also without scripts', async () => {
	for (const javaScriptEnabled of [true, false])
		await open(branded + 'tables', { javaScriptEnabled }, async page => {
			const before = await box(page, 'main')
			await page.click('.links summary:text-is("Products")')
			assert.ok(await page.isVisible('.links a:text-is("One")'))
			assert.deepEqual(await box(page, 'main'), before)
			await page.click('.links summary:text-is("Guides")')
			assert.ok(!await page.isVisible('.links a:text-is("One")'))
			// The target of the entry itself comes first.
			assert.deepEqual(await page.locator('.links details[open] a').allTextContents(), ['Guides', 'Two'])
			if (!javaScriptEnabled) return
			await page.keyboard.press('Escape')
			assert.ok(!await page.isVisible('.links a:text-is("Two")'))
			await page.click('.links summary:text-is("Guides")')
			await page.click('main')
			assert.ok(!await page.isVisible('.links a:text-is("Two")'))
		})
})

test('menus of sections open over the page; their names stay readable under the pointer', async () => {
	const { id } = await api('POST', '/sites', { title: 'Sections' })
	await api('PUT', `/sites/${id}/customization`, { header: { preset: 'bold' } })
	await api('POST', `/sites/${id}/sections`, { title: 'Docs', spaceId: parts })
	const { id: one } = await api('POST', `/sites/${id}/sections`, { title: 'Blocks', spaceId: blocks })
	const { id: group } = await api('POST', `/sites/${id}/section-groups`, { title: 'More', sections: [] })
	await api('PATCH', `/sites/${id}/sections/${one}`, { siteSectionGroupId: group })
	const at = (await api('POST', `/sites/${id}/publish`)).urls.published
	for (const viewport of [DESKTOP, TABLET, PHONE])
		await open(at + 'tables', { viewport }, async page => {
			const before = await box(page, 'main')
			await page.hover('.sections summary')
			assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector('.sections summary')).backgroundColor), 'rgba(0, 0, 0, 0)')
			await page.click('.sections summary')
			const menu = await box(page, '.sections .menu > ul')
			assert.ok(menu.height > 30 && menu.x >= 0 && menu.x + menu.width <= viewport.width, JSON.stringify(menu))
			assert.deepEqual(await box(page, 'main'), before)
			await page.click('.sections .menu a')
			await page.waitForURL(`${at}blocks/**`)
		})
})

test('a logo without a size of its own is shown; the focus is seen on a bold header', () => open(branded + 'tables', {}, async page => {
	await page.waitForFunction(() => document.querySelector('.home img').complete)
	const { width, height } = await box(page, '.home img')
	assert.ok(height > 20 && width > 60, `${width} x ${height}`)
	await page.keyboard.press('Tab')
	await page.keyboard.press('Tab')
	const [ring, ground] = await page.evaluate(() => [getComputedStyle(document.activeElement).outlineColor, getComputedStyle(document.querySelector('.top')).backgroundColor])
	assert.notEqual(ring, ground)
	// A filled sidebar ends with the page, not with its entries.
	assert.ok((await box(page, '.toc')).height > 700)
}))

test('columns of tables have the widths of their author, and paper shows all of a wide table', () => open(plain + 'tables', { viewport: TABLET }, async page => {
	const widths = await page.locator('table >> nth=0').locator('th').evaluateAll(all => all.map(e => e.offsetWidth))
	assert.deepEqual(widths.slice(0, 2), [200, 300])
	await page.setViewportSize({ width: 718, height: 900 })
	await page.emulateMedia({ media: 'print' })
	assert.deepEqual(await page.locator('.table').evaluateAll(all => all.filter(e => e.scrollWidth > e.clientWidth + 1).length), 0)
}))

test('boxes of tasks are on their line; a card whose icon is unknown begins with its words', () => open(plain + 'tables', {}, async page => {
	const middle = b => b.y + b.height / 2
	for (const task of await page.locator('.tasks > li').all())
		assert.ok(Math.abs(middle(await task.locator('.box').boundingBox()) - middle(await task.locator('div').boundingBox())) < 2)
	const [known, unknown] = await page.locator('.cards > li').all(), top = async card => (await card.locator('strong').boundingBox()).y - (await card.boundingBox()).y
	assert.equal(await known.locator('.sign svg').count(), 1)
	assert.equal(await unknown.locator('.sign').count(), 0)
	assert.ok(await top(unknown) < 20, `words begin at ${await top(unknown)}`)
}))

test('a long name of an operation wraps in the contents', () => open(plain + 'tables', {}, async page => {
	assert.ok(await page.evaluate(() => {
		const toc = document.querySelector('.toc'), a = document.createElement('a'), verb = document.createElement('span')
		verb.className = 'verb post'
		verb.textContent = 'POST'
		a.append(verb, 'PostTestHelpersTreasuryOutboundTransfersOutboundTransferReturn')
		toc.querySelector('li').append(a)
		return toc.scrollWidth <= toc.clientWidth
	}))
}))

test('folded code shows its first lines, and all of them without scripts', () => open(plain + 'code', { javaScriptEnabled: false }, async page => {
	const { height } = await box(page, '.fold pre')
	assert.ok(height > 150 && height < 300)
	await page.click('.fold label')
	assert.ok((await box(page, '.fold pre')).height > height)
	assert.ok(await page.isVisible('.fold label span:text-is("Show less")') && !await page.isVisible('.fold label span:text-is("Show all")'))
	await page.emulateMedia({ media: 'print' })
	assert.ok(!await page.isVisible('.fold label'))
}))

test('contents on a phone close without scripts', () => open(plain + 'tables', { javaScriptEnabled: false, viewport: PHONE }, async page => {
	await page.click('.bar [href="#~toc"]')
	assert.ok(await page.isVisible('.toc'))
	await page.click('.toc .shut')
	assert.ok(!await page.isVisible('.toc'))
}))

test('at 400 % zoom no bar covers the text', () => open(plain + 'guides/long', { viewport: { width: 360, height: 225 } }, async page => {
	await page.evaluate(() => scrollTo(0, 600))
	for (const part of ['.top .row', '.bar']) assert.ok((await box(page, part)).y < 0, part)
}))

test('branded pages are accessible with their menus open, on each screen, light and dark', async () => {
	for (const viewport of [DESKTOP, TABLET, PHONE, { width: 320, height: 640 }])
		for (const colorScheme of ['light', 'dark'])
			await open(branded + 'notes', { viewport, colorScheme }, async page => {
				await page.click('.acts summary')
				await page.evaluate(axe)
				const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }))
				assert.deepEqual(violations.map(v => `${viewport.width} ${colorScheme} ${v.id}: ${v.nodes[0].html}`), [])
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `wider than ${viewport.width}`)
			})
})

test('GET reports the colours, theme and fonts that pages have without a customization', async () => {
	const { id, at } = await publish('Defaults', [parts])
	const { styling, themes } = await api('GET', `/sites/${id}/customization`)
	// Clients of 0.146.0 do not know "system", which pages follow.
	assert.equal(themes.default, 'light')
	for (const theme of ['light', 'dark'])
		await open(at, { colorScheme: theme }, async page => {
			const of = await page.evaluate(() => {
				const style = getComputedStyle(document.documentElement)
				return { ...Object.fromEntries(['accent', 'info', 'success', 'warning', 'danger'].map(n => [n, style.getPropertyValue('--' + n).trim()])), font: style.fontFamily,
					mono: getComputedStyle(document.body.appendChild(document.createElement('code'))).fontFamily }
			})
			assert.deepEqual(Object.fromEntries(Object.entries({ accent: 'primary', info: 'info', success: 'success', warning: 'warning', danger: 'danger' })
				.map(([name, member]) => [name, styling[`${member}Color`][theme]])), { accent: of.accent, info: of.info, success: of.success, warning: of.warning, danger: of.danger })
			assert.ok(of.font.startsWith(styling.font) && of.mono.startsWith('"Fira Code"'), JSON.stringify(of))
			assert.equal(styling.monospaceFont, 'FiraCode')
		})
	for (const theme of ['light', 'dark']) {
		await api('PUT', `/sites/${id}/customization`, { themes: { default: theme, toggeable: false } })
		await open(at, { colorScheme: theme === 'light' ? 'dark' : 'light' }, async page => {
			assert.equal(await page.getAttribute('html', 'data-theme'), theme)
			assert.equal(await page.locator('button.theme').count(), 0)
		})
	}
})

test('a banner has its style, closes, and stays closed', () => open(branded + 'tables', {}, async page => {
	const ground = await page.evaluate(() => getComputedStyle(document.querySelector('.news')).backgroundColor)
	assert.notEqual(ground, await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
	assert.equal(await page.getAttribute('.news', 'class'), 'news danger')
	await page.click('.news button')
	assert.ok(!await page.isVisible('.news'))
	await page.reload()
	assert.ok(!await page.isVisible('.news'))
}))

test('the actions of a page are those of its author, in that order, and copy', () => open(branded + 'notes', {}, async page => {
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
	await page.click('.acts summary')
	assert.deepEqual(await page.locator('.acts li').allTextContents(),
		['Copy the address for agents (MCP)', 'Copy as Markdown', 'View as Markdown', 'Open in ChatGPT', 'Open in Claude', 'Download as PDF'])
	await page.click('.acts button:text-is("Copy as Markdown")')
	await page.waitForSelector('.acts button:text-is("Copied")')
	assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^# Notes/)
	assert.equal(await page.getAttribute('.acts a:text-is("Open in Claude")', 'href'),
		`https://claude.ai/new?q=${encodeURIComponent(`Read ${branded + 'notes'}.md and answer my questions about it.`)}`)
	// Without scripts only what works is shown.
	const context = await page.context().browser().newContext({ javaScriptEnabled: false })
	const still = await context.newPage()
	await still.goto(branded + 'notes')
	await still.click('.acts summary')
	assert.equal(await still.locator('.acts li:visible').count(), 4)
	await context.close()
}))

test('accounts elsewhere are signs with names', () => open(branded, {}, async page => {
	assert.ok(await page.isVisible('.top .social a[aria-label="GitHub"] svg'))
	assert.equal(await page.locator('.foot .social a').count(), 2)
	assert.equal(await page.textContent('.foot .social li:last-child a'), 'Bluesky')
}))

test('a note opens beside its word; without scripts its link leads to the end', async () => {
	await open(plain + 'notes', {}, async page => {
		await page.click('.note a')
		assert.equal((await page.textContent('.note-text')).trim(), 'The explanation.')
		assert.ok(!page.url().includes('#'))
		await page.keyboard.press('Escape')
		assert.equal(await page.locator('.note-text').count(), 0)
	})
	await open(plain + 'notes', { javaScriptEnabled: false }, async page => {
		await page.click('.note a')
		assert.match(page.url(), /#~note-1$/)
	})
})

test('lines of a diff have grounds, and a diagram shows its source', () => open(plain + 'notes', {}, async page => {
	assert.deepEqual(await page.locator('.add').allTextContents(), ['+new\n'])
	assert.deepEqual(await page.locator('.del').allTextContents(), ['-old\n'])
	assert.ok((await page.locator('figure.code').last().textContent()).includes('A --> B'))
}))

test('a picture that is larger than its place fills the screen', () => open(plain + 'notes', {}, async page => {
	assert.ok(await page.locator('img.zooms').first().evaluate(i => i.alt || i.ariaLabel))
	await page.click('img.zooms')
	assert.ok((await box(page, 'dialog.zoom img')).width > 1000)
	await page.keyboard.press('Escape')
	await page.waitForSelector('dialog.zoom', { state: 'detached' })
}))

test('a branch of the contents opens and closes without leaving the page', () => open(plain + 'tables', {}, async page => {
	await page.click('.toc .twist')
	await page.waitForSelector('.toc a:text-is("Deep")')
	assert.equal(page.url(), plain + 'tables')
	assert.equal(await page.getAttribute('.toc .twist', 'aria-expanded'), 'true')
	await page.click('.toc .twist')
	assert.ok(!await page.isVisible('.toc a:text-is("Deep")'))
	await page.click('.toc .twist')
	await page.click('.toc a:text-is("Deep")')
	await page.waitForURL('**/guides/deep/page')
}))

test('the bar of a tablet names the section that a deep link leads to', () => open(branded + 'guides/long#section-7', { viewport: TABLET }, async page => {
	await page.waitForFunction(() => document.querySelector('.bar a + a').textContent === 'Section 7')
}))

test('a deep link arrives at once', () => open(plain + 'guides/long#section-7', {}, async page => {
	const top = () => page.evaluate(() => document.getElementById('section-7').getBoundingClientRect().top)
	assert.ok(Math.abs(await top()) < 200, String(await top()))
}))

test('search tells of waiting and of no connection, and Escape closes it', () => open(plain, {}, async page => {
	let free
	const held = new Promise(resolve => { free = resolve })
	await page.route('**/~search.json?*', async r => { await held; await r.abort('internetdisconnected') })
	await page.keyboard.press('/')
	await page.keyboard.type('tables')
	await page.waitForFunction(() => document.querySelector('dialog [role=status]').textContent.startsWith('Searching'))
	free()
	await page.waitForFunction(() => document.querySelector('dialog [role=status]').textContent.startsWith('Search cannot be reached'))
	await page.keyboard.press('Escape')
	assert.equal(await page.locator('dialog[open]').count(), 0)
}))

test('variants: the switch keeps the page, titles differ, search has the own variant first', async () => {
	const { id } = await api('POST', '/sites', { title: 'Variants', spaces: [parts] }), logo = 'https://example.com/logo.svg'
	await api('PUT', `/sites/${id}/customization`, { header: { logo: { light: logo, dark: logo } } })
	const [first] = (await api('GET', `/sites/${id}/site-spaces`)).items
	await api('POST', `/sites/${id}/site-spaces/${first.id}/duplicate`)
	const copy = (await api('GET', `/sites/${id}/site-spaces`)).items.find(s => s.id !== first.id)
	const r = await fetch(`${url}/v1/spaces/${copy.space.id}`, { method: 'PATCH', body: JSON.stringify({ title: 'العربية', language: 'ar' }),
		headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } })
	assert.ok(r.ok, await r.text())
	const at = (await api('POST', `/sites/${id}/publish`)).urls.published
	for (const viewport of [DESKTOP, TABLET, PHONE, { width: 320, height: 640 }])
		await open(at + 'tables', { viewport }, async page => {
			const title = await page.title()
			await page.click('.variants summary')
			await page.click('.variants a:text-is("العربية")')
			await page.waitForURL(url => url.pathname.endsWith('/tables') && url.href !== at + 'tables')
			assert.deepEqual(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]), ['ar', 'rtl'])
			assert.notEqual(await page.title(), title)
			assert.ok((await page.title()).includes('العربية'))
			assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
		})
	await open(at + 'tables', {}, async page => {
		for (let i = 0; (await (await fetch(`${at}~search.json?q=explained`)).json()).length < 2 && i < 50; i++) await page.waitForTimeout(200)
		await page.click('.variants summary')
		await page.click('.variants a:text-is("العربية")')
		await page.waitForURL(url => url.href !== at + 'tables')
		const arabic = new URL(page.url()).pathname.replace(/tables$/, '')
		/* An address without a page proposes those of its own variant. */
		const missing = await (await fetch(at + 'no/explained')).text()
		assert.match(missing, /<li><a href="[^"]*\/notes">/)
		assert.ok(!missing.split('</main>')[0].includes(`<li><a href="${arabic}notes`))
		await page.keyboard.press('/')
		await page.keyboard.type('explained')
		await page.waitForSelector('dialog .others')
		const links = await page.locator('dialog li:not(.in):not(.others) a').evaluateAll(all => all.map(a => a.getAttribute('href')))
		assert.equal(links.length, 2)
		assert.ok(links[0].startsWith(arabic) && !links[1].startsWith(arabic), String(links))
		await page.keyboard.press('Escape')
		await page.goto(`${at}~search?q=explained&in=${first.id}`)
		assert.ok(!(await page.getAttribute('.hits a >> nth=0', 'href')).startsWith(arabic))
		assert.ok(await page.isVisible('.hits .others'))
	})
})

test('a page is counted and rated, also without scripts, and readers are thanked', async () => {
	for (const javaScriptEnabled of [true, false])
		await open(branded + 'tables', { javaScriptEnabled }, async page => {
			const counted = page.waitForResponse(r => r.url().endsWith('~count'))
			await page.click('.rate button:text-is("Yes")')
			assert.ok([204, 303].includes((await counted).status()))
			await page.waitForSelector('.thanks:visible')
			await page.waitForSelector('.rate', { state: 'hidden' })
		})
})

test('try it: a request goes to the server of the description, its answer is shown, keys stay in the tab', async () => {
	const asked = []
	let cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-allow-methods': '*' }
	const server = createServer((req, res) => {
		let body = ''
		req.on('data', d => { body += d })
		req.on('end', () => {
			if (req.method === 'OPTIONS') return res.writeHead(204, cors).end()
			asked.push({ method: req.method, url: req.url, key: req.headers['x-key'], cookie: req.headers.cookie, type: req.headers['content-type'], body })
			res.writeHead(req.url.startsWith('/none') ? 404 : 200, { ...cors, 'content-type': 'application/json' }).end('{"name":"<b>Rex</b>"}')
		})
	})
	await new Promise(done => server.listen(0, '127.0.0.1', done))
	try {
		const own = `http://127.0.0.1:${server.address().port}`
		const text = JSON.stringify({ openapi: '3.0.3', info: { title: 'Tried', version: '1' }, servers: [{ url: own + '/{v}', variables: { v: { default: 'v1', enum: ['v1', 'none'] } } }, { url: 'http://127.0.0.1:99999' }],
			security: [{ key: [] }], components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
			paths: { '/pets/{id}': { post: { operationId: 'tryPet', summary: 'Rename a pet', parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'a/b' },
				{ name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } }],
			requestBody: { content: { 'application/json': { schema: { type: 'object', properties: { name: { type: 'string', example: 'Rex' } } } } } }, responses: { 200: { description: 'Renamed' } } } } } })
		await api('PUT', '/openapi/tried', { source: { text } })
		for (let i = 0; (await api('GET', '/openapi/tried')).processingState !== 'complete' && i < 100; i++) await new Promise(done => setTimeout(done, 100))
		const call = async (method, path, body) => (await fetch(`${url}/v1${path}`, { method, body: JSON.stringify(body),
			headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } })).json()
		const space = await api('POST', '/spaces', { title: 'Tried' }), change = await call('POST', `/spaces/${space.id}/change-requests`, { subject: 'Tried' })
		await call('POST', `/spaces/${space.id}/change-requests/${change.id}/content?compat=false`, { changes: [{ operation: 'insert_page', title: 'Pets', document: {
			markdown: '{% openapi-operation spec="tried" path="/pets/{id}" method="post" %}\n{% endopenapi-operation %}\n' } }] })
		await call('POST', `/spaces/${space.id}/change-requests/${change.id}/merge`, {})
		const { at } = await publish('Tried', [space.id], { tryIt: { enabled: true } })
		/* Anything but the servers of the page is out of reach. */
		assert.ok((await fetch(at)).headers.get('content-security-policy').includes(`; connect-src 'self' ${own} http://127.0.0.1:99999; `))
		for (const viewport of [DESKTOP, PHONE])
			await open(at, { viewport }, async page => {
				const sample = language => page.evaluate(language => [...document.querySelectorAll('.tabs > label')].find(l => l.textContent === language).nextElementSibling.querySelector('code').textContent, language)
				assert.match(await sample('cURL'), /\/v1\/pets\/a%2Fb'[^]*X-Key: YOUR_API_KEY/)
				assert.match(await page.locator('.method').textContent(), /\/v1\/pets\/\{id\}$/)
				await page.click('.try-open')
				const form = page.locator('.try-form')
				assert.equal(await form.getByLabel('key').getAttribute('type'), 'password')
				await form.getByLabel('key').fill('secret')
				await form.getByLabel('tag').focus()
				assert.match(await sample('Python'), /"X-Key": "secret"/)
				await form.getByLabel('tag').fill('x,y z')
				assert.equal(await form.locator('textarea').inputValue(), '{\n  "name": "Rex"\n}')
				await form.locator('button').click()
				await form.locator('.good').waitFor()
				assert.match(await form.locator('.good').textContent(), /^200 /)
				assert.equal(await form.locator('[role=status] > pre').textContent(), '{\n  "name": "<b>Rex</b>"\n}')
				assert.deepEqual(asked.splice(0), [{ method: 'POST', url: '/v1/pets/a%2Fb?tag=x&tag=y+z', key: 'secret', cookie: undefined, type: 'application/json',
					body: '{\n  "name": "Rex"\n}' }])
				assert.equal(await form.locator('option').count(), 2)
				await form.locator('select').selectOption({ index: 1 })
				await form.locator('button').click()
				await form.locator('.bad').waitFor()
				assert.equal(asked.splice(0)[0].url, '/none/pets/a%2Fb?tag=x&tag=y+z')
				/* The chosen server and key stand in the samples, too; the choice of a server stays. */
				assert.match(await sample('JavaScript'), /\/none\/pets\/[^]*"X-Key": "secret"/)
				assert.match(await sample('HTTP'), /^POST \/none\/pets\/a%2Fb[^]*Host: 127\.0\.0\.1:/)
				assert.match(await page.locator('.method').textContent(), /\/none\/pets\//)
				assert.match(await page.locator('select.server').inputValue(), /\/none$/)
				assert.deepEqual(await page.evaluate(() => [Object.values(sessionStorage), JSON.stringify(localStorage).includes('secret')]), [['secret'], false])
				assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth))
				await page.evaluate(axe)
				assert.deepEqual(await page.evaluate(async () => (await window.axe.run(document.querySelector('.try-form'))).violations.map(v => v.id + ' ' + v.nodes[0].html)), [])
				if (process.env.OCTAVO_SHOTS) await page.screenshot({ path: `${process.env.OCTAVO_SHOTS}/try-${viewport.width}.png`, fullPage: true })
				await page.reload()
				assert.match(await sample('Go'), /\/none\/pets\//)
				await page.locator('select.server').selectOption({ index: 0 })
				assert.match(await sample('cURL'), /\/v1\/pets\/[^]*YOUR_API_KEY/)
				await page.click('.try-open')
				assert.equal(await page.locator('.try-form').getByLabel('key').inputValue(), 'secret')
				assert.match(await page.locator('.try-form select').inputValue(), /\/v1$/)
				assert.equal(await page.locator('.try-form small:text("server of this site"):visible').count(), 0)
				/* Paper has no forms. */
				await page.emulateMedia({ media: 'print' })
				assert.equal(await page.locator('.try-open:visible, .try-form:visible, select.server:visible').count(), 0)
			})
		/* Through the relay, to a server that allows no requests from other pages. The installation is at localhost. */
		cors = {}
		await api('PATCH', '/openapi/tried', { relay: { hosts: [`127.0.0.1:${server.address().port}`] } })
		await open(at, { viewport: PHONE }, async page => {
			await page.click('.try-open')
			const form = page.locator('.try-form')
			await form.locator('small:text("server of this site")').waitFor()
			await form.getByLabel('key').fill('secret')
			await form.locator('button').click()
			await form.locator('.good').waitFor()
			assert.match(await form.locator('.good').textContent(), /^200 .* ms/)
			assert.equal(await form.locator('[role=status] > pre').textContent(), '{\n  "name": "<b>Rex</b>"\n}')
			assert.deepEqual(asked.splice(0), [{ method: 'POST', url: '/v1/pets/a%2Fb', key: 'secret', cookie: undefined, type: 'application/json',
				body: '{\n  "name": "Rex"\n}' }])
			await page.evaluate(axe)
			assert.deepEqual(await page.evaluate(async () => (await window.axe.run(document.querySelector('.try-form'))).violations.map(v => v.id + ' ' + v.nodes[0].html)), [])
			if (process.env.OCTAVO_SHOTS) await page.screenshot({ path: `${process.env.OCTAVO_SHOTS}/relay.png`, fullPage: true })
			/* Why there is no answer. */
			server.closeAllConnections()
			server.close()
			await form.locator('button').click()
			await form.locator('p:text("127.0.0.1")').waitFor()
		})
	} finally {
		server.close()
	}
})
