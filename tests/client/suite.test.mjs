// All client tests, in one process, since the last one asks what the others
// have called. A new resource of the API is a new file in cases/; files run in
// the order of their names.
import { readdirSync } from 'node:fs';

const folder = new URL('cases/', import.meta.url);
for (const name of readdirSync(folder).sort()) await import(new URL(name, folder));
await import('./lib/coverage.mjs');
