// Import from git, and the result in git/info.
import test from 'node:test';
import assert from 'node:assert/strict';
import { writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { admin, flatten, importRepository, organization, reader, refused, repositories } from '../lib/service.mjs';
import { address, git, newSpace } from '../lib/fixture.mjs';

const pagesOf = async (id) => flatten((await admin.spaces.listPages(id)).data.pages);

test('an import is told about while and after it', async () => {
	const { space, info } = await newSpace('Imported');
	assert.equal(info.operation.direction, 'import');
	assert.ok(info.operation.endedAt >= info.operation.startedAt);
	const { data: now } = await admin.spaces.getSpaceById(space.id);
	assert.notEqual(now.revision, space.revision);
	assert.equal(now.revision, info.operation.revision);
	const { data: revision } = await admin.spaces.getCurrentRevision(space.id);
	assert.equal(revision.id, now.revision);
	assert.equal(revision.git.oid, git('rev-parse', 'HEAD'));
	assert.equal(revision.git.message.trim(), 'All blocks');
});

test('the same commit makes no new revision', async () => {
	const { space, info } = await newSpace('Twice');
	const again = await importRepository(space.id, { url: address });
	assert.equal(again.operation.state, 'success');
	const { data: now } = await admin.spaces.getSpaceById(space.id);
	assert.equal(now.revision, info.operation.revision);
});

test('a standalone import leaves the space alone', async () => {
	const { data: space } = await admin.orgs.createSpace(organization, { title: 'Apart' });
	const info = await importRepository(space.id, { url: address, standalone: true });
	assert.equal(info.operation.state, 'success', info.operation.error);
	const { data: now } = await admin.spaces.getSpaceById(space.id);
	assert.equal(now.revision, space.revision);
	const { data: apart } = await admin.spaces.getRevisionById(space.id, info.operation.revision);
	assert.ok(apart.pages.length > 0);
});

test('a directory of a repository is a space', async () => {
	const { space } = await newSpace('Guides', { url: address, repoProjectDirectory: 'guides' });
	const paths = (await pagesOf(space.id)).map((p) => p.git?.path).filter(Boolean);
	assert.ok(paths.length >= 3);
	assert.ok(paths.every((p) => !p.startsWith('blocks')), paths.join());
});

test('ids of pages survive the next commit', async () => {
	const { space } = await newSpace('Moving');
	const before = await pagesOf(space.id);
	mkdirSync(join(repositories, 'fixture', 'moved'), { recursive: true });
	git('mv', 'guides/deep/deeper.md', 'moved/deeper.md');
	git('rm', '-q', 'empty.md');
	const summary = git('show', 'HEAD:SUMMARY.md')
		.replace('guides/deep/deeper.md', 'moved/deeper.md')
		.replace('* [Empty](empty.md)', '* [New](new.md)');
	writeFileSync(join(repositories, 'fixture', 'SUMMARY.md'), `${summary}\n`);
	writeFileSync(join(repositories, 'fixture', 'new.md'), '# New\n\nAll new.\n');
	git('add', '-A');
	git('commit', '-q', '-m', 'Moved');
	try {
		const info = await importRepository(space.id, { url: address });
		assert.equal(info.operation.state, 'success', info.operation.error);
		const after = await pagesOf(space.id);
		const id = (pages, title) => pages.find((p) => p.title === title)?.id;
		for (const page of before.filter((p) => p.type === 'document' && p.title !== 'Empty'))
			assert.equal(id(after, page.title), page.id, page.title);
		assert.equal(id(after, 'Empty'), undefined);
		assert.ok(id(after, 'New'));
	} finally {
		git('reset', '-q', '--hard', 'HEAD~1');
	}
});

test('what cannot be imported is said', async () => {
	const { data: space } = await admin.orgs.createSpace(organization, { title: 'Refused' });
	const ask = (body, who = admin) => who.spaces.importGitRepository(space.id, { url: address, ref: 'refs/heads/main', ...body });
	await refused(400, /./, ask({ url: 'ext::sh -c date' }));
	await refused(400, /./, ask({ url: 'file:///etc' }));
	await refused(400, /ref/, ask({ ref: '' }));
	await refused(403, /./, ask({}, reader));
	const info = await importRepository(space.id, { url: address, ref: 'refs/heads/nowhere' });
	assert.equal(info.operation.state, 'failure');
	assert.match(info.operation.error, /nowhere/);
	await admin.spaces.updateSpaceById(space.id, { editMode: 'locked' });
	await refused(403, /locked/, ask({}));
});
