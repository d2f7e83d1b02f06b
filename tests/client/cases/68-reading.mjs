// URLs of published sites, resolved as the open-source renderer does it (lib/reading.mjs).
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { admin, client, octavo, organization, repositories } from '../lib/service.mjs';
import { newSpace } from '../lib/fixture.mjs';
import { candidates, lookups, read } from '../lib/reading.mjs';

const { orgs } = admin;
const id = organization;

// A new space with these files.
async function spaceOf(title, files) {
	const directory = join(repositories, `reading-${title}`);
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(directory, name)), { recursive: true });
		writeFileSync(join(directory, name), text);
	}
	const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
	const git = (...args) => execFileSync('git', [...who, '-C', directory, ...args]);
	git('init', '-q', '-b', 'main');
	git('add', '-A');
	git('commit', '-q', '-m', 'One');
	return (await newSpace(title, { url: `file://${directory}` })).space;
}

async function siteOf(title, spaces) {
	const site = (await orgs.createSite(id, { title, visibility: 'public', spaces: spaces.map((s) => s.id) })).data;
	const { urls } = (await orgs.publishSite(id, site.id)).data;
	return { ...site, at: urls.published };
}

const docs = await spaceOf('Docs', {
	'.gitbook.yaml': 'redirects:\n  old/page: ./new/page.md\n  "Old With Blanks": new/page.md\n  cafe/old: new/page.md#part\n',
	'SUMMARY.md': '* [Home](README.md)\n* [Page](new/page.md)\n* [Docs home](docs/README.md)\n  * [X](docs/x.md)\n* [About v1](v1.md)\n'
		+ '* [Hundred](my%20100%25%20page.md)\n* [Mine](mine.md)\n* [Others](others.md)\n',
	'README.md': '# Home\n', 'new/page.md': '# Page\n\n## Part\n', 'docs/README.md': '# Docs home\n', 'docs/x.md': '# X\n', 'v1.md': '# About v1\n',
	'my 100% page.md': '# Hundred\n',
	'mine.md': '---\nif: visitor.claims.unsigned.product === "A"\n---\n\n# Mine\n',
	'others.md': '---\nif: visitor.claims.unsigned.product !== "A"\n---\n\n# Others\n',
});
const version = await spaceOf('v1', { 'SUMMARY.md': '* [Start](README.md)\n* [In](in.md)\n', 'README.md': '# Start\n', 'in.md': '# In\n' });
const other = await spaceOf('v2', { 'SUMMARY.md': '* [Start](README.md)\n* [In](in.md)\n', 'README.md': '# Start\n', 'in.md': '# In\n' });

async function title(url, visitor) {
	const page = await read(url, visitor);
	return page && (page.title ?? page.redirect);
}

test('candidates are those of the renderer', () => {
	assert.deepEqual(candidates('http://h/a/b/').map((c) => [new URL(c.url).pathname, c.rest, c.primary]),
		[['/', 'a/b', false], ['/a', 'b', false], ['/a/b', '', true]]);
	assert.deepEqual(candidates('http://h/k/v/one/a/b').map((c) => [new URL(c.url).pathname, c.rest]), [['/k/v/one', 'a/b']]);
	assert.equal(candidates('http://h/a%2520b').at(-1).url, 'http://h/a%20b');
});

test('redirects of .gitbook.yaml and folders called like the segment lead to their pages', async () => {
	const site = await siteOf('Reading', [docs]);
	assert.equal(await title(site.at), 'Home');
	for (const path of ['old/page', 'OLD/page/', 'old%20with%20blanks', 'old%2520with%2520blanks', 'cafe/old', 'new/page'])
		assert.equal(await title(site.at + path), 'Page', path);
	assert.equal((await admin.urls.resolvePublishedContentByUrl({ url: `${site.at}old/page` })).data.canonicalUrl, `${site.at}new/page`);
	assert.equal(await title(`${site.at}docs`), 'Docs home');
	assert.equal(await title(`${site.at}docs/x`), 'X');
	assert.equal(await title(`${site.at}nothing/here`), null);
	await orgs.createSiteRedirect(id, site.id, { source: '/way',
		destination: { kind: 'site-space', siteSpaceId: (await orgs.listSiteSpaces(id, site.id, {})).data.items[0].id } });
	assert.equal(await title(`${site.at}way`), site.at);
	await orgs.deleteSiteById(id, site.id);
});

test('blanks and percent signs are read however often they are encoded', async () => {
	const site = await siteOf('Spelled', [docs]);
	for (const path of ['my%20100%25%20page', 'my%2520100%2525%2520page'])
		assert.equal((await admin.spaces.getPageInRevisionByPath(docs.id, (await admin.spaces.getSpaceById(docs.id)).data.revision, path)).data.title, 'Hundred');
	const found = await admin.urls.resolvePublishedContentByUrl({ url: `${site.at}my%2520100%2525%2520page` });
	// Imported file names become paths without escapes; the spelling of the file name redirects there.
	assert.equal(found.data.canonicalUrl, `${site.at}my-100-page`);
	await orgs.deleteSiteById(id, site.id);
});

