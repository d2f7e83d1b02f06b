// A small S3 server for tests: it keeps objects in memory, checks each signature (AWS version 4, in the header and in
// the query) and the SHA-256 of what is put, and fails on request.
//
//   node tests/objects/store.mjs FILE     listens on a free port of 127.0.0.1 and writes it to FILE
//
// Bucket "octavo", key id "tester", secret "sec/ret+1", region "eu-test". Without a signature, for the test alone:
//
//   GET /-/mode?is=MODE    "" (works), 503 (answers that), hang (does not answer), deny (403), truncate (ends GET early),
//                          nohead (503 for HEAD), swallow (stores what is put, and does not answer)
//   GET /-/keys            the keys, one a line
//   GET /-/spoil?key=KEY   changes a byte of the object
//   GET /-/drop?key=KEY    deletes it
//   GET /-/age?key=KEY     makes it two days old
//   GET /-/put?key=KEY     puts an object of one byte there
//   GET /-/requests        how many requests of each method there were since the last look, as JSON
//   GET /-/page?size=N     objects in one page of a list
import { createHash, createHmac } from 'node:crypto';
import { writeFileSync, renameSync } from 'node:fs';
import { createServer } from 'node:http';

const KEY = 'tester', SECRET = 'sec/ret+1', REGION = 'eu-test', BUCKET = 'octavo';
const objects = new Map();
let mode = '', counts = {}, page = 1000;

