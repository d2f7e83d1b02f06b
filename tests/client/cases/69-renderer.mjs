// The requests of the open-source renderer, in its order: one test for each kind of failure that it had.
import test from 'node:test';
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { admin, flatten, laterClient, octavo, organization, refused, repositories, tokens } from '../lib/service.mjs';

const { orgs } = admin;

// Steps 1 to 4 for every page: the site of a URL, its structure, its space, the revision with its pages.
async function open(address) {
	const { data: at } = await admin.urls.resolvePublishedContentByUrl({ url: address, visitor: { type: 'human', unsignedClaims: {} }, redirectOnError: false });
	// With the token from the look-up; the renderer makes a client for each request.
	const api = laterClient(at.apiToken);
	const { data: site } = await api.orgs.getPublishedContentSite(at.organization, at.site, {});
	const { data: space } = await api.spaces.getSpaceById(at.space, {});
	const { data: revision } = await api.spaces.getRevisionById(at.space, space.revision, { metadata: true });
	return { at, api, site, space, revision };
}

// Steps 5 and 6, and 7 for its Markdown.
async function page({ at, api, space }, id) {
	await api.spaces.listRevisionPageMetaLinks(at.space, space.revision, id);
	const { data: document } = await api.spaces.getPageDocumentInRevisionById(at.space, space.revision, id,
		{ evaluated: 'deterministic-only', dereferenced: ['reusable-contents'] });
	const { data: { markdown } } = await api.spaces.getPageInRevisionById(at.space, space.revision, id,
		{ format: 'markdown', 'format.markdown.refs': 'stable' });
	return { document, markdown };
}

