// Many clients at once: node clients.mjs PORT COUNT. Opens COUNT connections to the service, sends
// one request on each as soon as all of them are open, and prints the number of responses by status
// ("1000 200").
import net from 'node:net';

const [port, count] = process.argv.slice(2).map(Number);
const request = 'GET /v1/healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
const statuses = {};
let standing = 0, ended = 0;
const sockets = [];

function note(status) {
	statuses[status] = (statuses[status] ?? 0) + 1;
	if (++ended === count)
		console.log(Object.entries(statuses).map(([s, n]) => `${n} ${s}`).join(', '));
}

for (let i = 0; i < count; i++) {
	const socket = net.connect(port, '127.0.0.1');
	let answer = '';
	sockets.push(socket);
	socket.on('connect', () => {
		if (++standing === count)
			sockets.forEach(s => s.write(request));
	});
	socket.on('data', data => { answer += data; });
	socket.on('error', () => {});
	socket.on('close', () => note(answer.split(' ')[1] ?? 'without an answer'));
}
