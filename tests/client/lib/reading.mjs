// How the open-source renderer of published sites finds the page of a URL: which URLs it looks up
// (POST /urls/published), in which order it continues, and how it uses the responses. `read`
// returns the page as { space, path, title, address }, or where the visitor is redirected.
import assert from 'node:assert/strict';
import { client, tokens } from './service.mjs';

// A URL as the renderer normalizes it: without a slash at the end, decoded at most twice, encoded once.
function normalized(text) {
	const url = new URL(text);
	for (let i = 0; i < 2; i++) {
		url.pathname = url.pathname.replace(/\/{2,}/g, '/').replace(/\/$/, '');
		const before = url.pathname;
		url.pathname = before.split('/').map(decodeURIComponent).join('/');
		if (url.pathname === before) break;
	}
	return url;
}

// The prefixes of a URL that are looked up at the same time, the longest one last; rest: the part missing in each.
export function candidates(text) {
	const url = normalized(text);
	const segments = url.pathname.split('/').filter((s) => s !== '');
	const v = segments.indexOf('v');
	const lengths = v >= 0 ? [v + 2] : [0, 1, 2, 3, 4].filter((n) => n <= segments.length);
	return lengths.map((n) => ({
		url: Object.assign(new URL(url), { pathname: segments.slice(0, n).join('/') }).toString(),
		rest: segments.slice(n).map(decodeURIComponent).join('/'),
		primary: n === lengths.at(-1),
	}));
}

const join = (...parts) => `/${parts.join('/')}`.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');

// All look-ups that may be used: the longest one, and each that says it is complete.
export async function lookups(url, visitor) {
	const found = [];
	for (const c of candidates(url)) {
		const answer = await client(tokens.admin).urls.resolvePublishedContentByUrl({ url: c.url, visitor })
			.then((r) => r.data, (error) => {
				assert.equal(error.code, 404, `${c.url}: ${error.message}`);
				return null;
			});
		if (answer === null || (!c.primary && (answer.redirect || !answer.complete))) continue;
		found.push({ ...answer, of: c, path: answer.redirect ? '' : join(answer.pathname, c.rest).slice(1) });
	}
	return found;
}

function pageAt(pages, path) {
	for (const page of pages) {
		const found = page.path === path && page.type === 'document' ? page : pageAt(page.pages ?? [], path);
		if (found) return found;
	}
	return null;
}
const firstPage = (pages) => pages.find((p) => p.type === 'document') ?? firstPage(pages.find((p) => p.pages?.length > 0).pages);
const missing = (promise) => promise.then((r) => r.data, (error) => {
	assert.equal(error.code, 404, `the renderer answers 500: ${error.message}`);
	return null;
});

// The page of one look-up: from the tree, otherwise by a redirect of the site, otherwise by its path in the space.
async function pageOf(found) {
	const { orgs, spaces } = client(found.apiToken);
	const profile = (await orgs.getPublishedContentSite(found.organization, found.site, {})).data;
	const space = (await spaces.getSpaceById(found.space, {})).data;
	const revision = (await spaces.getRevisionById(found.space, space.revision, { metadata: true })).data;
	assert.equal(new URL(found.canonicalUrl).pathname.startsWith(found.basePath), true, `${found.canonicalUrl} is not below ${found.basePath}`);
	assert.equal(found.basePath.startsWith(found.siteBasePath), true);
	const at = (page) => page && { space: found.space, path: page.path, title: page.title, address: join(found.basePath, page.path) };
	const page = found.path === '' ? firstPage(revision.pages) : pageAt(revision.pages, found.path.toLowerCase());
	if (page) return at(page);
	const below = join(found.basePath.slice(found.siteBasePath.length - 1), found.path);
	for (const path of new Set([below, join(found.path)])) {
		const source = path.split('/').map(encodeURIComponent).join('/');
		const redirect = await missing(orgs.getSiteRedirectBySource(found.organization, found.site, { source }));
		if (redirect) return { redirect: redirect.target };
	}
	const moved = await missing(spaces.getPageInRevisionByPath(found.space, space.revision, encodeURIComponent(found.path)));
	assert.ok(profile.structure.structure.length > 0);
	return moved && at(moved);
}

// The part missing in the prefix is appended to the URL of the redirect.
function sent({ redirect, of }) {
	const to = new URL(redirect);
	to.pathname = join(to.pathname, of.rest);
	return to.toString();
}

// The page to which all usable look-ups lead; null: none. A look-up may redirect the visitor at once.
export async function read(url, visitor) {
	const answers = [];
	for (const found of await lookups(url, visitor))
		answers.push(found.redirect ? { redirect: sent(found) } : await pageOf(found));
	for (const other of answers) assert.deepEqual(other, answers[0], `${url}: it depends on who wins`);
	return answers[0] ?? null;
}