// Imports these files into a new space; returns its revision.
function imported(title, files) {
	const to = join(repositories, title);
	mkdirSync(to, { recursive: true });
	for (const [name, text] of Object.entries(files)) writeFileSync(join(to, name), text);
	const git = (...args) => execFileSync('git', ['-C', to, '-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args]);
	git('init', '-q', '-b', 'main');
	git('add', '-A');
	git('commit', '-q', '-m', 'first');
	return JSON.parse(octavo('import', '--org', organization, '--title', title, '--url', to, '--json')).result;
}

async function published(title, spaces) {
	const { data: site } = await orgs.createSite(organization, { title, visibility: 'public', spaces });
	return { site, address: (await orgs.publishSite(organization, site.id)).data.urls.published };
}

async function specification(slug, tag) {
	const text = JSON.stringify({ openapi: '3.0.3', info: { title: slug, version: '1' }, tags: [{ name: tag }],
		paths: { '/one': { get: { operationId: 'one', tags: [tag], responses: { 200: { description: 'OK' } } } } } });
	await orgs.createOrUpdateOpenApiSpecBySlug(organization, slug, { source: { text } });
	for (let left = 100; left > 0; left -= 1) {
		if ((await orgs.getOpenApiSpecBySlug(organization, slug)).data.processingState === 'complete') return;
		await new Promise((done) => setTimeout(done, 100));
	}
	assert.fail(`${slug} is not processed`);
}

const computed = (slug) => `* \`\`\`yaml
  type: builtin:openapi
  props:
    models: true
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: ${slug}
  \`\`\`
`;

test('every page of a site has a document, those of a description of an API too', async () => {
	await specification('render', 'things');
	const { space } = imported('render-api', { 'README.md': '# API\n\nWords.\n',
		'SUMMARY.md': `# Summary\n\n* [API](README.md)\n\n## Reference\n\n${computed('render')}` });
	const { site, address } = await published('Render API', [space]);
	const seen = await open(address);
	const pages = flatten(seen.revision.pages).filter((p) => p.type === 'document');
	assert.deepEqual(pages.map((p) => p.path).sort(), ['readme', 'reference/overview', 'reference/things']);
	for (const p of pages) {
		const { document, markdown } = await page(seen, p.id);
		assert.ok(document.nodes.length > 0 || p.path === 'reference/overview', p.path);
		assert.match(markdown, /^# /);
		const operation = document.nodes.find((n) => n.type === 'openapi-operation');
		if (operation) await seen.api.orgs.getLatestOpenApiSpecVersionContent(organization, operation.data.ref.spec);
		assert.equal(Boolean(operation), p.path === 'reference/things');
	}
	await orgs.deleteSiteById(organization, site.id);
});

test('a computed page without its specification is in no tree, and ends no page of the site', async () => {
	const { space } = imported('render-gone', { 'README.md': '# Words\n',
		'SUMMARY.md': `# Summary\n\n* [Words](README.md)\n\n## Reference\n\n${computed('never-there')}` });
	const { site, address } = await published('Render gone', [space]);
	const seen = await open(address);
	assert.deepEqual(flatten(seen.revision.pages).map((p) => [p.type, p.path]), [['document', 'readme'], ['group', 'reference']]);
	const { data } = await admin.spaces.getRevisionById(space, seen.space.revision, { computed: false });
	assert.ok(flatten(data.pages).some((p) => p.type === 'computed'));
	await orgs.deleteSiteById(organization, site.id);
});

test('a search for this site space and one for the others find each page once', async () => {
	const words = (title) => ({ 'README.md': `# ${title}\n\nThe zyzzyva is a beetle.\n`, 'SUMMARY.md': `# Summary\n\n* [${title}](README.md)\n` });
	const [one, two, three] = ['render-one', 'render-two', 'render-three'].map((title) => imported(title, words(title)).space);
	const { site, address } = await published('Render search', [one]);
	// The first section takes over the existing content, and gets its own space as a variant.
	await orgs.addSectionToSite(organization, site.id, { spaceId: two, title: 'Two' });
	const { data: other } = await orgs.addSectionToSite(organization, site.id, { spaceId: three, title: 'Three' });
	// The same space again, as a variant of another section.
	await orgs.addSpaceToSite(organization, site.id, { spaceId: two, sectionId: other.id });
	const seen = await open(address);
	const found = async (scope) => (await seen.api.orgs.searchSiteContent(organization, site.id, { query: 'zyzzyva', scope }, {})).data.items.map((i) => i.id);
	const currentSiteSpace = seen.at.siteSpace;
	const all = await found({ mode: 'default', currentSiteSpace });
	const here = await found({ mode: 'default', currentSiteSpace, restrictTo: 'currentSiteSpace' });
	const elsewhere = await found({ mode: 'default', currentSiteSpace, restrictTo: 'otherSiteSpaces' });
	assert.deepEqual(here, [seen.at.space]);
	assert.deepEqual(elsewhere, [three]);
	assert.deepEqual([...here, ...elsewhere].sort(), all.sort());
	assert.deepEqual((await found({ mode: 'all' })).sort(), [one, two, three].sort());
	await orgs.deleteSiteById(organization, site.id);
});

test('a site shows neither advertisements nor a box that nobody answers', async () => {
	const { space } = imported('render-quiet', { 'README.md': '# Quiet\n' });
	const { site, address } = await published('Render quiet', [space]);
	const look = (await orgs.getSiteCustomizationById(organization, site.id, {})).data;
	await orgs.updateSiteCustomizationById(organization, site.id, { ...look, ai: { mode: 'assistant' } });
	const seen = await open(address);
	assert.equal(seen.site.site.ads.status, 'disabled');
	assert.equal(seen.site.customizations.site.ai.mode, 'none');
	assert.equal((await orgs.getSiteCustomizationById(organization, site.id, {})).data.ai.mode, 'assistant');
	await orgs.deleteSiteById(organization, site.id);
});

test('what a site allows in frames is embedded, all else is a link', async () => {
	const { space } = imported('render-frames', { 'README.md': '# Frames\n' });
	const { site, address } = await published('Render frames', [space]);
	const asked = async (api, link) => (await api.spaces.getEmbedByUrlInSpace(space, { url: link })).data;
	const film = 'https://www.youtube.com/watch?v=abc_DEF-1';
	assert.equal((await asked((await open(address)).api, film)).type, 'link');
	// `embeds` exists only in Octavo.
	await admin.request({ path: `/orgs/${organization}/sites/${site.id}/customization`, method: 'PUT', type: 'application/json', secure: true, format: 'json',
		body: { ...(await orgs.getSiteCustomizationById(organization, site.id, {})).data, embeds: { hosts: ['www.youtube-nocookie.com', 'frames.example'] } } });
	const { api } = await open(address);
	for (const by of [api, admin]) {
		const { type, html, title } = await asked(by, film);
		assert.deepEqual([type, title], ['rich', 'www.youtube.com/watch?v=abc_DEF-1']);
		assert.match(html, /^<iframe src="https:\/\/www\.youtube-nocookie\.com\/embed\/abc_DEF-1".* sandbox="allow-scripts[^"]*"/);
	}
	assert.match((await asked(api, "https://frames.example/a?b='&c=%22%3Cscript%3E")).html,
		/^<iframe src="https:\/\/frames\.example\/a\?b=('|&#39;)&(#38|amp);c=%22%3Cscript%3E" /);
	for (const link of ['http://frames.example/a', 'https://frames.example:8443/a', 'https://me@frames.example/', 'https://frames.example.org/',
		'https://vimeo.com/1'])
		assert.equal((await asked(api, link)).type, 'link', link);
	await orgs.deleteSiteById(organization, site.id);
});

test('the name of a page in the cache on disk has room for hosts of 16, 22, and 30 without quotes', async () => {
	const { space } = imported('render-short', { 'README.md': '# Short\n' });
	const { site, address } = await published('Render short', [space]);
	const { at } = await open(address);
	assert.equal(at.siteSection, undefined);
	const text = (v) => (/^[^-0-9 '!:(),*@$][^ '!:(),*@$]*$/.test(v) ? v : `'${v}'`);
	// The name of the folder in which the renderer stores the look-up, in its notation.
	const name = (host) => {
		const data = { site: at.site, siteSpace: at.siteSpace, siteBasePath: '/', basePath: '/', space: at.space,
			organization: at.organization, apiToken: at.apiToken, imagesContextId: host };
		return `(${Object.keys(data).sort().map((key) => `${key}:${text(data[key])}`).join(',')})`;
	};
	for (const host of ['docs.example.org', 'docs.hostof22.example'.padEnd(22, 's')])
		assert.ok(Buffer.byteLength(name(host)) <= 255, `${host.length}, ${name(host).length}: ${name(host)}`);
	// Ids that begin with a digit are quoted, which happens at random.
	const longest = name('handbook.host-of-30.example.co').replaceAll("'", '');
	assert.ok(Buffer.byteLength(longest) <= 255, `${longest.length}: ${longest}`);
	assert.match(at.apiToken, /^e30\.[\w-]+\.[\w-]+$/);
	await orgs.deleteSiteById(organization, site.id);
});

test('a redirect for all that begins alike answers where a path is in no page', async () => {
	const { space } = imported('render-moved', { 'README.md': '# Moved\n', 'here.md': '# Here\n',
		'SUMMARY.md': '# Summary\n\n* [Moved](README.md)\n* [Here](here.md)\n' });
	const { site, address } = await published('Render moved', [space]);
	const newest = laterClient(tokens.admin).orgs;
	const { data: made } = await newest.createSiteRedirect(organization, site.id,
		{ source: '/old/*', captureWildcard: true, permanent: true, destination: { kind: 'site-space', siteSpaceId: (await open(address)).at.siteSpace } });
	assert.deepEqual([made.draft, made.captureWildcard, made.permanent], [false, true, true]);
	const { at, api, space: shown } = await open(`${address}old/a/b`);
	assert.equal(at.pathname, 'old/a/b');
	// Steps 8 and 9, in this order; the second is expected to find nothing.
	const { data } = await api.orgs.getSiteRedirectBySource(organization, site.id, { source: '/old/a/b' });
	assert.deepEqual([data.target, data.redirect.id], [`${address}a/b`, made.id]);
	// A draft with the path of a page: it does not redirect before it is published.
	const draft = { source: '/draft', destination: { kind: 'path', spaceId: space, path: 'here' } };
	assert.equal((await newest.createSiteRedirect(organization, site.id, { ...draft, draft: true })).data.destination.kind, 'site-page');
	await refused(404, /./, api.orgs.getSiteRedirectBySource(organization, site.id, { source: '/draft' }));
	assert.deepEqual((await newest.listSiteRedirects(organization, site.id, { draft: true, orderBy: 'updatedAt' })).data.items.map((r) => r.source), ['/draft']);
	const put = (await newest.bulkUpsertSiteRedirects(organization, site.id, { redirects: [{ source: '/draft', intent: 'publish' }] })).data;
	assert.deepEqual([put.results[0].status, put.results[0].draft], ['published', false]);
	assert.equal((await api.orgs.getSiteRedirectBySource(organization, site.id, { source: '/draft' })).data.target, `${address}here`);
	await refused(404, /./, api.orgs.getSiteRedirectBySource(organization, site.id, { source: '/nothing' }));
	await refused(404, /./, api.spaces.getPageInRevisionByPath(space, shown.revision, 'nothing', {}));
	await orgs.deleteSiteById(organization, site.id);
});
