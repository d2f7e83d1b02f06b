// A site from creation to deletion, through the published client.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, laterClient, organization, reader, refused, stranger, tokens } from '../lib/service.mjs';

const orgs = admin.orgs;
const id = organization;
const space = async (title) => (await orgs.createSpace(id, { title })).data;
const site = (await orgs.createSite(id, { title: 'Client', visibility: 'unlisted', spaces: [(await space('One')).id] })).data;
const position = (where, type, name, at) => ({ position: { [where]: { type, [name]: at } } });

test('a site has settings and is published at its address', async () => {
	assert.equal(site.siteSpaces, 1);
	assert.equal((await orgs.getSiteById(id, site.id)).data.title, 'Client');
	assert.ok((await all((q) => orgs.listSites(id, { title: 'client', ...q }))).some((s) => s.id === site.id));
	const changed = (await orgs.updateSiteById(id, site.id, { visibility: 'public', proxy: 'example.com/docs' })).data;
	assert.equal(changed.proxy.origin, 'example.com/docs');
	assert.equal((await orgs.publishSite(id, site.id)).data.published, true);
	assert.equal((await orgs.unpublishSite(id, site.id)).data.published, false);
	await refused(403, /create/, reader.orgs.listSites(id));
	await refused(404, /site/, reader.orgs.getSiteById(id, site.id));
	await refused(404, /organization/, stranger.orgs.getSiteById(id, site.id));
});

// Writes and merges a page of the space; returns its id.
async function written(space) {
	const { data: request } = await admin.spaces.createChangeRequest(space, {});
	await laterClient(tokens.admin).spaces.updateChangeRequestContent(space, request.id,
		{ changes: [{ operation: 'insert_page', title: 'Looked at', document: { markdown: 'Text.' } }] }, { compat: false });
	await admin.spaces.mergeChangeRequest(space, request.id);
	return (await admin.spaces.listPages(space)).data.pages.find((p) => p.title === 'Looked at').id;
}

test('events of a site are counted', async () => {
	const [place] = await all((q) => orgs.listSiteSpaces(id, site.id, q));
	const page = await written(place.space.id);
	const event = { type: 'page_view',
		session: { visitorId: 'v', sessionId: 's', cookies: {}, userAgent: 'u', language: 'en', referrer: null },
		location: { url: 'https://docs.example.com/a', siteSection: null, siteSpace: place.id, siteShareKey: null,
			page, space: place.space.id, revision: null } };
	await refused(404, /published/, orgs.trackEventsInSiteById(id, site.id, { events: [event] }));
	await orgs.publishSite(id, site.id);
	await orgs.trackEventsInSiteById(id, site.id, { events: [event, event] });
	await orgs.unpublishSite(id, site.id);
	const told = (await orgs.aggregateSiteEvents(id, site.id, { range: 'last7Days', groupBy: [{ column: 'page' }] })).data;
	assert.deepEqual(told.columns, [{ column: 'page', values: [{ page, space: place.space.id }] },
		{ column: 'eventsCount', values: [2] }]);
});

test('MCP servers, permissions and many redirects of a site are listed', async () => {
	const server = (await orgs.createSiteMcpServer(id, site.id, { name: 'Tickets', url: 'https://mcp.example.com/', headers: { 'X-Key': 'k' } })).data;
	assert.deepEqual((await all((q) => orgs.listSiteMcpServers(id, site.id, q))).map((s) => s.id), [server.id]);
	assert.equal((await orgs.updateSiteMcpServerById(id, site.id, server.id, { name: 'Issues' })).data.name, 'Issues');
	assert.deepEqual((await orgs.getSiteMcpServerById(id, site.id, server.id)).data.headers, { 'X-Key': 'k' });
	await orgs.deleteSiteMcpServerById(id, site.id, server.id);
	await refused(404, /MCP/, orgs.getSiteMcpServerById(id, site.id, server.id));
	assert.ok((await all((q) => orgs.listPermissionsAggregateInSite(id, site.id, q))).every((p) => ['admin', 'create'].includes(p.permission)));
	// Only a later release of the client has this operation.
	const destination = { kind: 'external', url: 'https://example.org/' };
	const put = (await laterClient(tokens.admin).orgs.bulkUpsertSiteRedirects(id, site.id, { redirects: [{ source: '/many', destination }] })).data;
	assert.equal(put.results[0].status, 'created');
});

test('spaces of a site are added, moved and removed', async () => {
	assert.equal((await orgs.getSiteStructure(id, site.id)).data.type, 'siteSpaces');
	const second = (await orgs.addSpaceToSite(id, site.id, { spaceId: (await space('Two')).id })).data;
	const [first] = await all((q) => orgs.listSiteSpaces(id, site.id, q));
	assert.equal((await orgs.updateSiteSpaceById(id, site.id, second.id, { path: 'second' })).data.path, 'second');
	await orgs.moveSiteSpace(id, site.id, second.id, position('before', 'site-space', 'siteSpace', first.id));
	assert.deepEqual((await all((q) => orgs.listSiteSpaces(id, site.id, q))).map((s) => s.id), [second.id, first.id]);
	await orgs.deleteSiteSpaceById(id, site.id, second.id);
	await refused(404, /site space/, orgs.updateSiteSpaceById(id, site.id, second.id, { path: 'x' }));
});

test('sections and groups of a site are nested and moved', async () => {
	const one = (await orgs.addSectionToSite(id, site.id, { spaceId: (await space('Three')).id, title: 'First' })).data;
	const two = (await orgs.addSectionToSite(id, site.id, { spaceId: (await space('Four')).id, title: 'Second' })).data;
	assert.equal(one.siteSpaces.length, 2);
	await orgs.moveSiteSection(id, site.id, two.id, position('before', 'site-section', 'siteSection', one.id));
	assert.equal((await orgs.updateSiteSectionById(id, site.id, two.id, { description: 'What is new' })).data.description, 'What is new');
	const group = (await orgs.addSectionGroupToSite(id, site.id, { title: 'Group', sections: [one.id] })).data;
	assert.deepEqual(group.children.map((s) => s.id), [one.id]);
	await orgs.moveSiteSectionGroup(id, site.id, group.id, position('before', 'site-section', 'id', two.id));
	assert.equal((await orgs.addSectionToGroup(id, site.id, group.id, { sectionId: two.id })).data.sections.length, 2);
	await orgs.sortSiteStructure(id, site.id, { item: { type: 'site-section', id: two.id }, position: { before: { type: 'site-section', id: one.id } } });
	assert.equal((await orgs.updateSiteSectionGroupById(id, site.id, group.id, { title: 'New' })).data.title, 'New');
	assert.equal((await all((q) => orgs.listSiteSections(id, site.id, q))).length, 2);
	assert.equal((await all((q) => orgs.listSiteSectionGroups(id, site.id, q))).length, 1);
	assert.deepEqual((await orgs.getSiteStructure(id, site.id)).data.structure[0].children.map((s) => s.id), [two.id, one.id]);
	await orgs.removeSectionFromGroup(id, site.id, group.id, two.id);
	await orgs.deleteSiteSectionGroupById(id, site.id, group.id);
	await orgs.deleteSiteSectionById(id, site.id, one.id);
	assert.equal((await orgs.getSiteStructure(id, site.id)).data.structure.length, 1);
	await orgs.deleteSiteById(id, site.id);
	await refused(404, /site/, orgs.getSiteById(id, site.id));
});
