// Spaces and change requests below /app, as people use them: two of them from sign-in to merge with a conflict,
// two tabs, a session that ends, phone, keyboard alone, without JavaScript, right to left, dark. Each view is
// accessible and valid, no wider than the screen, and small.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { execFileSync } from 'node:child_process'
import { after, before, test } from 'node:test'
import { chromium } from 'playwright-core'
import { HtmlValidate } from 'html-validate'

const { OCTAVO_TEST_URL: url, OCTAVO_TEST_TOKEN: token, OCTAVO_TEST_octavo: octavo, OCTAVO_TEST_dir: dir, OCTAVO_TEST_ORG: org,
	OCTAVO_SHOTS: shots } = process.env
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
// What pages of spaces contain is checked with the reader: here the frame.
const validator = new HtmlValidate({ extends: ['html-validate:standard'], rules: { 'no-raw-characters': 'off', 'long-title': 'off',
	'void-style': 'off', 'doctype-style': 'off', 'attribute-boolean-style': 'off', 'attribute-empty-style': 'off', 'no-inline-style': 'off' } })
const PHONE = { viewport: { width: 320, height: 640 }, colorScheme: 'dark' }, DESK = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }
const HTML_MOST = 12_000, CSS_MOST = 15_000, SCRIPTS_MOST = 20_000
let browser, space, page_id, second_id

const command = (...words) => JSON.parse(execFileSync(octavo, [...words, '--dir', dir, '--json'], { env: { ...process.env, OCTAVO_URL: url } }))
async function api(method, path, body) {
	const answer = await fetch(`${url}/v1${path}`, { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body) })
	assert.ok(answer.ok, `${method} ${path}: ${answer.status}`)
	return answer.status === 204 ? null : answer.json()
}
const write = (request, page, markdown) => api('POST', `/spaces/${space}/change-requests/${request}/content`,
	{ changes: [{ operation: 'update_page', page, document: { markdown } }] })
async function merged(subject, changes) {
	const { id } = await api('POST', `/spaces/${space}/change-requests`, { subject })
	await api('POST', `/spaces/${space}/change-requests/${id}/content`, { changes })
	assert.notEqual((await api('POST', `/spaces/${space}/change-requests/${id}/merge`)).result, 'conflicts')
}

before(async () => {
	browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })
	space = (await api('POST', `/orgs/${org}/spaces`, { title: 'Shared words' })).id
	await merged('First', [{ operation: 'insert_page', title: 'Start', document: { markdown:
		'One red house.\n\n## Prices\n\n| Thing | Price |\n| --- | --- |\n| Tea | 2 |\n\nLast line.\n\n```js\nconst a_long_line = "that does not fit on a phone, because it goes on and on"\n```\n' } },
		{ operation: 'insert_page', title: 'End', document: { markdown: 'The end.\n' } }])
	const { pages } = await api('GET', `/spaces/${space}/content/pages`)
	page_id = pages[0].id
	second_id = pages[1].id
})
after(() => browser?.close())

// Browsers of people for fn; what they complain of, and requests to elsewhere, fail the test.
async function people(names, options, fn) {
	const contexts = [], pages = [], complaints = []
	try {
		for (const [name, role] of names) {
			const context = await browser.newContext({ ...DESK, ...options })
			const page = await context.newPage()
			contexts.push(context)
			pages.push(page)
			page.setDefaultTimeout(20000)
			page.on('console', m => { if (m.type() === 'error' && !/the server responded with a status of 4/.test(m.text())) complaints.push(m.text()) })
			page.on('pageerror', e => complaints.push(String(e)))
			page.on('request', r => { if (!r.url().startsWith(url) && !r.url().startsWith('data:')) complaints.push(`asks ${r.url()}`) })
			await page.goto(command('user', 'invite', '--email', `${name}@example.com`, '--name', name, '--org', org, '--role', role).link)
			await page.fill('#password', 'correct horse battery')
			await page.click('.primary')
			await page.waitForURL('**/app?done=password')
		}
		await fn(...pages)
		assert.deepEqual(complaints, [])
	} finally {
		for (const context of contexts) await context.close()
	}
}

