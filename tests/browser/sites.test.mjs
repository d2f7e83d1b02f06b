// What owners set up and what readers get, in their browser, on desktop, tablet and phone: headers
// and their menus, outlines, tables, code, paper.
import { test, before, after } from 'node:test'
import assert from 'node:assert/strict'
import { chromium } from 'playwright-core'

const { OCTAVO_TEST_URL: url, OCTAVO_TEST_TOKEN: token, OCTAVO_TEST_ORG: org, OCTAVO_TEST_parts: parts, OCTAVO_TEST_blocks: blocks } = process.env
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
		styling: { sidebar: { background: 'filled' } } })).at
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
	assert.ok(widths[0] >= 200 && widths[1] >= 300, String(widths))
	await page.setViewportSize({ width: 718, height: 900 })
	await page.emulateMedia({ media: 'print' })
	assert.deepEqual(await page.locator('.table').evaluateAll(all => all.filter(e => e.scrollWidth > e.clientWidth + 1).length), 0)
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
