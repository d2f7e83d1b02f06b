// Collections: folders of spaces; moving and transferring; the audit record of these.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, client, laterClient, organization, reader, refused, stranger, tokens } from '../lib/service.mjs';

const collection = async (title, parent) =>
	(await admin.orgs.createCollection(organization, { title, ...(parent ? { parent } : {}) })).data;
const newSpace = async (title, parent) =>
	(await admin.orgs.createSpace(organization, { title, ...(parent ? { parent } : {}) })).data;
const inside = async (id) =>
	(await all((q) => admin.collections.listSpacesInCollectionById(id, q))).map((s) => s.title);

test('a collection is made, read, changed and deleted with what is in it', async () => {
	const outer = await collection('Products');
	const inner = await collection('Pumps', outer.id);
	const space = await newSpace('Manual', inner.id);
	assert.equal(inner.parent, outer.id);
	assert.deepEqual((await admin.collections.getCollectionById(inner.id)).data, inner);
	const list = async (nested) =>
		(await all((q) => admin.orgs.listCollectionsInOrganizationById(organization, { nested, ...q }))).map((c) => c.id);
	assert.ok((await list(true)).includes(inner.id));
	assert.ok(!(await list(false)).includes(inner.id));
	const { data: changed } = await admin.collections.updateCollectionById(inner.id, { title: 'Valves', description: 'All' });
	assert.deepEqual([changed.title, changed.description], ['Valves', 'All']);
	assert.deepEqual(await inside(inner.id), ['Manual']);
	await refused(403, /./, reader.collections.updateCollectionById(inner.id, { title: 'Mine' }));
	await refused(404, /collection/, stranger.collections.getCollectionById(inner.id));
	await admin.collections.deleteCollectionById(outer.id);
	await refused(404, /collection/, admin.collections.getCollectionById(inner.id));
	assert.ok((await admin.spaces.getSpaceById(space.id)).data.deletedAt);
});

test('spaces and collections are moved', async () => {
	const shelf = await collection('Shelf');
	for (const title of ['A', 'B', 'C']) await newSpace(title, shelf.id);
	const [a, , c] = await all((q) => admin.collections.listSpacesInCollectionById(shelf.id, q));
	const { data: moved } = await admin.spaces.moveSpace(c.id, { position: { before: { type: 'space', space: a.id } } });
	assert.equal(moved.parent, shelf.id);
	assert.deepEqual(await inside(shelf.id), ['C', 'A', 'B']);
	const box = await collection('Box');
	await admin.spaces.moveSpace(a.id, { parent: box.id });
	assert.deepEqual([await inside(shelf.id), await inside(box.id)], [['C', 'B'], ['A']]);
	const { data: into } = await admin.collections.moveCollection(box.id, { parent: shelf.id });
	assert.equal(into.parent, shelf.id);
	await refused(400, /./, admin.collections.moveCollection(shelf.id, { parent: box.id }));
	await refused(400, /./, admin.spaces.moveSpace(a.id, {}));
	await refused(409, /./, admin.spaces.moveSpace(a.id, { parent: box.id }));
	await refused(404, /./, admin.spaces.moveSpace(a.id, { parent: 'nothing' }));
});

test('spaces and collections are transferred to another organization', async () => {
	const { data: other } = await laterClient(tokens.admin).orgs.createOrganization({ title: 'Other' });
	const space = await newSpace('Going');
	const { data: gone } = await admin.spaces.transferSpace(space.id, { organization: other.id });
	assert.equal(gone.organization, other.id);
	const chest = await collection('Chest');
	await newSpace('Inside', chest.id);
	const { data: taken } = await admin.collections.transferCollection(chest.id, { organization: other.id });
	assert.equal(taken.organization, other.id);
	assert.deepEqual(await inside(chest.id), ['Inside']);
	await refused(409, /./, admin.spaces.transferSpace(space.id, { organization: other.id }));
	await refused(404, /./, client(tokens.reader).spaces.transferSpace(space.id, { organization }));
});

test('changes are recorded for admins', async () => {
	const later = laterClient(tokens.admin);
	const space = await newSpace('Recorded');
	const { data: actions } = await later.orgs.listOrganizationAuditEventActions(organization);
	assert.ok(actions.items.length > 0);
	const events = await all((q) => later.orgs.listOrganizationAuditEvents(organization, q), 100);
	const event = events.find((e) => e.target?.id === space.id);
	assert.ok(event, 'no event of the new space');
	assert.ok(actions.items.some((a) => a.id === event.action), event.action);
	const { data: whole } = await later.orgs.getOrganizationAuditEvent(organization, event.id);
	assert.equal(whole.id, event.id);
	await refused(403, /./, laterClient(tokens.reader).orgs.listOrganizationAuditEvents(organization));
});
