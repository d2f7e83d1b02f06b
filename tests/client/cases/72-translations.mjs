// Translations and the glossary, through the published client.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, organization, reader, refused } from '../lib/service.mjs';
import { newSpace } from '../lib/fixture.mjs';

const settled = async (id) => {
	for (let left = 600; left > 0; left--) {
		const { data } = await admin.orgs.getTranslation(organization, id);
		if (data.status !== 'running') return data;
		await new Promise((done) => setTimeout(done, 100));
	}
	assert.fail('the translation does not come to an end');
};

test('a translation is made, changed, run and deleted', async () => {
	const { space } = await newSpace('To translate');
	const { data: made } = await admin.orgs.createTranslation(organization, { source: { space: space.id, language: 'en' }, language: 'es' });
	assert.equal(made.status, 'pending');
	assert.deepEqual(made.source, { space: space.id, language: 'en' });
	await refused(409, /already/, admin.orgs.createTranslation(organization, { source: { space: space.id, language: 'en' }, language: 'es' }));
	assert.ok((await all((q) => reader.orgs.listTranslations(organization, q))).some((t) => t.id === made.id));
	const { data: changed } = await admin.orgs.updateTranslation(organization, made.id, { instructions: { ...made.instructions } });
	assert.equal(changed.stats.runs, 0);
	await refused(403, /create/, reader.orgs.runTranslation(organization, made.id));
	await admin.orgs.runTranslation(organization, made.id);
	const ran = await settled(made.id);
	// Without an installed engine this is the error.
	if (ran.error !== undefined) assert.match(ran.error, /OCTAVO_TRANSLATE_EN_ES/);
	else assert.equal((await admin.spaces.getSpaceById(ran.result.space)).data.language, 'es');
	await admin.orgs.deleteTranslation(organization, made.id);
	await refused(404, /./, admin.orgs.getTranslation(organization, made.id));
});

test('terms of the glossary are inserted, changed and deleted', async () => {
	await admin.orgs.updateGlossaryEntries(organization, { operations: [{ type: 'insert', translations: { en: 'space', es: 'espacio' } }] });
	const entry = (await all((q) => reader.orgs.listGlossaryEntries(organization, q))).find((e) => e.translations.en === 'space');
	await admin.orgs.updateGlossaryEntries(organization, { operations: [{ type: 'update', id: entry.id, translations: { en: 'space', fr: 'espace' } }] });
	assert.deepEqual((await reader.orgs.getGlossaryEntry(organization, entry.id)).data.translations, { en: 'space', fr: 'espace' });
	await admin.orgs.updateGlossaryEntries(organization, { operations: [{ type: 'delete', id: entry.id }] });
	await refused(404, /./, reader.orgs.getGlossaryEntry(organization, entry.id));
});
