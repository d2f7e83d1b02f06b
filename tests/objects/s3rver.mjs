// Starts s3rver, an S3 server of others, with the bucket "octavo", on a free port: node s3rver.mjs FOLDER FILE, which gets the port.
import { writeFileSync, renameSync } from 'node:fs';
import S3rver from 's3rver';

const server = new S3rver({ port: 0, address: '127.0.0.1', silent: true, directory: process.argv[2], configureBuckets: [{ name: 'octavo' }] });
const { port } = await server.run();
writeFileSync(process.argv[3] + '.new', String(port));
renameSync(process.argv[3] + '.new', process.argv[3]);
