// Strangers try a thousand wrong passwords of one account while its person signs in and somebody else
// reads: node attack.mjs URL EMAIL PASSWORD PROOF TOKEN. Prints counts as JSON: the answers to the strangers by
// status, those to the person (one whose browser is known, and one whose is not), and to reads.
import http from 'node:http';

const [url, email, password, proof, token] = process.argv.slice(2);
const TRIES = 1000, STRANGERS = 40, NETWORKS = 4;
const agent = new http.Agent({ keepAlive: true, maxSockets: 100 });

// The network address is said by a proxy, which is this machine (OCTAVO_PROXIES).
const ask = (method, path, address, body, headers = {}) => new Promise((done, failed) => {
	const request = http.request(url + path, { method, agent, headers: { 'X-Forwarded-For': address,
		...(body && { 'Content-Type': 'application/json' }), ...headers } }, (answer) => {
		answer.resume();
		answer.on('end', () => done(answer.statusCode));
	});
	request.on('error', failed);
	request.end(body && JSON.stringify(body));
});
const count = (into, status) => { into[status] = (into[status] ?? 0) + 1; };
const counts = { strangers: {}, known: {}, unknown: {}, reads: {} };
let tried = 0, over = false;

async function stranger() {
	while (tried < TRIES) {
		const n = tried++;
		let status;
		// Where nobody has looked at it, it is tried again.
		do {
			status = await ask('POST', '/v1/sign-in', `203.0.113.${n % NETWORKS}`, { email, password: `guess number ${n}` });
			count(counts.strangers, status);
		} while (status === 503);
		// The reads until the last hash.
		if (status === 401) counts.beside = counts.reads[200] ?? 0;
	}
}

// Tries as a person does who reads the answer: again where there was no place.
async function person(name, address, device) {
	for (let i = 0; i < 1000; i++) {
		const status = await ask('POST', '/v1/sign-in', address, { email, password, device });
		count(counts[name], status);
		if (status !== 503) return;
		await new Promise((done) => setTimeout(done, 50));
	}
}

async function reader() {
	while (!over)
		count(counts.reads, await ask('GET', '/v1/user', '192.0.2.1', undefined, { Authorization: `Bearer ${token}` }));
}

const reads = reader();
const attack = Promise.all(Array.from({ length: STRANGERS }, stranger));
while ((counts.strangers[401] ?? 0) < 5) await new Promise((done) => setTimeout(done, 5));
// The known browser is behind the same network as a stranger.
await person('known', '203.0.113.0', proof);
counts.meanwhile = tried;
await person('unknown', '198.51.100.7', undefined);
await attack;
over = true;
await reads;
agent.destroy();
console.log(JSON.stringify(counts));
