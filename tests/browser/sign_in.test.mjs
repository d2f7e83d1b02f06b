// The pages below /app as people meet them: a link, a password, the account, a program; with and
// without script, by keyboard alone, on a phone; accessible and valid; nothing from other origins.
import { test, before, after } from 'node:test'
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'
import { HtmlValidate } from 'html-validate'

const { OCTAVO_TEST_URL: url, OCTAVO_TEST_octavo: octavo, OCTAVO_TEST_dir: dir, OCTAVO_TEST_ORG: org, OCTAVO_SHOTS: shots } = process.env
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const validator = new HtmlValidate({ extends: ['html-validate:standard'], rules: { 'no-raw-characters': 'off', 'long-title': 'off',
	'void-style': 'off', 'doctype-style': 'off', 'attribute-boolean-style': 'off', 'attribute-empty-style': 'off' } })
const password = 'correct horse battery'
const LOOKS = [{ viewport: { width: 1280, height: 800 } }, { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }]
let browser

before(async () => {
	browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
})
after(() => browser?.close())

const command = (...words) => JSON.parse(execFileSync(octavo, [...words, '--dir', dir, '--json'], { env: { ...process.env, OCTAVO_URL: url } }))
const invite = name => command('user', 'invite', '--email', `${name}@example.com`, '--name', name, '--org', org, '--role', 'read').link

// A browser of its own for fn; what it complains of, and requests to elsewhere, fail the test.
async function open(options, fn, elsewhere = []) {
	const context = await browser.newContext({ ...LOOKS[0], ...options })
	const page = await context.newPage()
	const complaints = []
	page.setDefaultTimeout(20000)
	page.on('console', m => { if (m.type() === 'error' && !/the server responded with a status of 4/.test(m.text())) complaints.push(m.text()) })
	page.on('pageerror', e => complaints.push(String(e)))
	page.on('request', r => {
		if (![url, ...elsewhere].some(u => r.url().startsWith(u)) && !r.url().startsWith('data:')) complaints.push(`asks ${r.url()}`)
	})
	try {
		await fn(page, context)
		assert.deepEqual(complaints, [])
	} finally {
		await context.close()
	}
}

