// OpenAPI descriptions through the published client: uploaded, processed, read, deleted.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, organization, reader, refused } from '../lib/service.mjs';

const text = JSON.stringify({
	openapi: '3.0.3', info: { title: 'Pets', version: '1' },
	paths: { '/pets': { get: { operationId: 'listPets', tags: ['pets'], responses: { 200: { description: 'All' } } } } },
});

const processed = async (slug) => {
	for (let left = 300; left > 0; left--) {
		const { data } = await admin.orgs.getOpenApiSpecBySlug(organization, slug);
		if (data.processingState === 'complete') return data;
		await new Promise((done) => setTimeout(done, 100));
	}
	assert.fail(`${slug} is not processed`);
};

test('a specification is put in, read and deleted', async () => {
	const { data: made } = await admin.orgs.createOpenApiSpec(organization, { slug: 'pets', source: { text } });
	assert.equal(made.slug, 'pets');
	const spec = await processed('pets');
	assert.ok((await all((q) => admin.orgs.listOpenApiSpecs(organization, q))).some((s) => s.id === spec.id));
	const versions = await all((q) => reader.orgs.listOpenApiSpecVersions(organization, 'pets', q));
	assert.deepEqual(versions.map((v) => v.id), [spec.lastVersion]);
	const { data: latest } = await reader.orgs.getLatestOpenApiSpecVersion(organization, 'pets');
	assert.deepEqual((await reader.orgs.getOpenApiSpecVersionById(organization, 'pets', latest.id)).data, latest);
	const { data: content } = await reader.orgs.getLatestOpenApiSpecVersionContent(organization, 'pets');
	assert.deepEqual(content.filesystem[0].specification, JSON.parse(text));
	assert.deepEqual((await reader.orgs.getOpenApiSpecVersionContentById(organization, 'pets', latest.id)).data, content);
	await admin.orgs.updateOpenApiSpecBySlug(organization, 'pets', { visibility: 'public' });
	const { data: open } = await admin.orgs.getOpenApiSpecBySlug(organization, 'pets');
	assert.equal(await (await fetch(open.urls.published)).text(), text);
	await refused(403, /create/, reader.orgs.createOrUpdateOpenApiSpecBySlug(organization, 'pets', { source: { text } }));
	await admin.orgs.createOrUpdateOpenApiSpecBySlug(organization, 'pets', { source: { text: '{}' } });
	const wrong = await processed('pets');
	assert.equal(wrong.lastProcessErrorCode, 'PARSE_ERROR');
	assert.equal(wrong.lastVersion, spec.lastVersion);
	await admin.orgs.deleteOpenApiSpecBySlug(organization, 'pets');
	await refused(404, /./, admin.orgs.getOpenApiSpecBySlug(organization, 'pets'));
});
