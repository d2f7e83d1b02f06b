// See sessions.sh. Each person types words that nobody else types. A word may vanish from the page only if the person who typed it
// takes it back. So each word that its author still wants must be in the page at the end.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chromium } from 'playwright-core'

const { OCTAVO_TEST_URL: url, OCTAVO_TEST_TOKEN: token, OCTAVO_TEST_octavo: octavo, OCTAVO_TEST_dir: dir, OCTAVO_TEST_ORG: org, MINUTES, SEED } = process.env
const figures = { steps: 0, words: 0, takenBack: 0, saves: 0, merged: 0, conflicts: 0, lostRequests: 0, lostAnswers: 0, slow: 0, offline: 0, reloads: 0 }
let state = Number(SEED) >>> 0, count = 0

// A generator with a seed (mulberry32).
function random(below) {
	state = (state + 0x6D2B79F5) >>> 0
	let t = state
	t = Math.imul(t ^ (t >>> 15), t | 1)
	t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
	return ((t ^ (t >>> 14)) >>> 0) % below
}

const wait = ms => new Promise(done => setTimeout(done, ms))

async function api(method, path, body) {
	const answer = await fetch(`${url}/v1${path}`, { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body) })
	assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
	return answer.json()
}

// ---- people ----

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
const space = (await api('POST', `/orgs/${org}/spaces`, { title: 'Sessions' })).id
const request = (await api('POST', `/spaces/${space}/change-requests`, { subject: 'Sessions' })).id
const text = Array.from({ length: 12 }, (_, i) => `Paragraph ${i}.\n`).join('\n')
const id = (await api('POST', `/spaces/${space}/change-requests/${request}/content?compat=false`,
	{ changes: [{ operation: 'insert_page', title: 'Page', document: { markdown: text } }] })).changes[0].page.id
const at = `${url}/app/spaces/${space}/requests/${request}/pages/${id}/edit`
const read = async () => (await api('GET', `/spaces/${space}/change-requests/${request}/content/page/${id}?format=markdown`)).markdown

async function person(name) {
	const { link } = JSON.parse(execFileSync(octavo, ['user', 'invite', '--email', `${name}@example.com`, '--name', name, '--org', org, '--role', 'edit',
		'--dir', dir, '--json'], { env: { ...process.env, OCTAVO_URL: url } }))
	const context = await browser.newContext({ viewport: { width: 1000, height: 800 } }), page = await context.newPage()
	await context.clock.install()
	page.setDefaultTimeout(60000)
	page.on('pageerror', e => { throw e })
	await page.goto(link)
	await page.fill('#password', 'correct horse battery')
	await page.click('.primary')
	await page.waitForURL('**/app?done=password')
	await page.goto(at)
	await page.waitForSelector('.CodeMirror')
	const one = { name, context, page, wanted: new Set(), network: 'good' }
	await context.route('**/edit', route => pass(one, route))
	return one
}

// ---- the network ----

async function pass(one, route) {
	const isSave = route.request().method() === 'POST' && (route.request().postData() || '').includes('step=keep')
	try {
		if (!isSave) return await route.continue()
		figures.saves++
		if (one.network === 'slow') {
			figures.slow++
			await wait(200 + random(3000))
		}
		if (one.network === 'bad' && random(2)) {
			figures.lostRequests++
			return await route.abort()
		}
		const answer = await route.fetch()
		if (one.network === 'bad') {
			figures.lostAnswers++
			return await route.abort()
		}
		const body = await answer.text()
		if (body.includes('data-text=')) figures.merged++
		await route.fulfill({ response: answer, body })
	} catch (e) {
		// The page was left meanwhile.
		if (!/closed|disposed|been handled|Target|Request context/.test(String(e))) throw e
	}
}

// ---- what a person does ----

const ownWords = one => new RegExp(`\\b${one.name}\\d+x\\b`, 'g')

// Does something in the editor, and notes which own words came and went by it.
async function act(one, step, argument) {
	const [before, after] = await one.page.evaluate(([step, argument]) => {
		const editor = document.querySelector('.CodeMirror').CodeMirror, was = editor.getValue()
		if (step === 'undo' || step === 'redo') editor[step]()
		else {
			const lines = editor.lineCount(), line = argument.place % lines, end = CodeMirror.Pos(line, editor.getLine(line).length)
			editor.replaceRange(argument.isNew ? `\n\n${argument.word}` : ` ${argument.word}`, end, end, '+input')
		}
		return [was, editor.getValue()]
	}, [step, argument])
	const had = new Set(before.match(ownWords(one))), has = new Set(after.match(ownWords(one)))
	for (const word of has) if (!had.has(word)) one.wanted.add(word)
	for (const word of had) if (!has.has(word) && one.wanted.delete(word)) figures.takenBack++
}

// At once, since an answer may replace the places.
async function choose(one) {
	const isChosen = await one.page.evaluate(() => {
		const places = document.getElementById('places')
		if (!places) return false
		for (const both of places.querySelectorAll('[value=both]')) both.checked = true
		places.querySelector('.primary').click()
		return true
	})
	figures.conflicts += isChosen
	return isChosen
}

async function reload(one) {
	figures.reloads++
	/* Without a network the page would be lost, not the text. */
	one.network = 'good'
	await one.context.setOffline(false)
	await one.page.goto(at)
	await one.page.waitForSelector('.CodeMirror')
	const take = one.page.locator('.notice .btn').first()
	if (await take.count()) await take.click()
}

async function step(one) {
	const what = random(100)
	figures.steps++
	if (await choose(one)) return
	if (what < 55) {
		figures.words++
		return act(one, 'type', { word: `${one.name}${count++}x`, place: random(1000), isNew: random(4) === 0 })
	}
	if (what < 63) return act(one, random(3) ? 'undo' : 'redo')
	if (what < 85) return one.context.clock.runFor(1000 + random(10000))
	if (what < 92) one.network = ['good', 'slow', 'bad'][random(3)]
	else if (what < 98) {
		const isOffline = random(2) === 0
		figures.offline += isOffline
		await one.context.setOffline(isOffline)
	} else await reload(one)
}

// Until the server has all.
async function finish(one) {
	one.network = 'good'
	await one.context.setOffline(false)
	for (let i = 0; i < 600; i++) {
		await choose(one)
		if ((await one.page.textContent('#state')).startsWith('All changes are saved')) return
		await one.context.clock.runFor(5000)
		await wait(100)
	}
	throw new Error(`${one.name}: ${await one.page.textContent('#state')}`)
}

const people = [await person('ann'), await person('ben')], end = Date.now() + Number(MINUTES) * 60000
while (Date.now() < end) {
	await step(people[random(2)])
	await wait(random(100))
}
for (let i = 0; i < 2; i++) for (const one of people) await finish(one)
const now = await read(), lost = people.flatMap(one => [...one.wanted].filter(word => !now.includes(word)))
const twice = people.flatMap(one => [...one.wanted].filter(word => now.split(word).length > 2))
console.log(JSON.stringify({ seed: Number(SEED), minutes: Number(MINUTES), ...figures, wanted: people.reduce((sum, one) => sum + one.wanted.size, 0),
	twice: twice.length, lost: lost.length, bytes: now.length }))
if (lost.length) console.log(`lost: ${lost.join(' ')}`)
await browser.close()
process.exit(lost.length ? 1 : 0)
