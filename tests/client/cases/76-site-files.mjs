// Uploads for sites by the newest release of the client: pictures and fonts, and a customization that
// names them. The bytes go to the signed address, as to a storage elsewhere: without a token.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, laterClient, organization, refused, tokens } from '../lib/service.mjs';

const id = organization;
const newest = laterClient(tokens.admin);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
// The beginning of a WOFF 2.0 file: signature, flavour, length, number of tables.
const FONT = Buffer.concat([Buffer.from('wOF2\0\x01\0\0\0\0\0\x40\0\x01\0\0', 'latin1'), Buffer.alloc(48)]);

async function upload(kind, name, bytes) {
	const { data, status } = await newest.orgs.generateStorageUploadUrl(id, { kind, file: { name, type: 'application/octet-stream', size: bytes.length } });
	assert.equal(status, 201);
	assert.equal((await fetch(data.url, { method: 'PUT', body: bytes })).status, 204);
	return data;
}

test('a font is made of uploaded files, and a site uses it', async () => {
	const regular = await upload('customization_font', 'regular.woff2', FONT);
	const { data: font } = await newest.orgs.createCustomFont(id, { fontFamily: 'House', fontFaces: [{ weight: 400, storageKey: regular.key }] });
	assert.deepEqual(await (await fetch(font.fontFaces[0].sources[0].url)).arrayBuffer(), new Uint8Array(FONT).buffer);
	const bold = await upload('customization_font', 'bold.woff2', FONT);
	const { data: changed } = await newest.orgs.updateCustomFont(id, font.id, { fontFaces: [{ weight: 700, storageKey: bold.key }] });
	assert.deepEqual(changed.fontFaces.map((face) => face.weight), [400, 700]);
	assert.deepEqual((await newest.orgs.getCustomFont(id, font.id)).data, changed);
	assert.deepEqual((await newest.orgs.listCustomFonts(id)).data.items, [changed]);
	await refused(412, /400/, newest.orgs.updateCustomFont(id, font.id, { fontFaces: [{ weight: 400, storageKey: null }] }));

	const { data: site } = await admin.orgs.createSite(id, { title: 'Fonts' });
	const { data: before } = await newest.orgs.getSiteCustomizationById(id, site.id);
	const { data: look } = await newest.orgs.updateSiteCustomizationById(id, site.id,
		{ ...before, styling: { ...before.styling, font: changed, headingFont: changed } });
	const { permissions, ...definition } = changed;
	assert.equal(permissions.edit, true);
	assert.deepEqual([look.styling.font, look.styling.headingFont], [definition, definition]);
	await refused(409, /Fonts/, newest.orgs.deleteCustomFont(id, font.id));
	await admin.orgs.deleteSiteById(id, site.id);
	assert.equal((await newest.orgs.deleteCustomFont(id, font.id)).status, 205);
	assert.equal((await newest.orgs.deleteCustomFont(id, font.id)).status, 204);
	assert.deepEqual((await newest.orgs.listCustomFonts(id)).data.items, []);
});

test('a logo is uploaded, and named in what a renderer is told', async () => {
	const { address } = await upload('organization_file', 'logo.svg', SVG);
	const { data: space } = await admin.orgs.createSpace(id, { title: 'Logo' });
	const { data: site } = await admin.orgs.createSite(id, { title: 'Logo', spaces: [space.id] });
	const { data: before } = await newest.orgs.getSiteCustomizationById(id, site.id);
	const logo = { light: address, dark: address };
	await newest.orgs.updateSiteCustomizationById(id, site.id, { ...before, header: { ...before.header, logo }, favicon: { icon: logo } });
	await admin.orgs.publishSite(id, site.id);
	const { data: told } = await newest.orgs.getPublishedContentSite(id, site.id);
	assert.deepEqual(told.customizations.site.header.logo, logo);
	const answer = await fetch(address);
	assert.match(answer.headers.get('content-security-policy'), /sandbox/);
	assert.deepEqual(Buffer.from(await answer.arrayBuffer()), SVG);
	const none = { url: address.replace(/stored\/\w+/, 'stored/none') };
	await refused(400, /uploaded/, newest.orgs.updateSiteCustomizationById(id, site.id, { ...before, socialPreview: none }));
	await refused(400, /woff/, newest.orgs.generateStorageUploadUrl(id, { kind: 'customization_font', file: { name: 'a.ttf', type: '', size: 9 } }));
	await admin.orgs.deleteSiteById(id, site.id);
	assert.ok((await all((q) => admin.orgs.listSites(id, q))).every((s) => s.id !== site.id));
});

test('texts of a site are sent in several languages', async () => {
	const { data: site } = await admin.orgs.createSite(id, { title: 'Tongues' });
	const { data: before } = await newest.orgs.getSiteCustomizationById(id, site.id);
	const link = { title: 'Help', localizedTitle: { fr: 'Aide' }, to: { kind: 'url', url: 'https://example.org/' } };
	const sent = { ...before, localizedTitle: { fr: 'Langues' }, header: { ...before.header, links: [{ ...link, style: 'link', links: [link] }] },
		footer: { groups: [{ title: 'More', localizedTitle: { fr: 'Plus' }, links: [link] }] },
		announcement: { enabled: true, message: 'News', localizedMessage: { fr: 'Nouvelles' }, style: 'info', link },
		ai: { mode: 'assistant', greeting: 'Hello', localizedGreeting: { fr: 'Bonjour' }, suggestions: ['How do I begin?'], instructions: 'Be brief.' } };
	assert.deepEqual((await newest.orgs.updateSiteCustomizationById(id, site.id, sent)).data, sent);
	await admin.orgs.deleteSiteById(id, site.id);
});

test('change requests of one space are found in the organization', async () => {
	const { data: space } = await admin.orgs.createSpace(id, { title: 'Found' });
	const { data: request } = await admin.spaces.createChangeRequest(space.id, { subject: 'Found' });
	const found = await all((q) => newest.orgs.listChangeRequestsForOrganization(id, { space: space.id, ...q }));
	assert.deepEqual(found.map((one) => one.id), [request.id]);
});
