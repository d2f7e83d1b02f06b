// Shared by the tests of writing below /app (edit, editor, pages): the API, a person who may edit in a browser of
// their own, and a look at a page.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { execFileSync } from 'node:child_process'
import { chromium } from 'playwright-core'

export const { OCTAVO_TEST_URL: url, OCTAVO_TEST_ORG: org } = process.env
const { OCTAVO_TEST_TOKEN: token, OCTAVO_TEST_octavo: octavo, OCTAVO_TEST_dir: dir, OCTAVO_SHOTS: shots } = process.env
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export async function api(method, path, body) {
	const answer = await fetch(`${url}/v1${path}`, { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body) })
	assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
	return answer.json()
}

// A person with the role edit who has signed in. Errors of the console are complaints, but for those that `fine` matches;
// clock: the page's time is moved by the test; screen: what kind of screen it is (options of a context).
export async function writer(email, name, { fine = /^$/, clock = false, screen = { viewport: { width: 1400, height: 900 } } } = {}) {
	const complaints = []
	const { link } = JSON.parse(execFileSync(octavo, ['user', 'invite', '--email', email, '--name', name, '--org', org, '--role', 'edit',
		'--dir', dir, '--json'], { env: { ...process.env, OCTAVO_URL: url } }))
	const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
	const context = await browser.newContext(screen)
	if (clock) await context.clock.install()
	const page = await context.newPage()
	page.setDefaultTimeout(20000)
	page.on('console', m => { if (m.type() === 'error' && !fine.test(m.text())) complaints.push(m.text()) })
	page.on('pageerror', e => complaints.push(String(e)))
	await page.goto(link)
	await page.fill('#password', 'correct horse battery')
	await page.click('.primary')
	await page.waitForURL('**/app?done=password')
	return { browser, context, page, complaints }
}

// No fault of accessibility, and nothing wider than the screen, at three widths and in both looks.
export async function lookAt(page, name, ways = [[1400, 'light'], [1400, 'dark'], [768, 'light'], [768, 'dark'], [320, 'light'], [320, 'dark']]) {
	for (const [width, colorScheme] of ways) {
		await page.setViewportSize({ width, height: 900 })
		await page.emulateMedia({ colorScheme })
		await page.evaluate(axe)
		const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }))
		assert.deepEqual(violations.map(v => `${name} ${width} ${v.id}: ${v.nodes[0].html}`), [])
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is wider than a screen of ${width}`)
		if (shots) await page.screenshot({ path: `${shots}/${name}-${width}-${colorScheme}.png`, fullPage: true })
	}
	await page.setViewportSize({ width: 1400, height: 900 })
	await page.emulateMedia({ colorScheme: 'light' })
}