const sha256 = (data) => createHash('sha256').update(data).digest('hex');
const hmac = (key, data) => createHmac('sha256', key).update(data).digest();
const encode = (s) => encodeURIComponent(s).replace(/[!'()*]/g, (c) => '%' + c.charCodeAt(0).toString(16).toUpperCase());

class Refusal extends Error {
  constructor(status, code) { super(code); this.status = status; }
}

// Returns the hash that the request says its body has.
function checkSignature(req, url, now) {
  const query = [...url.searchParams].filter(([name]) => name !== 'X-Amz-Signature');
  const signedUrl = url.searchParams.get('X-Amz-Signature');
  const header = req.headers.authorization ?? '';
  const parts = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(header);
  if (!signedUrl && !parts) throw new Refusal(403, 'AccessDenied');
  const [credential, names, signature] = signedUrl ?
    [url.searchParams.get('X-Amz-Credential'), url.searchParams.get('X-Amz-SignedHeaders'), signedUrl] : parts.slice(1);
  const moment = signedUrl ? url.searchParams.get('X-Amz-Date') : req.headers['x-amz-date'];
  const [key, day, region, service, end] = credential.split('/');
  if (key !== KEY) throw new Refusal(403, 'InvalidAccessKeyId');
  if (region !== REGION || service !== 's3' || end !== 'aws4_request' || !moment.startsWith(day)) throw new Refusal(400, 'AuthorizationHeaderMalformed');
  const at = Date.parse(moment.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (now > at + (signedUrl ? Number(url.searchParams.get('X-Amz-Expires')) : 900) * 1000 || at > now + 900000) throw new Refusal(403, 'RequestTimeTooSkewed');
  if (!signedUrl && !names.split(';').includes('x-amz-content-sha256')) throw new Refusal(400, 'InvalidRequest');
  const hash = signedUrl ? 'UNSIGNED-PAYLOAD' : req.headers['x-amz-content-sha256'];
  const canonical = [req.method, url.pathname, query.map(([n, v]) => `${encode(n)}=${encode(v)}`).sort().join('&'),
    ...names.split(';').map((n) => `${n}:${(req.headers[n] ?? '').trim()}`), '', names, hash].join('\n');
  const scope = [day, region, service, end].join('/');
  const derived = [region, service, end].reduce(hmac, hmac('AWS4' + SECRET, day));
  const wanted = hmac(derived, ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n'));
  if (wanted.toString('hex') !== signature) throw new Refusal(403, 'SignatureDoesNotMatch');
  return hash;
}

function list(url) {
  const prefix = url.searchParams.get('prefix') ?? '', after = url.searchParams.get('continuation-token') ?? '';
  // A token with characters that XML and addresses escape.
  const from = after === '' ? '' : after.slice('<&+ /'.length);
  const keys = [...objects.keys()].filter((k) => k.startsWith(prefix) && k > from).sort();
  const shown = keys.slice(0, page), more = keys.length > shown.length;
  const xml = (s) => s.replace(/&/g, '&amp;').replace(/</g, '&lt;');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${BUCKET}</Name>` +
    `<IsTruncated>${more}</IsTruncated>` + (more ? `<NextContinuationToken>${xml('<&+ /' + shown.at(-1))}</NextContinuationToken>` : '') +
    shown.map((k) => `<Contents><Key>${xml(k)}</Key><LastModified>${new Date(objects.get(k).at).toISOString()}</LastModified>` +
      `<ETag>&quot;${sha256(objects.get(k).bytes).slice(0, 32)}&quot;</ETag><Size>${objects.get(k).bytes.length}</Size></Contents>`).join('') +
    '</ListBucketResult>';
}

async function serve(req, res, url) {
  const chunks = [];
  for await (const c of req) chunks.push(c);
  const body = Buffer.concat(chunks), hash = checkSignature(req, url, Date.now());
  const [, bucket, ...rest] = url.pathname.split('/'), key = rest.join('/');
  if (mode === 'deny') throw new Refusal(403, 'AccessDenied');
  if (bucket !== BUCKET) throw new Refusal(404, 'NoSuchBucket');
  const object = objects.get(key);
  if (req.method === 'GET' && url.searchParams.get('list-type') === '2') return res.end(list(url));
  if (req.method === 'PUT') {
    if (hash !== sha256(body)) throw new Refusal(400, 'XAmzContentSHA256Mismatch');
    objects.set(key, { bytes: body, at: Date.now() });
    return mode === 'swallow' ? undefined : res.end();
  }
  if (req.method === 'DELETE') {
    objects.delete(key);
    return res.writeHead(204).end();
  }
  if (!object) throw new Refusal(404, 'NoSuchKey');
  const headers = { 'Content-Type': url.searchParams.get('response-content-type') ?? 'binary/octet-stream', 'Content-Length': object.bytes.length,
    'Last-Modified': new Date(object.at).toUTCString() };
  if (url.searchParams.has('response-content-disposition')) headers['Content-Disposition'] = url.searchParams.get('response-content-disposition');
  res.writeHead(200, headers);
  if (req.method === 'HEAD') return res.end();
  if (mode !== 'truncate') return res.end(object.bytes);
  res.write(object.bytes.subarray(0, object.bytes.length >> 1));
  setTimeout(() => req.socket.destroy(), 50);
}

function control(res, url) {
  const key = url.searchParams.get('key'), what = url.pathname.slice('/-/'.length);
  let said = '';
  if (what === 'mode') mode = url.searchParams.get('is');
  else if (what === 'keys') said = [...objects.keys()].sort().map((k) => k + '\n').join('');
  else if (what === 'spoil') objects.get(key).bytes[0] ^= 1;
  else if (what === 'drop') objects.delete(key);
  else if (what === 'age') objects.get(key).at -= 2 * 86400000;
  else if (what === 'put') objects.set(key, { bytes: Buffer.from('x'), at: Date.now() });
  else if (what === 'page') page = Number(url.searchParams.get('size'));
  else if (what === 'requests') [said, counts] = [JSON.stringify(counts), {}];
  res.end(said);
}

const server = createServer((req, res) => {
  const url = new URL(req.url, 'http://127.0.0.1');
  if (url.pathname.startsWith('/-/')) return control(res, url);
  counts[req.method] = (counts[req.method] ?? 0) + 1;
  if (mode === 'hang') return;
  if (mode === '503' || (mode === 'nohead' && req.method === 'HEAD')) return res.writeHead(503).end('<Error><Code>SlowDown</Code></Error>');
  serve(req, res, url).catch((e) => {
    if (!(e instanceof Refusal)) console.error(e);
    if (!res.headersSent) res.writeHead(e.status ?? 500).end(`<Error><Code>${e.message}</Code></Error>`);
  });
});
server.listen(0, '127.0.0.1', () => {
  writeFileSync(process.argv[2] + '.new', String(server.address().port));
  renameSync(process.argv[2] + '.new', process.argv[2]);
});
