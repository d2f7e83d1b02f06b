// The editor of a page's text below /app: its toolbar, the blocks of the dialect in a menu and after "/", with the
// keyboard alone; completion of pages, headings, files and people; what is pasted, also hostile HTML; Tab in tables; accessible in both looks and at three widths.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { api, lookAt, org, url, writer } from './writing.mjs'

let browser, page, complaints, space, request, at

before(async () => {
	space = (await api('POST', `/orgs/${org}/spaces`, { title: 'Blocks' })).id
	request = (await api('POST', `/spaces/${space}/change-requests`, { subject: 'First' })).id
	await api('POST', `/spaces/${space}/change-requests/${request}/content`, { changes: [
		{ operation: 'insert_page', title: 'Start', document: { markdown: 'One.\n' } },
		{ operation: 'insert_page', title: 'Red houses', document: { markdown: '## How to paint\n\nText.\n' } } ] })
	const { pages } = await api('GET', `/spaces/${space}/change-requests/${request}/content/pages`)
	at = `${url}/app/spaces/${space}/requests/${request}/pages/${pages[0].id}/edit`
	const person = await writer('blocks@example.com', 'Bea Blocks')
	browser = person.browser, page = person.page, complaints = person.complaints
	await page.goto(at)
	await page.waitForSelector('.CodeMirror')
})
after(async () => {
	await browser?.close()
	assert.deepEqual(complaints, [])
})

const value = () => page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.getValue())

/* Empties the text, with the caret in it. */
const clear = (text = '') => page.evaluate(text => {
	const editor = document.querySelector('.CodeMirror').CodeMirror
	editor.setValue(text)
	editor.setCursor(editor.lineCount(), 0)
	editor.focus()
}, text)
const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key) }
const shows = n => page.waitForFunction(n => document.querySelectorAll('.choices [role=option]').length === n, n)

test('a block is chosen after "/" with the keyboard alone', async () => {
	await clear('Before.\n')
	await page.keyboard.type('/hin')
	await shows(1)
	const field = page.locator('.CodeMirror [role=textbox]')
	assert.equal(await page.textContent(`#${await field.getAttribute('aria-activedescendant')}`), 'Hint')
	await press('Enter')
	assert.equal(await value(), 'Before.\n\n{% hint style="info" %}\n\n{% endhint %}\n')
	await page.keyboard.type('Careful')
	await page.waitForFunction(() => document.querySelector('.CodeMirror').CodeMirror.getValue().includes('%}\nCareful\n{%'))
	assert.equal(await page.locator('.choices').count(), 0)
	await page.waitForSelector('#preview :text("Careful")')
	await page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.undo())
})

test('the list follows what is typed, and Escape closes it', async () => {
	await clear()
	await page.keyboard.type('/')
	await page.waitForSelector('.choices [role=option]')
	await press('ArrowDown', 'ArrowDown')
	assert.equal(await page.getAttribute('.choices li:nth-child(3)', 'aria-selected'), 'true')
	await lookAt(page, 'slash')
	await press('Escape')
	assert.equal(await page.locator('.choices').count(), 0)
	await page.keyboard.type('tab')
	await page.waitForTimeout(300)
	assert.equal(await page.locator('.choices').count(), 0, 'what was refused is not offered again')
	assert.equal(await value(), '/tab')
	for (const text of ['a /', '```\n/']) {
		await clear()
		await page.keyboard.type(text)
		await page.waitForTimeout(300)
		assert.equal(await page.locator('.choices').count(), 0, `none in ${text}`)
	}
})

