// Visibility and appearance of a published site, through the published client.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, octavo, organization, reader, refused } from '../lib/service.mjs';
import { newSpace } from '../lib/fixture.mjs';

const { orgs, urls, spaces } = admin;
const id = organization;
const { space } = await newSpace('Published');
const site = (await orgs.createSite(id, { title: 'Published', visibility: 'public', spaces: [space.id] })).data;
const { urls: { published } } = (await orgs.publishSite(id, site.id)).data;
const [siteSpace] = await all((q) => orgs.listSiteSpaces(id, site.id, q));

test('a lookup gives what a renderer asks first', async () => {
	const { data } = await urls.resolvePublishedContentByUrl({ url: published });
	assert.equal(data.site, site.id);
	assert.equal(data.space, space.id);
	const profile = (await orgs.getPublishedContentSite(id, site.id, {})).data;
	assert.equal(profile.structure.structure[0].space.id, space.id);
	assert.equal((await urls.getContentByUrl({ url: published })).data.space.id, space.id);
	await refused(404, /no published content/, urls.resolvePublishedContentByUrl({ url: published.replace(/[^/]+\/$/, 'nothing/') }));
});

test('a site has its customization', async () => {
	const look = (await orgs.getSiteCustomizationById(id, site.id, {})).data;
	const changed = (await orgs.updateSiteCustomizationById(id, site.id, { ...look, title: 'The book' })).data;
	assert.equal(changed.title, 'The book');
	const own = await orgs.overrideSiteSpaceCustomizationById(id, site.id, siteSpace.id, { styling: { corners: 'straight' } });
	assert.equal(own.data.styling.corners, 'straight');
	assert.equal((await orgs.getSiteSpaceCustomizationById(id, site.id, siteSpace.id, {})).data.styling.corners, 'straight');
	await orgs.deleteSiteSpaceCustomizationById(id, site.id, siteSpace.id);
	await refused(404, /site/, reader.orgs.getSiteCustomizationById(id, site.id, {}));
});

test('an embed is a link or an allowed frame', async () => {
	const { data } = await spaces.getEmbedByUrlInSpace(space.id, { url: 'https://example.org/a' });
	assert.deepEqual(data, { type: 'link', title: 'example.org/a', site: 'example.org' });
});

test('redirects are resolved', async () => {
	const destination = { kind: 'site-space', siteSpaceId: siteSpace.id };
	const made = (await orgs.createSiteRedirect(id, site.id, { source: '/old', destination })).data;
	assert.ok((await all((q) => orgs.listSiteRedirects(id, site.id, q))).some((r) => r.id === made.id));
	assert.equal((await orgs.getSiteRedirectBySource(id, site.id, { source: '/old' })).data.target, published);
	assert.equal((await orgs.updateSiteRedirectById(id, site.id, made.id, { source: '/older' })).data.source, '/older');
	await orgs.deleteSiteRedirectById(id, site.id, made.id);
	await refused(404, /./, orgs.getSiteRedirectBySource(id, site.id, { source: '/old' }));
});

test('a visitor finds what they see', async () => {
	const { data } = await orgs.searchSiteContent(id, site.id, { query: 'table', mode: 'all' }, {});
	assert.ok(data.items.length > 0);
});

test('a share link opens its site', async () => {
	await orgs.updateSiteById(id, site.id, { visibility: 'share-link' });
	const link = (await orgs.createSiteShareLink(id, site.id, { name: 'Partners' })).data;
	await refused(404, /no published content/, urls.resolvePublishedContentByUrl({ url: published }));
	assert.equal((await urls.resolvePublishedContentByUrl({ url: link.urls.published })).data.site, site.id);
	assert.equal((await orgs.updateSiteShareLinkById(id, site.id, link.id, { active: false })).data.active, false);
	await refused(404, /no published content/, urls.resolvePublishedContentByUrl({ url: link.urls.published }));
	assert.equal((await all((q) => orgs.listSiteShareLinks(id, site.id, q))).length, 1);
	await orgs.deleteSiteShareLinkById(id, site.id, link.id);
});

test('claims of a visitor open what needs them', async () => {
	await orgs.updateSiteById(id, site.id, { visibility: 'visitor-auth', adaptiveContent: { enabled: true } });
	const { data: auth } = await orgs.getSitePublishingAuthById(id, site.id);
	const fallbackURL = 'https://sign.example/in';
	assert.equal((await orgs.updateSitePublishingAuthById(id, site.id, { backend: auth.backend, fallbackURL })).data.fallbackURL, fallbackURL);
	assert.match((await urls.resolvePublishedContentByUrl({ url: published })).data.redirect, /^https:\/\/sign\.example\/in/);
	assert.notEqual((await orgs.regenerateSitePublishingAuthById(id, site.id)).data.privateKey, auth.privateKey);
	assert.match((await orgs.getSitePublishingPreviewById(id, site.id, {})).data.url, /jwt_token=/);
	const jsonSchema = { type: 'object', properties: { beta: { type: 'boolean', description: 'Sees what is new' } }, additionalProperties: false };
	await orgs.updateSiteAdaptiveSchema(id, site.id, { jsonSchema });
	assert.equal((await orgs.getSiteAdaptiveSchema(id, site.id)).data.jsonSchema.properties.beta.type, 'boolean');
	assert.ok((await orgs.listSiteAdaptiveTemplateConditions(id, site.id)).data.items.length >= 2);
});

test('a hostname opens its site', async () => {
	octavo('site', 'hostname', '--site', site.id, 'docs.client.test');
	assert.equal((await admin.customHostnames.getCustomHostname('docs.client.test')).data.target.site, site.id);
	await admin.customHostnames.dnsRevalidateCustomHostname('docs.client.test');
	await admin.customHostnames.removeCustomHostname('docs.client.test');
	await orgs.deleteSiteById(id, site.id);
});

test('an export is running and git is removed', async () => {
	const target = { url: 'https://example.invalid/docs.git', ref: 'refs/heads/main' };
	await spaces.exportToGitRepository(space.id, { ...target, commitMessage: 'From here' });
	/* A job may have found already that there is no such host. */
	assert.match((await spaces.getSpaceGitInfo(space.id)).data.operation.state, /^(running|failure)$/);
	await spaces.deleteLegacyGitInstallation(space.id);
});
