// Operations of the newest release of the client that the other files do not call.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, laterClient, organization, refused, tokens } from '../lib/service.mjs';

const id = organization;
const newest = laterClient(tokens.admin);
const space = async (title) => (await admin.orgs.createSpace(id, { title })).data;

test('a site has external links, copies and drafts', async () => {
	const { data: site } = await admin.orgs.createSite(id, { title: 'Newest', spaces: [(await space('Newest')).id] });
	const { data: section } = await newest.orgs.addSectionToSite(id, site.id, { spaceId: (await space('Other')).id, title: 'Other', draft: true });
	assert.equal(section.draft, true);
	const { data: link } = await newest.orgs.addExternalLinkToSite(id, site.id, { title: 'Status', url: 'https://status.example.com/' });
	assert.equal(link.draft, false);
	const changed = (await newest.orgs.updateSiteExternalLinkById(id, site.id, link.id, { draft: true, description: 'How things are' })).data;
	assert.deepEqual([changed.draft, changed.description], [true, 'How things are']);
	assert.ok((await newest.orgs.getSiteStructure(id, site.id)).data.structure.some((item) => item.object === 'site-external-link'));
	const { data: group } = await newest.orgs.addSectionGroupToSite(id, site.id, { title: 'Group' });
	await newest.orgs.updateSiteExternalLinkById(id, site.id, link.id, { parent: group.id });
	const [told] = await all((q) => newest.orgs.listSiteSectionGroups(id, site.id, q));
	assert.deepEqual(told.children.map((child) => child.id), [link.id]);
	await newest.orgs.deleteSiteExternalLinkById(id, site.id, link.id);
	const [first] = await all((q) => newest.orgs.listSiteSpaces(id, site.id, q));
	const { data: copy } = await newest.orgs.duplicateSiteSpace(id, site.id, first.id, { draft: true });
	assert.match(copy.space.title, /\(copy\)$/);
	await admin.orgs.deleteSiteById(id, site.id);
});

test('an empty site is filled from the template', async () => {
	const { data: site } = await admin.orgs.createSite(id, { title: 'Filled' });
	await newest.orgs.applyTemplateToSite(id, site.id);
	assert.equal((await newest.orgs.getSiteStructure(id, site.id)).data.structure.length, 2);
	await refused(409, /already/, newest.orgs.applyTemplateToSite(id, site.id));
	await admin.orgs.deleteSiteById(id, site.id);
});

test('documents, meta links and computed content are read', async () => {
	const { id: at } = await space('Read');
	const { data: request } = await admin.spaces.createChangeRequest(at, {});
	await newest.spaces.updateChangeRequestContent(at, request.id,
		{ changes: [{ operation: 'insert_page', title: 'Page', document: { markdown: 'Words.' } }] }, { compat: false });
	const [page] = (await admin.spaces.listPagesInChangeRequest(at, request.id)).data.pages;
	assert.deepEqual((await newest.spaces.listChangeRequestPageMetaLinks(at, request.id, page.id)).data.alternates, []);
	await admin.spaces.mergeChangeRequest(at, request.id);
	assert.deepEqual((await newest.spaces.listSpacePageMetaLinks(at, page.id)).data.alternates, []);
	assert.match(JSON.stringify((await admin.spaces.getDocumentById(at, page.id)).data), /Words\./);
	const text = JSON.stringify({ openapi: '3.0.3', info: { title: 'Pies', version: '1' }, tags: [{ name: 'pies' }],
		paths: { '/pies': { get: { tags: ['pies'], responses: { 200: { description: 'OK' } } } } } });
	const { data: spec } = await admin.orgs.createOrUpdateOpenApiSpecBySlug(id, 'pies', { source: { text } });
	const end = Date.now() + 30000;
	while (!(await admin.orgs.getOpenApiSpecBySlug(id, 'pies')).data.lastVersion && Date.now() < end)
		await new Promise((resolve) => setTimeout(resolve, 50));
	const source = (props) => ({ type: 'builtin:openapi', props, dependencies: { spec: { ref: { kind: 'openapi', spec: spec.id } } } });
	const { data: computed } = await admin.spaces.getComputedRevision(at, { seed: 'seed', source: source({ models: false }) });
	assert.ok(computed.pages.some((p) => p.title === 'pies'));
	const { data: document } = await admin.spaces.getComputedDocument(at, { seed: 'seed', source: source({ doc: 'operations', page: 'pies' }) });
	assert.match(JSON.stringify(document), /\/pies/);
	assert.equal((await all((q) => newest.spaces.listChangeRequestsForSpace(at, { orderBy: 'updatedAt', ...q }))).length, 1);
});

test('a site has a style guide, and spaces are checked against it', async () => {
	const { id: at } = await space('Checked');
	const { data: site } = await admin.orgs.createSite(id, { title: 'Styled', spaces: [at] });
	const { data: templates } = await newest.orgs.listStyleguideTemplates(id);
	const { data: guide } = await newest.orgs.createSiteStyleguideById(id, site.id, { template: templates.templates[0].id });
	assert.equal(guide.type, 'styleguide');
	const { data: guides } = await newest.orgs.listOrganizationStyleguides(id);
	assert.deepEqual(guides.styleguides.find((g) => g.space.id === guide.id).sites.map((s) => s.id), [site.id]);
	const { data: made } = await newest.orgs.createSiteStyleguideRun(id, site.id, { spaces: [at] });
	assert.equal(made.changeRequests[0].styleguide.run, made.run.id);
	assert.deepEqual((await all((q) => newest.orgs.listSiteStyleguideRuns(id, site.id, q))).map((run) => run.id), [made.run.id]);
	const found = await all((q) => newest.orgs.listChangeRequestsForOrganization(id, { styleguideRun: made.run.id, ...q }));
	assert.deepEqual(found.map((r) => r.id), [made.changeRequests[0].id]);
	await admin.orgs.deleteSiteById(id, site.id);
});
