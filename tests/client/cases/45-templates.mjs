// Templates with initial pages, through the published client.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, organization, refused } from '../lib/service.mjs';

test('a template fills a space', async () => {
	const { data: space } = await admin.orgs.createSpace(organization, { title: 'From a template' });
	await admin.spaces.applyTemplateToSpace(space.id, { id: 'knowledge-base' });
	const { data } = await admin.spaces.listPages(space.id);
	assert.equal(data.pages[0].title, 'Knowledge base');
	await refused(404, /template/, admin.spaces.applyTemplateToSpace(space.id, { id: 'nope' }));
});
