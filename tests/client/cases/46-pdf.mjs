// PDFs through the published client: the URL, and the file at it.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, organization, refused, stranger } from '../lib/service.mjs';

async function fetched(url) {
	for (let i = 0; i < 300; i++) {
		const answer = await fetch(url);
		if (answer.status !== 503)
			return answer;
		await new Promise((done) => setTimeout(done, 100));
	}
	throw new Error('the PDF is not made');
}

test('a space and a change request are printed', async () => {
	const { data: space } = await admin.orgs.createSpace(organization, { title: 'On paper' });
	await admin.spaces.applyTemplateToSpace(space.id, { id: 'changelog' });
	const { data } = await admin.spaces.getSpacePdf(space.id);
	const answer = await fetched(data.url);
	assert.equal(answer.status, 200);
	assert.equal(answer.headers.get('content-type'), 'application/pdf');
	assert.equal(Buffer.from(await answer.arrayBuffer()).subarray(0, 5).toString(), '%PDF-');
	const { data: request } = await admin.spaces.createChangeRequest(space.id, { subject: 'Print' });
	const { data: other } = await admin.spaces.getChangeRequestPdf(space.id, request.id);
	assert.equal((await fetched(other.url)).status, 200);
	await refused(400, /page/, admin.spaces.getSpacePdf(space.id, { only: true }));
	await refused(404, /space/, stranger.spaces.getSpacePdf(space.id));
});
