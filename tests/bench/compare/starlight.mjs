// The same repository as a project of Starlight: `node starlight.mjs REPOSITORY PROJECT`. Pages
// get the title that Starlight wants in their frontmatter, pictures stand where it serves them,
// and SUMMARY.md becomes its sidebar. Blocks that only Octavo knows ({% … %}) stay as text.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const [from, to] = process.argv.slice(2)
const pages = join(to, 'src/content/docs')
const plain = text => text.replace(/[*_`]|<[^>]*>/g, '').trim()

// The address that Starlight gives a file: README is the index of its folder.
const slug = path => path.replace(/(^|\/)README\.md$/i, '$1index.md').replace(/\.md$/, '').replace(/(^|\/)index$/, '')
	.toLowerCase().replace(/[^\p{L}\p{N}/_ -]/gu, '').replace(/ /g, '-')

// Links between files lead to their pages; pictures to public/.
function links(text, path) {
	const target = href => {
		if (/^[a-z]+:|^[#/]/i.test(href)) return href
		const [file, anchor] = decodeURI(href.replace(/%(?![0-9a-f]{2})/gi, '%25')).split('#')
		const full = posix.join(posix.dirname(path), file)
		if (full.includes('.gitbook/assets/')) return '/assets/' + encodeURIComponent(full.split('.gitbook/assets/')[1])
		return /\.md$/.test(full) ? `/${slug(full)}/${anchor ? '#' + anchor : ''}` : href
	}
	return text.replace(/(\]\()<?([^()<>]+?)>?(\s"[^"]*")?\)/g, (_, a, href, title) => `${a}${target(href)}${title || ''})`)
		.replace(/(<img[^>]*? src=")([^"]*)"/g, (_, a, href) => `${a}${target(href)}"`)
}

function page(path) {
	const text = readFileSync(join(from, path), 'utf8')
	const [, front = '', body] = /^(?:---\n([\s\S]*?)\n---\n)?([\s\S]*)$/.exec(text)
	const heading = /^#\s+(.+)$/m.exec(body)
	const title = plain(heading ? heading[1] : posix.basename(path, '.md')) || 'Untitled'
	const description = /^description: *["']?([^>|"'\n][^"'\n]*)["']?$/m.exec(front)
	const meta = [`title: ${JSON.stringify(title)}`, ...(description ? [`description: ${JSON.stringify(description[1])}`] : [])]
	const out = join(pages, (slug(path) || 'index') + '.md')
	mkdirSync(dirname(out), { recursive: true })
	writeFileSync(out, `---\n${meta.join('\n')}\n---\n\n${links(heading ? body.replace(heading[0], '') : body, path)}`)
}

// SUMMARY.md: headings are groups, lists nest; what has no page of its own is a label.
function sidebar() {
	const root = [], stack = [{ depth: -1, items: root }]
	for (const line of readFileSync(join(from, 'SUMMARY.md'), 'utf8').split('\n')) {
		const group = /^## +(.+)$/.exec(line), entry = /^( *)\* \[(.+?)\]\(<?([^)>"]+?)>?(?: +"(.*)")?\)/.exec(line)
		if (group) {
			const g = { label: plain(group[1]), items: [] }
			root.push(g)
			stack.splice(1, stack.length, { depth: -0.5, items: g.items })
		} else if (entry && existsSync(join(from, entry[3]))) {
			const depth = entry[1].length / 2
			while (stack.at(-1).depth >= depth) stack.pop()
			const item = { label: plain(entry[4] || entry[2]).replace(/\\(.)/g, '$1') || 'Untitled', link: '/' + slug(entry[3]) + '/' }
			const place = { depth, items: [] }
			place.own = item
			stack.at(-1).items.push(place)
			stack.push(place)
		}
	}
	const made = list => list.map(p => !p.own ? { ...p, items: made(p.items), collapsed: true } :
		p.items.length ? { label: p.own.label, collapsed: true, items: [p.own, ...made(p.items)] } : p.own)
	return made(root)
}

for (const name of readdirSync(from, { recursive: true }))
	if (name.endsWith('.md') && !/(^|\/)(\.|SUMMARY\.md$)/.test(name)) page(name)
cpSync(join(from, '.gitbook/assets'), join(to, 'public/assets'), { recursive: true })
writeFileSync(join(to, 'package.json'), '{ "private": true, "type": "module" }')
writeFileSync(join(to, 'src/content.config.ts'), `import { defineCollection } from 'astro:content'
import { docsLoader } from '@astrojs/starlight/loaders'
import { docsSchema } from '@astrojs/starlight/schema'
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }
`)
writeFileSync(join(to, 'astro.config.mjs'), `import { defineConfig } from 'astro/config'
import starlight from '@astrojs/starlight'
export default defineConfig({ site: 'http://127.0.0.1', telemetry: false, integrations: [starlight({ title: 'GL SDK', description: 'Documentation of GL SDK', sidebar: ${JSON.stringify(sidebar())} })] })
`)