// What holds for each page: accessible, valid, no wider than the screen. In both looks, or in one of them, by turns:
// all pages have one style sheet.
let turns = 0
async function look_at(page, name, looks = [LOOKS[turns++ % 2]]) {
	const report = await validator.validateString(await page.content())
	assert.deepEqual(report.results.flatMap(r => r.messages.map(m => `${name}: ${m.ruleId}: ${m.message} (${m.line}:${m.column})`)), [])
	for (const { viewport, colorScheme = 'light' } of looks) {
		await page.setViewportSize(viewport)
		await page.emulateMedia({ colorScheme })
		await page.evaluate(axe)
		const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }))
		assert.deepEqual(violations.map(v => `${name}: ${v.id}: ${v.nodes[0].html}`), [])
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is wider than the screen`)
		if (shots) await page.screenshot({ path: `${shots}/${name}-${colorScheme}.png`, fullPage: true })
	}
}

async function choose_password(page, link) {
	await page.goto(link)
	await page.fill('#password', password)
	await page.click('.primary')
	await page.waitForURL('**/app?done=password')
}

async function sign_in(page, name) {
	await page.fill('#email', `${name}@example.com`)
	await page.click('.primary')
	await page.fill('#password', password)
	await page.click('.primary')
}

// A server of somebody else on this machine; its requests are noted.
async function other_server(html) {
	const seen = []
	const server = createServer((request, answer) => { seen.push(request.url); answer.setHeader('content-type', 'text/html'); answer.end(html) })
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	return { seen, at: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}

test('each page is accessible, valid and fits a phone', () => open({}, async page => {
	const link = invite('pia')
	await page.goto(link)
	await look_at(page, 'welcome')
	await page.fill('#password', 'short')
	await page.click('.primary')
	await page.waitForSelector('.fault')
	await look_at(page, 'welcome-fault')
	await choose_password(page, link)
	await look_at(page, 'home')
	await page.goto(`${url}/app/account`)
	await look_at(page, 'account')
	await page.fill('#label', 'A script')
	await page.click('#tokens .primary')
	await page.waitForSelector('.secret')
	await look_at(page, 'token', LOOKS)
	await page.goto(`${url}/app/authorize?client=editor&scope=write&days=30&challenge=${'a'.repeat(43)}`)
	await look_at(page, 'program')
	await page.click('.primary')
	await page.waitForSelector('.secret')
	await look_at(page, 'code')
	await page.goto(`${url}/app/nothing`)
	await look_at(page, 'missing')
	await page.goto(`${url}/app`)
	await page.click('.quiet')
	await page.waitForURL('**/sign-in?done=out')
	await look_at(page, 'sign-in')
	await page.fill('#email', 'pia@example.com')
	await page.click('.primary')
	await page.fill('#password', 'wrong password')
	await page.click('.primary')
	await page.waitForSelector('.fault')
	await look_at(page, 'wrong-password', LOOKS)
	await page.goto(`${url}/app/reset`)
	await look_at(page, 'reset')
	await page.goto(link)
	await look_at(page, 'dead-link')
}))

test('a page in Arabic is written from right to left, and fits a phone', () => open({ locale: 'ar' }, async page => {
	await choose_password(page, invite('omar'))
	await page.goto(`${url}/app/account`)
	assert.equal(await page.getAttribute('html', 'dir'), 'rtl')
	await look_at(page, 'account-ar', [LOOKS[1]])
}))

test('somebody signs in after a wrong password, and comes back to the page that they wanted', () => open({}, async (page, context) => {
	await choose_password(page, invite('kim'))
	await context.clearCookies()
	await page.goto(`${url}/app/account`)
	await page.waitForURL('**/app/sign-in?to=%2Fapp%2Faccount')
	await page.fill('#email', 'kim@example.com')
	await page.click('.primary')
	await page.fill('#password', 'wrong password')
	await page.click('.primary')
	assert.match(await page.textContent('.fault'), /wrong/)
	await page.fill('#password', password)
	await page.click('.primary')
	await page.waitForURL('**/app/account')
	const [session] = (await context.cookies()).filter(c => c.name === 'octavo_session')
	assert.ok(session.httpOnly && session.sameSite === 'Lax' && session.expires > Date.now() / 1000)
	assert.equal(await page.evaluate(() => document.cookie), '')
}))

test('without script everything works', () => open({ javaScriptEnabled: false }, async (page, context) => {
	await choose_password(page, invite('noel'))
	await page.goto(`${url}/app/account`)
	await page.fill('#label', 'From a page')
	await page.selectOption('#scope', 'read')
	await page.click('#tokens .primary')
	const token = (await page.textContent('.secret')).trim()
	const answer = await fetch(`${url}/v1/user`, { headers: { authorization: `Bearer ${token}` } })
	assert.equal((await answer.json()).email, 'noel@example.com')
	await page.goto(`${url}/app/account`)
	await page.click('#tokens .rows button')
	await page.waitForURL('**/account?done=revoked#tokens')
	assert.equal((await fetch(`${url}/v1/user`, { headers: { authorization: `Bearer ${token}` } })).status, 401)
	await page.click('text=End all and sign out')
	await page.waitForURL('**/sign-in?done=out')
	await page.goto(`${url}/app`)
	await page.waitForURL('**/sign-in?to=%2Fapp')
	assert.deepEqual((await context.cookies()).filter(c => c.name === 'octavo_session'), [])
}))

test('a session that is ended in one browser ends in the other', () => open({}, async page => {
	await choose_password(page, invite('ines'))
	await open({}, async second => {
		await second.goto(`${url}/app/sign-in`)
		await sign_in(second, 'ines')
		await second.waitForURL('**/app')
		await page.goto(`${url}/app/account`)
		assert.equal(await page.locator('#sessions .rows li').count(), 2)
		await page.click('text=End all others')
		await page.waitForURL('**/account?done=others#sessions')
		assert.equal(await page.locator('#sessions .rows li').count(), 1)
		await second.reload()
		await second.waitForURL('**/sign-in?to=%2Fapp')
	})
}))

test('the keyboard alone is enough', () => open({}, async (page, context) => {
	const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim())
	await choose_password(page, invite('kai'))
	await context.clearCookies()
	await page.goto(`${url}/app/sign-in`)
	// The field has the focus already.
	assert.equal(await focused(), 'email')
	await page.keyboard.type('kai@example.com')
	await page.keyboard.press('Enter')
	await page.waitForSelector('#password')
	assert.equal(await focused(), 'password')
	await page.keyboard.type(password)
	await page.keyboard.press('Enter')
	await page.waitForURL('**/app')
	await page.keyboard.press('Tab')
	assert.equal(await focused(), 'Skip to content')
	for (const name of ['Octavo', 'Home', 'Account']) {
		await page.keyboard.press('Tab')
		assert.equal(await focused(), name)
		assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'none')
	}
	await page.keyboard.press('Enter')
	await page.waitForURL('**/app/account')
	for (let i = 0; i < 30 && await focused() !== 'label'; i++) await page.keyboard.press('Tab')
	await page.keyboard.type('By keys')
	await page.keyboard.press('Enter')
	await page.waitForSelector('.secret')
}))

test('a form of another origin changes nothing, and a frame shows nothing', () => open({}, async (page, context) => {
	await choose_password(page, invite('lou'))
	const [session] = (await context.cookies()).filter(c => c.name === 'octavo_session')
	// Ports are no part of a site: the browser sends the cookie along.
	const other = await other_server(`<title>x</title><form method=post action="${url}/app/sign-out"><input name=csrf value=x><button>Go</button></form>
		<iframe src="${url}/app/sign-in"></iframe>`)
	try {
		const evil = await context.newPage()
		const refused = evil.waitForEvent('console', m => /frame-ancestors/.test(m.text()))
		await evil.goto(other.at)
		await refused
		const answered = evil.waitForResponse('**/app/sign-out')
		await evil.click('button')
		assert.equal((await answered).status(), 403)
		await page.goto(`${url}/app`)
		assert.match(await page.textContent('.lead'), /lou@example\.com/)
		assert.equal((await context.cookies()).find(c => c.name === 'octavo_session').value, session.value)
	} finally {
		other.close()
	}
}))

test('a program on this machine gets a token that its user has confirmed', () => open({}, async page => {
	await choose_password(page, invite('mia'))
	const program = await other_server('<title>Done</title>Done')
	const verifier = randomBytes(32).toString('base64url')
	const challenge = createHash('sha256').update(verifier).digest('base64url')
	try {
		for (const host of ['127.0.0.1', 'localhost']) {
			const at = program.at.replace('127.0.0.1', host)
			await page.goto(`${url}/app/authorize?client=editor&scope=read&days=1&state=s%26t&challenge=${challenge}&redirect=${encodeURIComponent(`${at}/back`)}`)
			assert.match(await page.textContent('h1'), /editor/)
			await page.click('.primary')
			await page.waitForURL(`${at}/back?**`)
			const answer = new URL(page.url()).searchParams
			assert.equal(answer.get('state'), 's&t')
			const token = await (await fetch(`${url}/v1/sso/token`, { method: 'POST', headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ code: answer.get('code'), verifier }) })).json()
			assert.equal(token.label, 'editor')
			assert.equal(token.scope, 'read')
		}
		await page.goto(`${url}/app/authorize?client=editor&scope=read&challenge=${challenge}&redirect=${encodeURIComponent(program.at)}`)
		await page.click('text=Cancel')
		await page.waitForURL('**/?error=access_denied')
	} finally {
		program.close()
	}
}, ['http://127.0.0.1:', 'http://localhost:']))