// In both looks for pictures, otherwise in one of them by turns: all pages have one style sheet.
let turns = 0
async function look_at(page, name, looks = shots ? [DESK, PHONE] : [[DESK, PHONE][turns++ % 2]]) {
	const html = await page.content()
	assert.ok(Buffer.byteLength(html) <= HTML_MOST, `${name} has ${Buffer.byteLength(html)} bytes of HTML`)
	const report = await validator.validateString(html)
	assert.deepEqual(report.results.flatMap(r => r.messages.map(m => `${name}: ${m.ruleId}: ${m.message} (${m.line}:${m.column})`)), [])
	const before = page.viewportSize()
	await page.evaluate(axe)
	for (const { viewport, colorScheme } of looks) {
		await page.setViewportSize(viewport)
		await page.emulateMedia({ colorScheme })
		const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'] }))
		assert.deepEqual(violations.map(v => `${name}: ${v.id}: ${v.nodes[0].html}`), [])
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} is wider than ${viewport.width}`)
		if (shots) await page.screenshot({ path: `${shots}/app-${name}-${viewport.width}.png`, fullPage: true })
	}
	await page.setViewportSize(before)
}
const at = tail => `${url}/app/spaces/${space}${tail}`

test('two people come from sign-in to a merge with a conflict', () => people([['anna', 'edit'], ['ben', 'review']], {}, async (anna, ben) => {
	await anna.goto(`${url}/app`)
	await look_at(anna, 'home')
	await anna.click(`a[href$="/orgs/${org}"]`)
	await look_at(anna, 'organization')
	await anna.goto(at(''))
	await look_at(anna, 'space')
	await anna.goto(at('/requests'))
	await anna.fill('#subject', 'Paint it')
	await anna.click('#new .primary')
	await anna.waitForURL('**/requests/*')
	const request = anna.url().split('/').pop()
	await write(request, page_id, 'One blue house.\n\n## Prices\n\n| Thing | Price |\n| --- | --- |\n| Tea | 3 |\n\nMy last line.\n')
	await anna.reload()
	await anna.click('text=Ready for review')
	await look_at(anna, 'request')
	// Ben comments on a block and on a cell, and approves.
	await ben.goto(at(`/requests/${request}/pages/${page_id}`))
	await ben.click('.say >> nth=0')
	await ben.fill('#on-block', 'Why **blue**?')
	await ben.click('text=Post >> nth=0')
	await ben.waitForURL('**#comment-*')
	await look_at(ben, 'request-page')
	await ben.click('.b:has(table) > .say')
	await ben.selectOption('#cell', { index: 2 })
	await look_at(ben, 'comment-on-a-cell')
	await ben.fill('#on-block', 'Dear.')
	await ben.click('.b:has(table) button:has-text("Post")')
	await ben.waitForURL('**#comment-*')
	assert.equal(await ben.locator('article .comments > li').count(), 2)
	await ben.click('article a.reply >> nth=0')
	await ben.click('.emoji >> nth=0')
	assert.equal(await ben.getAttribute('.emoji >> nth=0', 'aria-pressed'), 'true')
	// A reply that is being written stays while a reaction is pressed, and while the comment is resolved.
	await ben.click('article a.reply >> nth=0')
	await ben.fill('form.reply textarea', 'Half written')
	await ben.route('**/reply', route => route.fulfill({ contentType: 'text/plain', body: 'no answer of ours' }))
	await ben.click('form.reply .emoji >> nth=0')
	await ben.waitForSelector('article li:has(form.reply) [role=alert]:visible')
	await ben.unroute('**/reply')
	await ben.click('form.reply .emoji >> nth=0')
	await ben.waitForFunction(() => document.querySelectorAll('.emoji[aria-pressed=true]').length === 2)
	assert.equal(await ben.locator('form.reply .emoji').count(), 2)
	for (const name of ['resolve', 'reopen']) {
		await ben.click(`article li:has(form.reply) button[name=${name}]`)
		await ben.waitForSelector(`article li:has(form.reply) button[name=${name === 'resolve' ? 'reopen' : 'resolve'}]`)
	}
	assert.equal(await ben.inputValue('form.reply textarea'), 'Half written')
	await ben.click('form.reply button:has-text("Post")')
	await ben.waitForURL('**#comment-*')
	assert.match(await ben.textContent('article .replies'), /Half written/)
	await ben.goto(at(`/requests/${request}`))
	await ben.click('button[value=approved]')
	await ben.waitForURL('**done=reviewed*')
	// The space changes at the same place.
	await merged('Faster', [{ operation: 'update_page', page: page_id, document: { markdown:
		'One green house.\n\n## Prices\n\n| Thing | Price |\n| --- | --- |\n| Tea | 2 |\n\nTheir last line.\n' } }])
	await ben.goto(at(`/requests/${request}`))
	await ben.click('button:has-text("Merge") >> nth=0')
	await ben.waitForURL('**/conflicts')
	await look_at(ben, 'conflicts')
	await ben.check('input[name=take-0][value=theirs]')
	await ben.check('input[name=take-1][value=text]')
	await ben.fill('textarea[name=text-1]', 'Our last line.')
	await ben.click('.actions .primary')
	await ben.waitForURL('**done=resolved')
	await ben.click('button:has-text("Merge") >> nth=0')
	await ben.waitForURL('**done=merged')
	await look_at(ben, 'merged', [PHONE])
	await anna.goto(at(`/pages/${page_id}`))
	assert.match(await anna.textContent('article'), /One green house[^]*Tea[^]*3[^]*Our last line/)
	await anna.goto(at('/history'))
	await look_at(anna, 'history')
	await anna.click('.rows a >> nth=0')
	await look_at(anna, 'revision')
	await anna.click('text=Compare')
	await anna.selectOption('#from', { index: 2 })
	await anna.click('button:has-text("Compare")')
	await look_at(anna, 'compared')
	await anna.click('.change a >> nth=0')
	await look_at(anna, 'page-compared')
	await anna.goto(at(`/history?pageId=${page_id}`))
	await look_at(anna, 'page-history')
	await anna.goto(at('/requests'))
	await look_at(anna, 'requests')
	// The merge is undone by a request of its own.
	await anna.click('text=Paint it')
	await anna.click('text=Undo by a change request')
	await anna.waitForURL('**/requests/*')
	assert.match(await anna.textContent('.diff'), /-Our last line[^]*\+Their last line/)
	await anna.click('text=Archive')
	await anna.click('text=Reopen')
	await anna.click('text=Archive')
}))

test('a form of another tab or an ended session loses nothing that was typed', () => people([['cleo', 'review']], {}, async cleo => {
	const { id } = await api('POST', `/spaces/${space}/change-requests`, { subject: 'Two tabs' })
	await write(id, second_id, 'My end.\n')
	await merged('Other end', [{ operation: 'update_page', page: second_id, document: { markdown: 'Their end.\n' } }])
	await api('POST', `/spaces/${space}/change-requests/${id}/update`)
	await cleo.goto(at(`/requests/${id}/conflicts`))
	const other = await cleo.context().newPage()
	await other.goto(at(`/requests/${id}/conflicts`))
	await cleo.check('input[type=radio][value=text]')
	await cleo.fill('textarea', 'Typed in the first tab.')
	await other.check('input[type=radio][value=ours]')
	await other.click('.actions .primary')
	await other.waitForURL('**done=resolved')
	await cleo.click('.actions .primary')
	assert.match(await cleo.textContent('[role=alert]'), /since/)
	assert.match(await cleo.textContent('main'), /Typed in the first tab\./)
	// The session ends while a comment is written; after signing in again it is sent.
	await cleo.goto(at(`/requests/${id}`))
	await cleo.fill('#new-comment', 'A long thought,\nwith two lines.')
	await other.goto(`${url}/app`)
	await other.click('.quiet')
	await other.waitForURL('**/sign-in?done=out')
	await cleo.click('#comments button:has-text("Post")')
	assert.equal(await cleo.inputValue('textarea'), 'A long thought,\nwith two lines.')
	await look_at(cleo, 'send-again', [PHONE])
	await other.fill('#email', 'cleo@example.com')
	await other.click('.primary')
	await other.fill('#password', 'correct horse battery')
	await other.click('.primary')
	await other.waitForURL('**/app')
	await cleo.click('.primary')
	await cleo.waitForURL('**#comment-*')
	assert.match(await cleo.textContent('#comments'), /with two lines/)
}))

test('the keyboard alone and no script are enough, on a phone as well', () => people([['dora', 'review']], { ...PHONE, javaScriptEnabled: false }, async dora => {
	await dora.goto(at(`/pages/${page_id}`))
	assert.ok(!await dora.isVisible('.fold'), 'the tree is folded on a phone')
	const article = await dora.locator('article').boundingBox()
	assert.ok(article.y < 640, 'the article is on the first screen')
	await dora.focus('.unfold')
	await dora.keyboard.press('Enter')
	await dora.waitForURL('**tree=1')
	assert.ok(await dora.isVisible('.fold'))
	await dora.goto(at(`/pages/${second_id}`))
	assert.ok(await dora.isVisible('.fold'), 'that it is unfolded is remembered')
	await dora.focus('text=Comment on a part')
	await dora.keyboard.press('Enter')
	await dora.waitForURL('**comment=')
	await dora.focus('.say')
	await dora.keyboard.press('Enter')
	await dora.waitForURL('**comment=*')
	await dora.focus('#on-block')
	await dora.keyboard.type('By keys.')
	await dora.keyboard.press('Tab')
	await dora.keyboard.press('Enter')
	await dora.waitForURL('**#comment-*')
	assert.match(await dora.textContent('article'), /By keys/)
	assert.ok(!await dora.isVisible('#keys-open'), 'without scripts no key works, so none is offered')
}))

test('a branch of the tree opens without leaving the page, and groups stay open', () => people([['hal', 'read']], {}, async hal => {
	await hal.goto(`${url}/app/spaces/${process.env.OCTAVO_TEST_manual}`)
	const here = hal.url(), shown = text => hal.isVisible(`.tree >> text="${text}"`)
	const remembered = change => Promise.all([hal.waitForResponse(r => new URL(r.url()).search.startsWith(`?${change}=`)), hal.click('.tree .group:text-is("People")')])
	assert.ok(!await shown('Audit record') && !await shown('Roles'), 'groups of a large tree are folded')
	await remembered('show')
	await hal.waitForSelector('.tree >> text="Roles"')
	assert.equal(await hal.getAttribute('.tree .group:text-is("People")', 'aria-expanded'), 'true')
	await hal.click('.tree .twist[aria-label$="Roles"]')
	await hal.waitForSelector('.tree >> text="Flags by role"')
	assert.equal(hal.url(), here)
	await look_at(hal, 'tree')
	await hal.click('.tree .twist[aria-label$="Roles"]')
	assert.ok(!await shown('Flags by role'))
	await hal.reload()
	assert.ok(await shown('Roles'), 'the group is still open')
	await remembered('hide')
	assert.ok(!await shown('Roles'))
	await hal.reload()
	assert.ok(!await shown('Roles'))
}))

test('keys lead from one comment and change to the next, and can be switched off', () => people([['fay', 'comment']], {}, async fay => {
	const { id } = await api('POST', `/spaces/${space}/change-requests`, { subject: 'Keys' }), comments = `/spaces/${space}/change-requests/${id}/comments`
	await write(id, second_id, 'The very end.\n\nReally.\n')
	const { blocks } = await api('GET', `/spaces/${space}/change-requests/${id}/content/page/${second_id}/html?blocks=true`)
	for (const { key } of blocks) await api('POST', comments, { page: second_id, node: key, body: { markdown: 'On a line.' } })
	await api('POST', comments, { body: { markdown: 'On the whole.' } })
	await fay.goto(at(`/requests/${id}`))
	const focused = () => fay.evaluate(() => document.activeElement.textContent)
	// The comments are between the lines of the difference, each after its own.
	assert.match(await fay.textContent('.diff'), /very end\.[^]*On a line\.[^]*Really\.[^]*On a line\./)
	assert.equal(await fay.locator('.diff .comments > li').count(), 2)
	await fay.keyboard.press('n')
	assert.match(await focused(), /On a line/)
	assert.match(await fay.getAttribute(':focus', 'aria-label'), /^Comment 1\/3, Ada$/)
	assert.equal(await fay.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), 'solid')
	await fay.keyboard.press('n')
	await fay.keyboard.press('n')
	assert.match(await focused(), /On the whole/)
	await fay.keyboard.press('p')
	assert.match(await fay.getAttribute(':focus', 'aria-label'), /2\/3/)
	await fay.keyboard.press('k')
	assert.match(await fay.getAttribute(':focus', 'class'), /change/)
	await fay.keyboard.press('u')
	await fay.keyboard.press('r')
	await fay.waitForSelector('.reply textarea:focus')
	// Letters in a field are text, and the reply is shown where the comment is.
	await fay.keyboard.type('no key')
	assert.equal(await fay.inputValue(':focus'), 'no key')
	await fay.keyboard.press('Tab')
	await fay.keyboard.press('Enter')
	await fay.waitForURL('**#comment-*')
	assert.match(await fay.textContent('.diff .replies'), /no key/)
	// A comment can begin on a line of the difference.
	await fay.click('.diff > a.lines')
	await fay.waitForSelector('.diff a.say:focus')
	await fay.click('.diff > a.lines:text-is("Close")')
	await fay.waitForSelector('.diff:not(:has(a.say)) > a.lines:focus')
	await fay.click('.diff > a.lines')
	await fay.waitForSelector('.diff a.say:focus')
	await look_at(fay, 'lines')
	await fay.click('.diff pre a.say >> nth=1')
	await fay.waitForSelector('.diff textarea:focus')
	await fay.keyboard.type('On the second.')
	await fay.click('.diff a.say >> nth=0')
	await fay.waitForSelector('.diff textarea:focus')
	assert.equal(await fay.inputValue(':focus'), 'On the second.', 'what was typed stays')
	await fay.click('.diff form button:has-text("Post")')
	await fay.waitForURL('**#comment-*')
	assert.match(await fay.textContent('.diff'), /Really\.[^]*On the second\./)
	let scripts = 0
	for (const at of await fay.evaluate(() => [...document.scripts].map(s => s.src))) scripts += (await (await fetch(at)).arrayBuffer()).byteLength
	assert.ok(scripts > 0 && scripts <= SCRIPTS_MOST, `the scripts have ${scripts} bytes`)
	// A change that was viewed is folded, until it changes.
	const ticked = () => fay.isChecked('.viewed input'), folded = async () => !await fay.isVisible('.diff pre >> nth=0')
	await fay.check('.viewed input')
	assert.ok(await folded())
	await fay.reload()
	assert.ok(await ticked() && await folded(), 'this browser keeps the tick')
	await look_at(fay, 'viewed')
	await write(id, second_id, 'The very last end.\n\nReally.\n')
	await fay.reload()
	assert.ok(!await ticked() && !await folded(), 'a change that has changed was not viewed')
	await fay.keyboard.press('?')
	await fay.waitForSelector('dialog:visible')
	await look_at(fay, 'keys')
	await fay.check('[name=off]')
	await fay.keyboard.press('Escape')
	await fay.reload()
	await fay.evaluate(() => document.activeElement.blur())
	await fay.keyboard.press('n')
	assert.equal(await fay.evaluate(() => document.activeElement.tagName), 'BODY')
	await fay.click('#keys-open')
	assert.ok(await fay.isChecked('[name=off]'))
	await fay.goto(at('/requests'))
	await fay.goto(at(`/requests/${id}#change-1`))
	const [title, difference] = [await fay.locator('.change .what').boundingBox(), await fay.locator('.change .diff').boundingBox()]
	assert.ok(difference.y >= title.y + title.height, 'a change that an address names is laid out as the others')
}))

