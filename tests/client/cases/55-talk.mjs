// Discussion: comments and replies on a space and on a change request, reviews, and the lists of change requests.
import test from 'node:test';
import assert from 'node:assert/strict';
import { admin, all, flatten, organization, reader, refused, stranger } from '../lib/service.mjs';
import { newSpace } from '../lib/fixture.mjs';

// Gives Rita another role while a test runs.
async function asRole(role, work) {
	const { data: rita } = await reader.user.getAuthenticatedUser();
	const change = (to) => admin.orgs.updateMemberInOrganizationById(organization, rita.id, { role: to });
	await change(role);
	try {
		await work(rita);
	} finally {
		await change('read');
	}
}

async function opened(subject) {
	const { space } = await newSpace(subject);
	const { data: request } = await admin.spaces.createChangeRequest(space.id, { subject });
	const pages = flatten((await admin.spaces.listPages(space.id)).data.pages);
	const page = pages.find((p) => p.title === 'Welcome');
	const { data: whole } = await admin.spaces.getPageById(space.id, page.id);
	return { space: space.id, request: request.id, page: page.id, node: whole.document.nodes[0].key };
}

// The calls of one scope, by their names without the scope: post('Comment', …).
const scoped = (who, scope, ids) => (name, ...rest) => who.spaces[`${name}In${scope}`](...ids, ...rest);

for (const scope of ['Space', 'ChangeRequest'])
	test(`comments and replies: ${scope}`, async () => {
		const { space, request, page, node } = await opened(`Talk ${scope}`);
		const ids = scope === 'Space' ? [space] : [space, request];
		const ada = scoped(admin, scope, ids);
		const rita = scoped(reader, scope, ids);
		const { data: first } = await ada('postComment', { body: { markdown: 'On **all** of it' } });
		const { data: second } = await ada('postComment', { page, node, body: { markdown: 'On a block' } });
		assert.equal(first.body.markdown, 'On **all** of it');
		assert.deepEqual([second.target.page.id, second.target.node.id], [page, node]);
		assert.deepEqual((await ada('getComment', second.id)).data, second);
		const list = async (query) => (await all((q) => ada('listComments', { ...query, ...q }))).map((c) => c.id);
		assert.deepEqual(await list({}), [second.id, first.id]);
		assert.deepEqual(await list({ order: 'asc' }), [first.id, second.id]);
		assert.deepEqual(await list({ targetPage: page }), [second.id]);

		const { data: reply } = await ada('postCommentReply', first.id, { body: { markdown: 'And more' } });
		assert.deepEqual((await ada('getCommentReply', first.id, reply.id)).data, reply);
		const replies = await all((q) => ada('listCommentReplies', first.id, q));
		assert.deepEqual(replies.map((r) => r.id), [reply.id]);
		const { data: changed } = await ada('updateCommentReply', first.id, reply.id, { body: { markdown: 'Less' } });
		assert.equal(changed.body.markdown, 'Less');
		assert.equal((await ada('getComment', first.id)).data.replies, 1);

		const { data: resolved } = await ada('updateComment', first.id, { resolved: true, addedReactions: ['1f44d'] });
		assert.deepEqual([resolved.status, resolved.reactions[0].count], ['resolved', 1]);
		assert.deepEqual(await list({ status: 'open' }), [second.id]);
		assert.equal((await all((q) => ada('listCommenters', q))).length, 1);

		await refused(403, /./, rita('postComment', { body: { markdown: 'No' } }));
		await refused(404, /space/, scoped(stranger, scope, ids)('listComments'));
		await asRole('comment', async () => {
			const { data: own } = await rita('postComment', { body: { markdown: 'Yes' } });
			assert.deepEqual([own.permissions.edit, own.permissions.delete], [true, true]);
			await refused(403, /./, rita('updateComment', second.id, { body: { markdown: 'Mine' } }));
			await rita('deleteComment', own.id);
		});
		await ada('deleteCommentReply', first.id, reply.id);
		await ada('deleteComment', first.id);
		await refused(404, /comment/, ada('getComment', first.id));
		await ada('deleteComment', first.id);
	});

test('change requests are listed under filters, and described', async () => {
	const { space, request } = await opened('Listed');
	const { data: ada } = await admin.user.getAuthenticatedUser();
	const { data: other } = await admin.spaces.createChangeRequest(space, { subject: 'Other' });
	const { data: open } = await admin.spaces.updateChangeRequestById(space, other.id, { status: 'open', subject: 'Renamed' });
	assert.deepEqual([open.status, open.subject], ['open', 'Renamed']);
	const list = async (query) =>
		(await all((q) => admin.spaces.listChangeRequestsForSpace(space, { ...query, ...q }))).map((c) => c.id);
	assert.deepEqual(await list({}), [other.id, request]);
	assert.deepEqual(await list({ status: 'open' }), [other.id]);
	assert.deepEqual(await list({ creator: ada.id }), [other.id, request]);
	const everywhere = await all((q) => admin.orgs.listChangeRequestsForOrganization(organization, { status: 'open', ...q }));
	assert.ok(everywhere.some((c) => c.id === other.id));
	await admin.spaces.updateChangeRequestById(space, other.id, { status: 'archived' });
	await refused(409, /archived/, admin.spaces.mergeChangeRequest(space, other.id));
	const { data: seen } = await admin.spaces.getSpaceById(space);
	assert.deepEqual([seen.changeRequests, seen.changeRequestsOpen, seen.changeRequestsDraft], [2, 0, 1]);
});

test('reviews are asked for and given', async () => {
	const { space, request } = await opened('Reviewed');
	await asRole('review', async (rita) => {
		await admin.spaces.requestReviewersForChangeRequest(space, request, { users: [rita.id] });
		const asked = async () => (await admin.spaces.getRequestedReviewersByChangeRequestId(space, request)).data.items.length;
		assert.equal(await asked(), 1);
		const { data: review } = await reader.spaces.submitChangeRequestReview(space, request, {
			status: 'approved',
			comment: { markdown: 'Good' },
		});
		assert.equal(review.status, 'approved');
		assert.equal(await asked(), 0);
		const { data: read } = await admin.spaces.getChangeRequestReviewById(space, request, review.id);
		assert.equal(read.id, review.id);
		const reviews = await all((q) => admin.spaces.getReviewsByChangeRequestId(space, request, q));
		assert.deepEqual(reviews.map((r) => r.id), [review.id]);
		await admin.spaces.requestReviewersForChangeRequest(space, request, { users: [rita.id] });
		await admin.spaces.removeRequestedReviewerFromChangeRequest(space, request, rita.id);
		assert.equal(await asked(), 0);
		await admin.spaces.getContributorsByChangeRequestId(space, request);
	});
});
