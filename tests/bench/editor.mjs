// Figures of an edit page in Chromium, for rows_editor.sh: node editor.mjs BASE COOKIE PATH ROUNDS. Prints lines "page MS",
// the main thread until the first preview is shown and all is quiet; "letter MS", scripts, styles and layout of a letter
// in 200 kB of Markdown; "bytes KB", all that is sent, compressed. Times are those of the thread on a processor, which do not
// depend on the machine's load.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const { chromium } = createRequire(fileURLToPath(new URL('../browser/package.json', import.meta.url)))('playwright-core')
const [base, cookie, path, rounds] = process.argv.slice(2), LETTERS = 30
const [, name, value] = /^([^=]*)=(.*)$/.exec(cookie)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] })

async function metrics(client) {
	return Object.fromEntries((await client.send('Performance.getMetrics')).metrics.map(m => [m.name, m.value]))
}

async function round() {
	const context = await browser.newContext({ viewport: { width: 1400, height: 900 } })
	await context.addCookies([{ name, value, url: base }])
	const page = await context.newPage(), client = await context.newCDPSession(page)
	await client.send('Performance.enable', { timeDomain: 'threadTicks' })
	await page.goto(base + path)
	await page.waitForSelector('#preview')
	await page.waitForTimeout(1000)
	console.log(`page ${(await metrics(client)).TaskDuration * 1000}`)
	console.log(`bytes ${await page.evaluate(() => ['navigation', 'resource'].flatMap(type => performance.getEntriesByType(type))
		.reduce((sum, entry) => sum + entry.encodedBodySize, 0)) / 1000}`)
	/* Nothing of this is saved: the letters are about writing alone. */
	await page.route('**/edit*', route => route.abort())
	await page.evaluate(() => {
		const editor = document.querySelector('.CodeMirror').CodeMirror
		editor.setValue('A word of *text* with some [link](x.md).\n\n'.repeat(4700))
		editor.setCursor(4700, 3)
		editor.focus()
	})
	await page.waitForTimeout(1500)
	const before = await metrics(client)
	for (let i = 0; i < LETTERS; i++) {
		await page.keyboard.press('x')
		await page.waitForTimeout(90)
	}
	const after = await metrics(client)
	console.log(`letter ${['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].reduce((sum, one) => sum + after[one] - before[one], 0) * 1000 / LETTERS}`)
	await context.close()
}

for (let i = 0; i < Number(rounds); i++) await round()
await browser.close()