test('tabs, reviews, replies and the links of a space have room', () => people([['ivy', 'admin']], { viewport: { width: 1440, height: 900 } }, async ivy => {
	const box = part => ivy.locator(part).first().boundingBox()
	const { id } = await api('POST', `/spaces/${space}/change-requests`, { subject: 'Room' })
	const change = markdown => api('POST', `/spaces/${space}/change-requests/${id}/content`, { changes: [{ operation: 'insert_page', title: 'Ways',
		document: { markdown } }] })
	await change('{% tabs %}\n{% tab title="By hand" %}\nFirst way.\n{% endtab %}\n\n{% tab title="By machine" %}\nSecond way.\n{% endtab %}\n{% endtabs %}\n')
	await ivy.goto(at(`/requests/${id}`))
	assert.ok((await box('a[href$="about=1"]')).y > (await box('.about time')).y + 8, 'the link is below the time')
	await ivy.fill('#new-comment', 'Is there another way?')
	await ivy.click('#comments button:has-text("Post")')
	await ivy.waitForURL('**#comment-*')
	await ivy.click('a.reply')
	await ivy.waitForSelector('form.reply')
	assert.ok((await box('button[name=resolve]')).height < 50, 'an open reply does not stretch the buttons beside it')
	await ivy.click('.emoji >> nth=0')
	await ivy.waitForURL('**#comment-*')
	await ivy.click('a.reply')
	await ivy.waitForSelector('form.reply')
	for (const width of [390, 1440]) {
		await ivy.setViewportSize({ width, height: 900 })
		const field = await box('form.reply textarea'), row = await box('form.reply .emoji'), post = await box('form.reply .btn')
		assert.ok((await box('.emoji[aria-pressed=true]')).height < 50, 'a reaction before the form is not stretched')
		assert.ok(field.width > 0.9 * (await box('.comments .actions')).width, 'the field has the width of the comment')
		assert.ok(row.y + row.height + 6 <= field.y && field.y + field.height + 6 <= post.y, 'emoji, field and button are apart')
	}
	await ivy.click('button[value=changes-requested]')
	await ivy.waitForURL('**done=reviewed*')
	const notice = await box('.notice'), next = await box('.notice + *')
	assert.ok(next.y >= notice.y + notice.height + 8, 'a notice is apart from what follows it')
	await ivy.click('button[value=approved]')
	await ivy.waitForURL('**done=reviewed*')
	await ivy.waitForSelector('#reviews .gone + small')
	assert.ok((await box('#reviews strong')).height < 40, 'the name of a reviewer is in one line')
	await ivy.click('.what a:has-text("Ways") >> nth=0')
	await ivy.waitForURL('**/pages/*')
	await ivy.waitForSelector('.tabs')
	assert.equal(await ivy.locator('.tabs > input').first().evaluate(e => getComputedStyle(e).opacity), '0')
	assert.ok(!await ivy.isVisible('text=Second way.'))
	await ivy.click('.tabs label:has-text("By machine")')
	assert.ok(await ivy.isVisible('text=Second way.'))
	assert.ok(!await ivy.isVisible('text=First way.'))
	await look_at(ivy, 'tabs')
	await ivy.setViewportSize({ width: 390, height: 800 })
	await ivy.goto(at(`/requests/${id}`))
	await ivy.fill('input[name=email]', 'ivy@example.com')
	await ivy.click('#reviews .line .btn')
	await ivy.waitForURL('**done=asked*')
	const said = await box('.notice')
	assert.ok(said.y >= 0 && said.y + said.height <= 800, 'the notice is on the screen')
	await ivy.goto(at('/git'))
	for (const link of await ivy.locator('.bar .row a').all()) {
		const { x, width } = await link.boundingBox()
		assert.ok(x >= 0 && x + width <= 390, `${await link.textContent()} is on the screen`)
	}
}))

