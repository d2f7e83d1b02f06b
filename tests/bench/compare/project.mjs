// The same repository as a project of another generator: `node project.mjs GENERATOR REPOSITORY PROJECT`, with
// starlight, vitepress, docusaurus or material (MkDocs). Pages get their title in the frontmatter, pictures stand where
// the generator serves them, and SUMMARY.md becomes its sidebar. Blocks that only Octavo knows ({% … %}) stay as text,
// and what would end a build (braces, tags that are not closed) is escaped.
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const [generator, from, to] = process.argv.slice(2)
const pages = join(to, { starlight: 'src/content/docs', vitepress: '.', docusaurus: 'docs', material: 'docs' }[generator])
const assets = { starlight: 'public/assets', vitepress: 'public/assets', docusaurus: 'static/assets', material: 'docs/assets' }[generator]
const plain = text => text.replace(/[*_`]|<[^>]*>/g, '').trim()

// The address that Starlight gives a file: README is the index of its folder.
const slug = path => path.replace(/(^|\/)README\.md$/i, '$1index.md').replace(/\.md$/, '').replace(/(^|\/)index$/, '')
	.toLowerCase().replace(/[^\p{L}\p{N}/_ -]/gu, '').replace(/ /g, '-')

// Links between files lead to their pages; pictures to public/.
function links(text, path) {
	const target = href => {
		// Docusaurus ends its build at an address that is none.
		if (/^https?:/i.test(href) && !URL.canParse(href)) return '#'
		if (/^[a-z]+:|^[#/]/i.test(href)) return href
		const [file, anchor] = decodeURI(href.replace(/%(?![0-9a-f]{2})/gi, '%25')).split('#')
		const full = posix.join(posix.dirname(path), file)
		if (full.includes('.gitbook/assets/')) return '/assets/' + encodeURIComponent(full.split('.gitbook/assets/')[1])
		if (!/\.md$/.test(full) && /\.[a-z0-9]{2,5}$/i.test(full) && existsSync(join(from, full))) {
			mkdirSync(dirname(join(to, assets, full)), { recursive: true })
			cpSync(join(from, full), join(to, assets, full))
			return '/assets/' + encodeURI(full)
		}
		return /\.md$/.test(full) ? `/${slug(full)}${/starlight|material/.test(generator) ? '/' : ''}${anchor ? '#' + anchor : ''}` : href
	}
	// A picture that the repository does not have ends a build of VitePress: its text stays.
	const missing = src => !/^[a-z]+:|^[#/]/i.test(src) && !existsSync(join(from, posix.dirname(path), decodeURIComponent(src.replace(/%(?![0-9a-f]{2})/gi, '%25'))))
	text = text.replace(/!\[([^\]]*)\]\(<?([^()<>\s]+)>?\)/g, (all, alt, src) => missing(src) ? alt : all)
		.replace(/<img[^>]*? src="([^"]*)"[^>]*>/g, (all, src) => missing(src) ? '' : all)
	return text.replace(/(\]\()<?([^()<>]+?)>?(\s"[^"]*")?\)/g, (_, a, href, title) => `${a}${target(href)}${title || ''})`)
		.replace(/(<img[^>]*? src=")([^"]*)"/g, (_, a, href) => `${a}${target(href)}"`)
}

// Only outside of code: fenced blocks, which end with as many signs as they began with, and spans.
function outsideCode(text, change) {
	const code = /^ *(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?\n)?? *\1[`~]* *$|(`+)[^`\n]*\2(?!`)/gm
	let out = '', from = 0
	for (const m of text.matchAll(code)) {
		out += change(text.slice(from, m.index)) + m[0]
		from = m.index + m[0].length
	}
	return out + change(text.slice(from))
}