test('claims that nobody sends meet no condition', async () => {
	const site = await siteOf('Claimed', [docs]);
	assert.equal(await title(`${site.at}others`), 'Others');
	assert.equal(await title(`${site.at}mine`), null);
	await orgs.updateSiteById(id, site.id, { adaptiveContent: { enabled: true } });
	assert.equal(await title(`${site.at}others`), 'Others');
	assert.equal(await title(`${site.at}others`, { unsignedClaims: { product: 'A' } }), null);
	assert.equal(await title(`${site.at}mine`, { unsignedClaims: { product: 'A' } }), 'Mine');
	await orgs.deleteSiteById(id, site.id);
});

test('variants: whoever wins the race shows the same page', async () => {
	const site = await siteOf('Raced', [docs, version, other]);
	assert.equal((await admin.urls.resolvePublishedContentByUrl({ url: site.at })).data.complete, false);
	assert.equal((await admin.urls.resolvePublishedContentByUrl({ url: site.at.slice(0, -1) })).data.complete, false);
	assert.deepEqual((await read(`${site.at}v2/in`)).space, other.id);
	assert.deepEqual((await read(`${site.at}v2`)).space, other.id);
	assert.equal(await title(`${site.at}v2`), 'Start');
	// A page of the default space takes precedence; the path of a variant with that name gets a prefix.
	assert.equal(await title(`${site.at}v1`), 'About v1');
	assert.deepEqual((await read(`${site.at}v/v1`)).space, version.id);
	assert.deepEqual((await read(`${site.at}v/v1/in`)).space, version.id);
	assert.deepEqual((await read(`${site.at}docs/x`)).space, docs.id);
	assert.deepEqual((await read(`${site.at}old/page`)).title, 'Page');
	// The URL that the profile names as published resolves to the same site space.
	const { data: found } = await admin.urls.resolvePublishedContentByUrl({ url: site.at });
	const { data: profile } = await client(found.apiToken).orgs.getPublishedContentSite(id, site.id, {});
	for (const space of profile.structure.structure)
		for (const url of [space.urls.published, `${space.urls.published}in`])
			assert.equal((await lookups(url)).at(-1).siteSpace, space.id, url);
	await orgs.deleteSiteById(id, site.id);
});

test('sections: whoever wins the race shows the same page', async () => {
	const site = await siteOf('Parted', [docs]);
	await orgs.addSectionToSite(id, site.id, { title: 'First', spaceId: docs.id });
	await orgs.addSectionToSite(id, site.id, { title: 'Second', spaceId: version.id });
	const second = (await orgs.listSiteSections(id, site.id, {})).data.items.find((s) => s.title === 'Second');
	await orgs.addSpaceToSite(id, site.id, { spaceId: other.id, sectionId: second.id });
	// On a hostname of the site, the renderer looks up only the first four segments of a longer path.
	octavo('site', 'hostname', '--site', site.id, 'parted.reading.test');
	const at = 'http://parted.reading.test/';
	for (const path of ['', 'second', 'second/'])
		assert.equal((await admin.urls.resolvePublishedContentByUrl({ url: at + path })).data.complete, false, path);
	assert.deepEqual((await read(`${at}second/in`)).space, version.id);
	assert.deepEqual((await read(`${at}second/v2/in`)).space, other.id);
	assert.deepEqual((await read(`${at}second/v2`)).space, other.id);
	assert.deepEqual((await read(`${at}docs/x`)).space, docs.id);
	await orgs.deleteSiteById(id, site.id);
});

test('a hostname: the lookup by path sends there, the one by name agrees with itself', async () => {
	const site = await siteOf('Hosted', [docs, version]);
	octavo('site', 'hostname', '--site', site.id, 'docs.reading.test');
	assert.deepEqual(await read(`${site.at}docs/x`), { redirect: 'http://docs.reading.test/docs/x' });
	assert.equal(await title('https://docs.reading.test/docs/x'), 'X');
	assert.equal(await title('https://docs.reading.test/v/v1/in'), 'In');
	const { data } = await admin.urls.resolvePublishedContentByUrl({ url: 'https://docs.reading.test/docs/x' });
	assert.deepEqual([data.basePath, data.siteBasePath, data.canonicalUrl], ['/', '/', 'http://docs.reading.test/docs/x']);
	await orgs.updateSiteById(id, site.id, { proxy: 'reading.example.org/help' });
	assert.equal(await title(`${site.at}docs/x`), 'X');
	assert.equal(await title('https://reading.example.org/help/docs/x'), 'X');
	await orgs.deleteSiteById(id, site.id);
});