test('blocks that were added or removed are marked as a whole', () => people([['jan', 'admin']], {}, async jan => {
	const words = ['* A list', '| A | table |\n| --- | --- |\n| 1 | 2 |', '{% hint style="info" %}\nA hint.\n{% endhint %}', '```\nA code\n```',
		'> A quotation', '{% tabs %}\n{% tab title="A" %}\nIn tabs.\n{% endtab %}\n{% endtabs %}', `![A picture](${url}/app/icon.0123456789abcdef.svg)`]
	const { id: other } = await api('POST', `/orgs/${org}/spaces`, { title: 'Marks' })
	const requests = `/spaces/${other}/change-requests`
	const change = async change => {
		const { id } = await api('POST', requests, {})
		await api('POST', `${requests}/${id}/content`, { changes: [change] })
		return id
	}
	const write = markdown => ({ document: { markdown: `${markdown}\n\nEnd.\n` } })
	await api('POST', `${requests}/${await change({ operation: 'insert_page', title: 'All', ...write(words.join('\n\n')) })}/merge`)
	await api('POST', `${requests}/${await change({ operation: 'insert_page', title: 'None', ...write('Start.') })}/merge`)
	const { pages } = await api('GET', `/spaces/${other}/content/pages`)
	for (const [page, text, mark] of [[pages[0].id, 'Start.', 'del'], [pages[1].id, words.join('\n\n'), 'ins']]) {
		const id = await change({ operation: 'update_page', page, ...write(text) })
		await jan.goto(`${url}/app/spaces/${other}/requests/${id}/pages/${page}`)
		const marks = await jan.locator(`.b > ${mark}`).evaluateAll(list => list.map(e => [getComputedStyle(e).display, e.offsetHeight > e.firstElementChild.offsetHeight]))
		assert.deepEqual(marks, words.map(() => ['block', true]))
	}
}))