// Vue takes {{ }} and tags for its own, and MDX braces. Pictures stay; other HTML is text.
function harmless(text) {
	return text.replace(/<!--[\s\S]*?-->/g, '').replace(/<code>([^<`{}]*)<\/code>/g, '`$1`').replace(/<img[^>]*? src="([^"]*)"[^>]*>/g, (_, src) => `![](${src.replace(/ /g, '%20')})`)
		.replace(/<\/?[A-Za-z][^<>]*>/g, tag => /^<(https?:|mailto:)/.test(tag) ? tag : '').replace(/<(?!https?:|mailto:)/g, '&lt;').replace(/[{}]/g, c => `&#${c.charCodeAt(0)};`)
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
	const text2 = links(heading ? body.replace(heading[0], '') : body, path)
	// The others write the title of the frontmatter themselves.
	const shown = generator === 'starlight' ? text2 : (/vitepress|material/.test(generator) ? `# ${title.replace(/[<>{}]/g, '')}\n\n` : '') + outsideCode(text2, harmless)
	writeFileSync(out, `---\n${meta.join('\n')}\n---\n\n${shown}`)
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
cpSync(join(from, '.gitbook/assets'), join(to, assets), { recursive: true })
const TITLE = 'GL SDK', ABOUT = 'Documentation of GL SDK', bar = sidebar()
if (generator === 'starlight') {
	writeFileSync(join(to, 'src/content.config.ts'), `import { defineCollection } from 'astro:content'
import { docsLoader } from '@astrojs/starlight/loaders'
import { docsSchema } from '@astrojs/starlight/schema'
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }
`)
	writeFileSync(join(to, 'astro.config.mjs'), `import { defineConfig } from 'astro/config'
import starlight from '@astrojs/starlight'
export default defineConfig({ site: 'http://127.0.0.1', telemetry: false, integrations: [starlight({ title: '${TITLE}', description: '${ABOUT}', sidebar: ${JSON.stringify(bar)} })] })
`)
} else if (generator === 'vitepress') {
	const items = list => list.map(e => ({ text: e.label, link: e.link?.replace(/(.)\/$/, '$1'), ...(e.items ? { collapsed: true, items: items(e.items) } : {}) }))
	mkdirSync(join(to, '.vitepress'), { recursive: true })
	writeFileSync(join(to, '.vitepress/config.mjs'), `export default { title: '${TITLE}', description: '${ABOUT}', cleanUrls: true, ignoreDeadLinks: true,
	markdown: { html: false, attrs: { disable: true } }, vue: { template: { compilerOptions: { delimiters: ['\\u0001', '\\u0002'] } } },
	themeConfig: { search: { provider: 'local' }, outline: 'deep', sidebar: ${JSON.stringify(items(bar))} } }
`)
} else if (generator === 'material') {
	const file = link => ['.md', '/index.md'].map(end => link.replace(/^\/|\/$/g, '') + end).find(n => existsSync(join(pages, n))) || 'index.md'
	const items = list => list.map(e => ({ [e.label || 'Untitled']: e.items ? items(e.items) : file(e.link) })).filter(e => Object.values(e)[0].length)
	// JSON is YAML. Its fonts would come from another server.
	writeFileSync(join(to, 'mkdocs.yml'), JSON.stringify({ site_name: TITLE, site_description: ABOUT, site_url: 'http://127.0.0.1/', theme: { name: 'material', font: false },
		plugins: ['search'], markdown_extensions: ['admonition', 'tables', 'fenced_code', 'codehilite', { toc: { permalink: true } }], nav: items(bar) }))
} else {
	const known = new Set(readdirSync(pages, { recursive: true }).filter(n => n.endsWith('.md')).map(n => n.replace(/\.md$/, '')))
	const id = link => ['', '/index'].map(end => (link.replace(/^\/|\/$/g, '') + end).replace(/^\//, '')).find(n => known.has(n)) || 'index'
	const items = list => list.map(e => e.items ? { type: 'category', label: e.label || 'Untitled', collapsed: true, items: items(e.items) } : { type: 'doc', id: id(e.link), label: e.label })
		.filter(e => e.type === 'doc' || e.items.length)
	writeFileSync(join(to, 'sidebars.js'), `module.exports = { docs: ${JSON.stringify(items(bar))} }\n`)
	writeFileSync(join(to, 'docusaurus.config.js'), `module.exports = { title: '${TITLE}', tagline: '${ABOUT}', url: 'http://127.0.0.1', baseUrl: '/', onBrokenLinks: 'ignore', onBrokenAnchors: 'ignore',
	markdown: { format: 'md', hooks: { onBrokenMarkdownLinks: 'ignore', onBrokenMarkdownImages: 'ignore' } }, trailingSlash: false,
	presets: [['classic', { docs: { routeBasePath: '/', sidebarPath: './sidebars.js' }, blog: false }]],
	themes: [['@easyops-cn/docusaurus-search-local', { docsRouteBasePath: '/', indexBlog: false, language: ['en', 'zh'] }]],
	themeConfig: { navbar: { title: '${TITLE}' } } }
`)
}
