// SPDX-License-Identifier: Apache-2.0
// Fastify with SimpleWebAuthn, one process per core as in Node's documentation, on SQLite or PostgreSQL.
import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import Fastify from 'fastify';
import passkeys from './passkeys.js';

const { PORT, DATABASE_URL, WORKERS = availableParallelism() } = process.env;

async function open() {
  const { default: store } = await import(DATABASE_URL.startsWith('postgres:') ? './postgres.js' : './sqlite.js');
  return store(DATABASE_URL);
}

if (cluster.isPrimary) {
  await (await open()).migrate();
  for (let i = 0; i < WORKERS; i++) {
    cluster.fork();
  }
  process.on('SIGTERM', () => cluster.disconnect(() => process.exit(0)));
} else {
  const app = Fastify();
  app.register(passkeys, { store: await open(), rpID: 'localhost', origin: `http://localhost:${PORT}` });
  await app.listen({ host: '127.0.0.1', port: Number(PORT) });
  process.on('SIGTERM', () => app.close());
}