test('a tab that is not shown says that something changed in it', () => people([['kim', 'admin']], {}, async kim => {
	const { id: other } = await api('POST', `/orgs/${org}/spaces`, { title: 'Ways' })
	const requests = `/spaces/${other}/change-requests`
	const write = async change => {
		const { id } = await api('POST', requests, {})
		await api('POST', `${requests}/${id}/content`, { changes: [change] })
		return id
	}
	const two = second => ({ markdown: `{% tabs %}\n{% tab title="By hand" %}\nFirst way.\n{% endtab %}\n\n{% tab title="By machine" %}\n${second}\n{% endtab %}\n{% endtabs %}\n` })
	await api('POST', `${requests}/${await write({ operation: 'insert_page', title: 'Ways', document: two('Second way.') })}/merge`)
	const { pages } = await api('GET', `/spaces/${other}/content/pages`)
	const id = await write({ operation: 'update_page', page: pages[0].id, document: two('Second way, faster.') })
	await kim.goto(`${url}/app/spaces/${other}/requests/${id}/pages/${pages[0].id}`)
	const marks = await kim.locator('.tabs > label').evaluateAll(all => all.map(one => getComputedStyle(one, '::after').content))
	assert.deepEqual(marks, ['none', '" ●"'])
	await look_at(kim, 'changed-tab')
}))

