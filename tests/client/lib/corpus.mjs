// Real repositories: their spaces, and how many pages of each kind an import must find. They are
// not part of the project: if the folder is missing, tests that need it are skipped.
import { existsSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { repositories } from './service.mjs';

const folder = process.env.OCTAVO_TEST_CORPUS ?? '';

// repository, directory of the space, documents, groups, links, computed, pages without a file
export const spaces = [
	['public-docs', 'documentation', 182, 12, 4, 0, 0],
	['public-docs', 'guides', 42, 9, 0, 0, 0],
	['public-docs', 'developers', 35, 3, 3, 1, 0],
	['public-docs', 'policies', 16, 2, 0, 0, 0],
	['public-docs', 'changelog', 8, 0, 0, 0, 0],
	['predicthq', 'docs/tech-docs', 101, 4, 3, 0, 0],
	['predicthq', 'docs/api', 76, 12, 1, 0, 0],
	['predicthq', 'docs/changelog', 2, 0, 0, 0, 0],
	['predicthq', 'styleguides', 1, 0, 0, 0, 0],
	['fluentd', '', 191, 0, 0, 0, 3],
	['gl-sdk', 'gitbook', 664, 19, 10, 1, 0],
	['sunrise', '', 54, 5, 4, 0, 0],
	['sunrise', 'ja', 54, 5, 4, 0, 0],
].map(([repository, directory, documents, groups, links, computed, fileless]) => ({
	repository,
	directory,
	name: `${repository}/${directory}`,
	counts: { documents, groups, links, computed, fileless },
}));

// Why the tests cannot run; false if they can.
export const missing =
	spaces.some((s) => !existsSync(join(folder, `${s.repository}.bundle`))) &&
	`no repositories in ${folder || 'OCTAVO_TEST_CORPUS'}`;

// Copies a repository to where the service may import from; returns its URL.
export function place(repository) {
	const to = join(repositories, repository);
	if (!existsSync(to))
		execFileSync('git', ['clone', '-q', '--bare', join(folder, `${repository}.bundle`), to]);
	return `file://${to}`;
}
