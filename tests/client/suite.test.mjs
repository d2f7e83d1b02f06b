// All client tests, in one process, since the last one checks which operations the others have
// called. A new resource of the API gets a new file in cases/; files run in the order of their
// names. OCTAVO_CLIENT_CASES names files to run alone.
import { readdirSync } from 'node:fs';

const folder = new URL('cases/', import.meta.url);
const only = (process.env.OCTAVO_CLIENT_CASES ?? '').split(' ').filter((name) => name !== '');
const names = only.length > 0 ? only : readdirSync(folder).sort();
for (const name of names) await import(new URL(name, folder));
if (only.length === 0) await import('./lib/coverage.mjs');