test('each block of the menu is understood by the server', async () => {
	const tags = { Hint: 'class="hint info"', Tabs: 'class="tabs"', Steps: 'class="steps"', Cards: 'class="cards"', 'Expandable section': '<details', Code: '<pre><code>Inside', 'Code with a title': 'Inside.*<pre><code',
		Formula: '<math', Table: '<table>', 'Embedded address': 'href="https://example.com/"', 'Card of a page': '<article', 'API operation': '<article', 'Reusable content': '<article' }
	for (const [label, selector] of Object.entries(tags)) {
		await clear('Words.\n')
		await page.click('.tools [aria-haspopup=menu]')
		await page.click(`.menu [role=menuitem]:text-is("${label}")`)
		await page.keyboard.type(label === 'Embedded address' ? 'https://example.com/' : label === 'Formula' ? 'a^2' : 'Inside')
		await page.waitForTimeout(150)
		const written = await value(), preview = await page.evaluate(async ({ space, page, markdown, url }) => {
			const form = document.querySelector('#editing form'), body = new URLSearchParams(new FormData(form))
			body.set('step', 'preview')
			body.set('text', markdown)
			return (await fetch(form.querySelector('[value=preview]').formAction.split('#')[0], { method: 'POST', body })).text()
		}, { markdown: written })
		assert.ok(!/\{%|\$\$/.test(preview.slice(preview.indexOf('id="preview"'))), `${label}: ${written}`)
		assert.equal(await page.evaluate(({ html, selector }) => new RegExp(selector).test(html), { html: preview.split('id="preview"')[1], selector }), true, `${label}: ${preview.split('id="preview"')[1]}`)
	}
	assert.deepEqual((await page.locator('ul#blocks li[data-kind=block]').evaluateAll(l => l.map(li => li.dataset.name))).filter(n => !['heading', 'list'].includes(n)),
		['hint', 'tabs', 'stepper', 'cards', 'expandable', 'code', 'code-title', 'math', 'table', 'embed', 'page', 'openapi', 'include'])
})

test('pages, headings, files, API operations and people are completed', async () => {
	const data = await api('GET', `/spaces/${space}/change-requests/${request}/content/pages`), red = data.pages[1].id
	await clear('See [red](')
	await page.keyboard.press('Control+End')
	await page.keyboard.type('HOUS')
	await shows(1)
	assert.equal(await page.textContent('.choices li'), 'Red houses red-houses')
	await lookAt(page, 'completion')
	await press('Enter')
	assert.equal(await value(), `See [red](/pages/${red})`)
	await press('ArrowLeft')
	await page.keyboard.type('#pai')
	await page.waitForSelector('.choices li:text("How to paint")')
	await press('Tab')
	assert.equal(await value(), `See [red](/pages/${red}#how-to-paint)`)
	await api('POST', `/spaces/${space}/change-requests/${request}/content`, { changes: [{ operation: 'insert_page', title: 'Blue (v2)', document: { markdown: 'x' } }] })
	await clear('See [blue](')
	await page.keyboard.type('blue (v')
	await shows(1)
	await press('Enter')
	assert.match(await value(), /^See \[blue\]\(\/pages\/\w+\)$/)
	await clear('See [red](')
	await page.keyboard.type('red h')
	await shows(1)
	await press('Enter')
	assert.equal(await value(), `See [red](/pages/${red})`, 'titles of several words are found')
	await clear('## A new heading\n\n')
	await page.keyboard.type('See [above](')
	await page.waitForSelector('#preview #a-new-heading')
	await page.keyboard.type('#new')
	await shows(1)
	await press('Enter')
	assert.equal(await value(), '## A new heading\n\nSee [above](#a-new-heading)', 'headings that are not saved yet')
	await clear('{% hint style="')
	await page.keyboard.type('w')
	await shows(1)
	await press('Enter')
	assert.equal(await value(), '{% hint style="warning')
	await clear()
	await page.keyboard.type('Ask @bea')
	await shows(1)
	await press('Enter')
	assert.match(await value(), /^Ask \[Bea Blocks\]\(\/users\/\w+ "mention"\)$/)
	await api('POST', `/spaces/${space}/change-requests/${request}/content`, { changes: [{ operation: 'insert_files', files: [{ name: 'old map.png', base64: 'iVBORw0KGgo=' }] }] })
	await clear()
	await page.keyboard.type('![A map](map')
	await shows(1)
	await press('Enter')
	assert.match(await value(), /^!\[A map\]\(\/files\/\w+\)$/)
	await clear()
	await page.keyboard.type('/card of')
	await shows(1)
	await press('Enter')
	await page.waitForSelector('.choices li:text("Red houses")')
	await page.click('.choices li:text("Red houses")')
	assert.equal(await value(), `{% content-ref url="/pages/${red}" %}\n{% endcontent-ref %}\n`)
	await page.waitForSelector('#preview a:has-text("Red houses")')
	await api('POST', `/orgs/${org}/openapi`, { slug: 'pets', source: { text: 'openapi: 3.0.3\ninfo: {title: Pets, version: "1"}\npaths:\n  /pets:\n    get: {summary: All pets, responses: {"200": {description: All}}}\n    post: {responses: {"200": {description: One}}}\n' } })
	for (let i = 0; i < 100 && !(await api('GET', `/orgs/${org}/openapi/pets`)).lastVersion; i++) await page.waitForTimeout(100)
	await clear()
	await page.keyboard.type('/api op')
	await shows(1)
	await press('Enter')
	await page.waitForSelector('.choices li:text("pets")')
	await press('Enter')
	await page.waitForSelector('.choices li:has-text("post /pets")')
	assert.deepEqual(await page.locator('.choices li').allTextContents(), ['get /pets All pets', 'post /pets'])
	await lookAt(page, 'operations')
	await press('ArrowDown', 'Enter')
	assert.equal(await value(), '{% openapi-operation spec="pets" path="/pets" method="post" %}\n{% endopenapi-operation %}\n')
	await clear()
	await page.keyboard.type('[x](<script>alert(1)')
	await page.waitForTimeout(500)
	assert.equal(await page.locator('.choices').count(), 0)
})

/* Pastes into the text; the text afterwards. */
async function pasted(types, text = '') {
	await clear(text)
	await page.evaluate(types => {
		const data = new DataTransfer()
		for (const [type, value] of Object.entries(types)) data.setData(type, value)
		document.querySelector('.CodeMirror [role=textbox]').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
	}, types)
	return value()
}

test('pasted HTML becomes Markdown', async () => {
	for (const [html, markdown] of [
		['<p>One <b>two</b> <i>three </i>four</p><p>Five</p>', 'One **two** _three_ four\n\nFive\n'],
		['<h1>T</h1><ul><li>a<ul><li>b</li></ul></li><li><p>c</p><p>d</p></li></ul><ol><li>x<li>y</ol>', '## T\n\n* a\n  * b\n* c\n\n  d\n\n1. x\n2. y\n'],
		['<table><tr><th>A</th><th>B</th></tr><tr><td colspan=2>x|y</td></tr><tr><td><p>1</p><p>2</p></td><td></td></tr></table>',
			'| A | B |\n| --- | --- |\n| x\\|y |   |\n| 1<br>2 |   |\n'],
		['<blockquote><p>a</p><p>b</p></blockquote><p>Use <code>a`b</code></p><hr>', '> a\n>\n> b\n\nUse ``a`b``\n\n---\n'],
		['<a href="https://example.com/a b">here</a> and <img alt="[it]" src="https://example.com/i.png">',
			'[here](https://example.com/a%20b) and ![\\[it\\]](https://example.com/i.png)'],
		['<h2 id="a">A<a href="https://example.com/p#a" class="headerlink">¶</a></h2><h3 id="b"><a href="https://example.com/p#b">B <code>c</code></a></h3>', '## A\n\n### B `c`\n'],
		['<p>So <math><semantics><mi>a</mi><annotation encoding="application/x-tex">a^2</annotation></semantics></math><span aria-hidden="true">a2</span>.</p>' +
			'<math display="block" alttext="b &lt; 1"><mi>b</mi></math>', 'So $$a^2$$.\n\n$$\nb < 1\n$$\n'],
		['<p>Type:</p><pre><code class="hljs language-bash">ls -l\n</code></pre>', 'Type:\n\n```bash\nls -l\n```\n'],
		['<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p><span style="font-weight:700">Bold</span> x<br>y</p></b>', '**Bold** x\\\ny\n'],
	]) assert.equal(await pasted({ 'text/html': html, 'text/plain': 'plain' }), markdown)
	assert.equal(await pasted({ 'text/html': '<b>bold</b>', 'text/plain': 'bold' }, 'A '), 'A **bold**', 'words stay in their line')
	assert.equal(await pasted({ 'text/html': '<b>x</b>', 'text/plain': 'x' }, '```\n'), '```\nx', 'nothing is changed in code')
	assert.equal(await pasted({ 'text/html': '<pre><span>a = *b</span></pre>', 'text/plain': 'a = *b' }), 'a = *b', 'source of programs stays as it is')
})

test('what is copied from a page of Octavo becomes what it was made of', async () => {
	const { insertedFiles: [file] } = await api('POST', `/spaces/${space}/change-requests/${request}/content?compat=false`, { changes: [{ operation: 'insert_files', files: [{ name: 'a map.png',
		base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' }] }] })
	const { pages } = await api('GET', `/spaces/${space}/change-requests/${request}/content/pages`), red = pages[1].id
	const markdown = `## Copied

#### Of the fourth level

See [the other](/pages/${red}#how-to-paint) and ![Map](/files/${file.id}).

{% hint style="warning" %}
Careful.
{% endhint %}

{% stepper %}
{% step %}
### First

Words.

{% tabs %}
{% tab title="One" %}
In one.
{% endtab %}

{% tab title="Two" %}
In two.
{% endtab %}
{% endtabs %}
{% endstep %}
{% endstepper %}

{% code title="main.c" %}
\`\`\`c
int x;
\`\`\`
{% endcode %}

\`\`\`bash
ls
\`\`\`

<details>

<summary>More</summary>

Inside.

</details>

<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody>
<tr><td><strong>A &lt; B</strong></td><td>Words, <code>code</code></td><td><a href="/pages/${red}"></a></td><td><a href="/files/${file.id}"></a></td></tr>
<tr><td>Two</td><td></td><td></td><td></td></tr>
</tbody></table>

The end.
`
	const written = await api('POST', `/spaces/${space}/change-requests/${request}/content?compat=false`, { changes: [{ operation: 'insert_page', title: 'Copied', document: { markdown } }] })
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
	await page.goto(at.replace(/pages.*/, `pages/${written.changes[0].page.id}`))
	await page.click('summary:text-is("More")')
	await page.evaluate(() => getSelection().selectAllChildren(document.querySelector('article')))
	await press('Control+c')
	await page.goto(at)
	await page.waitForSelector('.CodeMirror')
	await clear()
	await press('Control+v')
	await page.waitForFunction(() => /^(?!.*~files).*\/files\//s.test(document.querySelector('.CodeMirror').CodeMirror.getValue()))
	// A selection has only the tab that is shown.
	assert.equal(await value(), markdown.replace('\n{% tab title="Two" %}\nIn two.\n{% endtab %}\n', ''))
})

test('cells of a spreadsheet become a table', async () => {
	assert.equal(await pasted({ 'text/plain': 'Tea\t2\r\n"a ""b"""\t\r\n' }, 'Prices:'), 'Prices:\n\n| Tea | 2 |\n| --- | --- |\n| a "b" |   |\n')
	assert.equal(await pasted({ 'text/plain': '\tif (x)\n\ty' }), '\tif (x)\n\ty', 'lines that are indented are no table')
})

test('hostile HTML runs nothing, hangs nothing, and stays text', async () => {
	const text = await pasted({ 'text/plain': 'x', 'text/html': `<p>{% hint %} &lt;img src=x onerror=alert(1)&gt; *x* snake_case _y_ $$a$$ &amp;lt;</p><p># h</p><p>1. x</p>
		<script>alert(1)</script><style>p{}</style><svg><a href="javascript:alert(1)">s</a></svg><img src=x onerror=alert(1)><iframe src="javascript:alert(1)"></iframe>
		<a href="javascript:alert(1)">one</a> <a href=" java&#10;script:alert(1)">two</a> <a href="data:text/html,x">three</a> <b>x</b>` })
	assert.equal(text, '&#123;% hint %} \\<img src=x onerror=alert(1)> \\*x\\* snake_case \\_y\\_ &#36;&#36;a&#36;&#36; &amp;lt;\n\n\\# h\n\n1\\. x\n\none two three **x**\n')
	await page.waitForSelector('#preview strong:text-is("x")')
	assert.equal(await page.textContent('#preview p'), '{% hint %} <img src=x onerror=alert(1)> *x* snake_case _y_ $$a$$ &lt;')
	assert.equal(await page.locator('#preview img, #preview script, #preview a').count(), 0)
	assert.equal(await pasted({ 'text/plain': 'x', 'text/html': `<ul class="cards"><li><div class="cells"><div>{% x %} &lt;b&gt;</div></div><a class="over" href='https://example.com/" onclick="alert(1)'></a></li></ul>` +
		'<div class="hint x&quot; %}"><b>a</b></div><div class="tabs"><label>a" %}</label><div class="panel">b</div></div>' }),
	'<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody>\n' +
		'<tr><td>&#123;% x %} &lt;b></td><td><a href="https://example.com/%22%20onclick=%22alert%281%29"></a></td><td></td></tr>\n</tbody></table>\n\n' +
		'{% hint style="info" %}\n**a**\n{% endhint %}\n\n{% tabs %}\n{% tab title="a }" %}\nb\n{% endtab %}\n{% endtabs %}\n')
	for (const part of ['<a ', '<div>', '<p "', '<ul><li>', '<b>', '<table><tr><td>', '<!--', '&lt;*', '<a href="']) {
		const began = Date.now()
		await pasted({ 'text/plain': 'x', 'text/html': '<b>x</b>' + part.repeat(5000) })
		assert.ok(Date.now() - began < 8000, `${part} takes ${Date.now() - began} ms`)
	}
	await clear('Again.\n')
})

test('Tab goes through the cells of a table, and leaves it', async () => {
	await clear('| A | B |\n| --- | --- |\n| one | two |\n\nEnd.\n')
	const here = () => page.evaluate(() => {
		const editor = document.querySelector('.CodeMirror').CodeMirror
		return [editor.getSelection(), editor.getCursor().line, editor.hasFocus()]
	})
	await page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.setCursor(0, 2))
	await press('Tab')
	assert.deepEqual(await here(), ['B', 0, true])
	await press('Tab')
	assert.deepEqual(await here(), ['one', 2, true])
	await press('Shift+Tab')
	assert.deepEqual(await here(), ['B', 0, true])
	await press('Tab', 'Tab', 'Tab')
	await page.keyboard.type('three')
	await page.waitForTimeout(150)
	await press('Tab')
	await page.keyboard.type('four')
	await page.waitForTimeout(150)
	assert.equal(await value(), '| A | B |\n| --- | --- |\n| one | two |\n| three | four |\n\nEnd.\n')
	await press('Tab', 'Tab', 'Tab')
	assert.equal((await here())[2], false, 'an empty last row is left')
})

test('Enter in a cell makes a row, and leaves the table from an empty one', async () => {
	await clear()
	await page.keyboard.type('/table')
	await shows(1)
	await press('Enter')
	await page.keyboard.type('A')
	await press('Tab')
	await page.keyboard.type('B')
	await press('Tab')
	await page.keyboard.type('one')
	await press('Tab')
	await page.keyboard.type('two')
	await page.click('.tools [aria-haspopup=menu]')
	await page.click('.menu [role=menuitem]:text-is("Another column")')
	await page.keyboard.type('2')
	assert.equal(await value(), '| A | B |  |\n| --- | --- | --- |\n| one | two | 2 |\n')
	await press('Control+z', 'Control+z')
	await page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.setCursor(2, 11))
	await press('Enter')
	await page.keyboard.type('three')
	await press('Enter', 'Enter')
	await page.keyboard.type('After.')
	assert.equal(await value(), '| A | B |\n| --- | --- |\n| one | two |\n| three |  |\n\nAfter.')
	await page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.setCursor(0, 3))
	await press('Enter')
	await page.keyboard.type('first')
	assert.ok((await value()).startsWith('| A | B |\n| --- | --- |\n| first |  |\n| one | two |\n'))
	await clear()
	await page.keyboard.type('| A |')
	await press('Enter')
	await page.keyboard.type('| - |')
	await press('Enter')
	await page.keyboard.type('| x |')
	assert.equal(await value(), '| A |\n| - |\n| x |', 'who writes the bars is not disturbed')
})

test('Tab moves an item of a list below the one before it, Enter and Shift+Tab bring it back', async () => {
	await clear()
	await page.keyboard.type('* one')
	await press('Enter', 'Tab')
	await page.keyboard.type('inner')
	await press('Enter')
	await page.keyboard.type('second')
	await press('Enter', 'Enter')
	await page.keyboard.type('two')
	await press('Enter', 'Enter')
	await page.keyboard.type('1. first')
	await press('Enter', 'Tab')
	await page.keyboard.type('below')
	await press('Enter', 'Shift+Tab')
	await page.keyboard.type('next')
	assert.equal(await value(), '* one\n  * inner\n  * second\n* two\n\n1. first\n   1. below\n2. next')
	await press('Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Tab', 'Shift+Tab')
	assert.ok((await value()).endsWith('   1. below\n2. next'))
	await press('Tab')
	assert.ok((await value()).endsWith('   1. below\n   2. next'))
	await press('Tab', 'Tab')
	assert.ok(await page.evaluate(() => !document.querySelector('.CodeMirror').CodeMirror.hasFocus()), 'Tab leads on where nothing can be moved')
})

test('steps, tabs and cards get one more where the caret is', async () => {
	await clear()
	await page.keyboard.type('/steps')
	await shows(1)
	await press('Enter')
	await page.keyboard.type('One')
	await page.click('.tools [aria-haspopup=menu]')
	await page.click('.menu [role=menuitem]:text-is("Another step")')
	await page.keyboard.type('In between')
	await press('Enter')
	await page.keyboard.type('/')
	await page.waitForSelector('.choices [role=option]:text-is("Another step")')
	assert.equal(await page.locator('.choices [role=option]:text-is("Another tab")').count(), 0)
	await page.keyboard.type('tabs')
	await shows(1)
	await press('Enter')
	await page.keyboard.type('First')
	await press('ArrowDown')
	await page.keyboard.type('/another tab')
	await shows(1)
	await press('Enter')
	await page.keyboard.type('Second')
	assert.deepEqual((await value()).split('\n').filter(Boolean), ['{% stepper %}', '{% step %}', '### One', '{% endstep %}', '{% step %}', '### In between', '{% tabs %}',
		'{% tab title="First" %}', '{% endtab %}', '{% tab title="Second" %}', '{% endtab %}', '{% tab title="2" %}', '{% endtab %}', '{% endtabs %}', '{% endstep %}',
		'{% step %}', '### 2', '{% endstep %}', '{% endstepper %}'])
	const data = await api('GET', `/spaces/${space}/change-requests/${request}/content/pages`), red = data.pages[1].id
	await clear()
	await page.keyboard.type('/cards')
	await shows(1)
	await press('Enter')
	await page.keyboard.type('One')
	await page.click('.tools [aria-haspopup=menu]')
	await page.click('.menu [role=menuitem]:text-is("Another card")')
	await page.keyboard.type('Inner')
	await page.waitForFunction(() => document.querySelectorAll('#preview .cards li').length === 3)
	assert.equal(await page.locator('#preview .cards a').count(), 0, 'a card without a target has no link')
	assert.deepEqual(await page.locator('#preview .cards li').allTextContents(), ['One', 'Inner', '2'])
	await page.evaluate(() => {
		const editor = document.querySelector('.CodeMirror').CodeMirror, line = editor.getLine(2)
		editor.setCursor(2, line.indexOf('href="') + 6)
	})
	await page.keyboard.type('red h')
	await shows(1)
	await press('Enter')
	await page.waitForSelector('#preview .cards li:nth-child(2) a')
	assert.ok((await value()).includes(`<a href="/pages/${red}"></a>`))
	assert.equal(await page.locator('#preview .cards a').count(), 1)
})

test('Ctrl+B ends bold words, and takes bold away', async () => {
	await clear('Some ')
	await press('Control+b')
	await page.keyboard.type('bold')
	await press('Control+b')
	await page.keyboard.type(' words')
	assert.equal(await value(), 'Some **bold** words')
	await page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.setSelection({ line: 0, ch: 7 }, { line: 0, ch: 11 }))
	await press('Control+b')
	assert.equal(await value(), 'Some bold words')
	await press('Control+i', 'Control+b')
	assert.equal(await value(), 'Some _**bold**_ words')
})

test('the toolbar is one stop of Tab, and its menu opens with the keyboard', async () => {
	await clear('A house.\n')
	await page.evaluate(() => document.querySelector('.CodeMirror').CodeMirror.setSelection({ line: 0, ch: 2 }, { line: 0, ch: 7 }))
	await press('Shift+Tab', 'Home')
	assert.equal(await page.evaluate(() => document.activeElement.dataset.name), 'bold')
	await press('Enter')
	assert.equal(await value(), 'A **house**.\n')
	await press('Shift+Tab', 'ArrowRight', 'ArrowRight', 'Enter')
	assert.equal(await value(), 'A **[house]()**.\n')
	await page.waitForTimeout(300)
	await press('Escape', 'Control+End', 'Shift+Tab')
	assert.equal(await page.evaluate(() => document.activeElement.dataset.name), 'link', 'the bar remembers its button')
	await press('End', 'ArrowLeft', 'ArrowLeft', 'ArrowDown')
	assert.equal(await page.evaluate(() => document.activeElement.getAttribute('role')), 'menuitem')
	await lookAt(page, 'blocks-menu')
	await press('t', 't', 'Escape')
	assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-expanded')), 'false')
	await press('ArrowDown', 't', 't', 'Enter')
	await page.waitForFunction(() => document.querySelector('.CodeMirror').CodeMirror.getValue().includes('| --- | --- |'))
	await press('Control+b')
	assert.ok((await value()).includes('| **** |'))
})

test('Enter goes on with a list, and ends it in an empty item', async () => {
	await clear()
	await page.keyboard.type('* one')
	await press('Enter')
	await page.keyboard.type('two')
	await press('Enter', 'Enter')
	await page.keyboard.type('1. first')
	await press('Enter')
	await page.keyboard.type('second')
	await page.waitForTimeout(150)
	assert.equal(await value(), '* one\n* two\n\n1. first\n2. second')
})

test('the toolbar also writes in the plain field', async () => {
	await clear('Plain words.\n')
	await page.click('text=Plain text field')
	await page.fill('#text', 'Plain words.')
	await page.locator('#text').press('Control+a')
	await page.click('.tools [data-name=bold]')
	assert.equal(await page.inputValue('#text'), '**Plain words.**')
	await page.locator('#text').press('Control+End')
	await page.click('.tools [aria-haspopup=menu]')
	await page.click('.menu [role=menuitem]:text-is("Code")')
	await page.keyboard.type('x = 1')
	assert.equal(await page.inputValue('#text'), '**Plain words.**\n\n```\nx = 1\n```\n')
	await page.click('text=Editor with colours')
	assert.equal(await value(), '**Plain words.**\n\n```\nx = 1\n```\n')
})

test('the preview stays as far down as the text', async () => {
	await clear('Some words.\n\n'.repeat(200))
	await page.waitForFunction(() => document.querySelectorAll('#preview p').length === 200)
	await page.waitForFunction(() => document.getElementById('preview').scrollTop > 1000)
	await page.keyboard.type('The end.')
	await page.waitForSelector('#preview :text("The end.")')
	const below = await page.evaluate(() => {
		const { scrollTop, scrollHeight, clientHeight } = document.getElementById('preview')
		return scrollHeight - clientHeight - scrollTop
	})
	assert.ok(below < 40, `${below} points below`)
})

test('a new page is made by its title, and opens in the editor with the preview beside it', async () => {
	await page.goto(`${url}/app/spaces/${space}/requests/${request}/new`)
	await page.fill('#title', 'Fresh')
	await page.click('.actions .primary')
	await page.waitForURL('**/pages/*/edit')
	await page.waitForSelector('#preview')
	await page.waitForSelector('.CodeMirror')
	await lookAt(page, 'new-page', [[1400, 'light']])
})
