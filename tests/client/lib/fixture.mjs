// A small repository with a page for every kind of block: fixture/ as one commit, imported into a
// space. Cases that read content share it.
import { cpSync, existsSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { admin, importRepository, organization, repositories } from './service.mjs';

const directory = join(repositories, 'fixture');
export const address = `file://${directory}`;

const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
export function git(...args) {
	return execFileSync('git', [...identity, '-C', directory, ...args], { encoding: 'utf8' }).trim();
}

if (!existsSync(directory)) {
	cpSync(new URL('../fixture', import.meta.url), directory, { recursive: true });
	git('init', '-q', '-b', 'main');
	git('add', '-A', '-f');
	git('commit', '-q', '-m', 'All blocks');
}

// A new space with the content of the fixture, or of another repository.
export async function newSpace(title, body = { url: address }) {
	const { data: space } = await admin.orgs.createSpace(organization, { title });
	const info = await importRepository(space.id, body);
	assert.equal(info.operation.state, 'success', info.operation.error);
	return { space, info };
}

let made;
// The shared space, which cases read and do not change.
export const shared = () => (made ??= newSpace('Fixture'));