test('without scripts, the editor offers no dropping of files', () => people([['jon', 'edit']], { javaScriptEnabled: false }, async jon => {
	await jon.goto(at(`/pages/${page_id}/edit`))
	assert.ok(await jon.isVisible('#file-about'))
	assert.ok(!await jon.isVisible('#file-about .by-script'))
}))

test('a space is written from right to left, and admins have their lists', () => people([['emir', 'admin']], { locale: 'ar' }, async emir => {
	await emir.goto(at(`/pages/${page_id}`))
	assert.equal(await emir.getAttribute('html', 'dir'), 'rtl')
	await look_at(emir, 'space-ar')
	await emir.goto(`${url}/app/orgs/${org}/admin`)
	await look_at(emir, 'admin-ar')
	await emir.goto(`${url}/app/orgs/${org}/audit`)
	await look_at(emir, 'audit-ar', [PHONE])
	await emir.goto(at('/git'))
	await look_at(emir, 'git-ar', [PHONE])
	await emir.goto(at('/files'))
	await look_at(emir, 'files-ar', [PHONE])
	await emir.goto(at('/links'))
	await look_at(emir, 'links-ar', [PHONE])
	await emir.goto(at('/search?q=house'))
	await look_at(emir, 'search-ar', [PHONE])
	const css = await fetch(await emir.evaluate(() => document.styleSheets[0].href))
	const bytes = (await css.arrayBuffer()).byteLength
	assert.ok(bytes <= CSS_MOST, `the style sheet has ${bytes} bytes`)
	assert.equal(await emir.locator('script').count(), 0)
}))
