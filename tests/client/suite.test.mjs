// All client tests, in one process, since the last one asks what the others
// have called. A new resource of the API is a new file in cases/; files run in
// the order of their names. OCTAVO_CLIENT_CASES names files that run alone.
// OCTAVO_CLIENT_RELEASE=0.202: the newest release of the client sends what it
// has; files that send nothing with the client, and real repositories, are
// left to the run of the earlier release.
import { readdirSync } from 'node:fs';

const folder = new URL('cases/', import.meta.url);
const only = (process.env.OCTAVO_CLIENT_CASES ?? '').split(' ').filter((name) => name !== '');
const once = process.env.OCTAVO_CLIENT_RELEASE ? /^(05|85|86|90)-/ : /^$/;
const names = only.length > 0 ? only : readdirSync(folder).sort().filter((name) => !once.test(name));
for (const name of names) await import(new URL(name, folder));
if (only.length === 0) await import('./lib/coverage.mjs');
