// SPDX-License-Identifier: Apache-2.0
// The store on pg, with its pool and statements prepared once per connection.
import pg from 'pg';
import tables from './tables.js';

export default function postgres(url) {
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  const sql = (name, text) => (...values) => pool.query({ name, text, values });
  const addUser = sql('addUser', 'INSERT INTO users (id, handle) VALUES ($1, $2)');
  const user = sql('user', 'SELECT id, handle FROM users WHERE id = $1');
  const credentials = sql('credentials', 'SELECT id FROM credentials WHERE user_id = $1');
  const credential = sql(
    'credential',
    'SELECT id, public_key, counter FROM credentials WHERE id = $1 AND user_id = $2',
  );
  const addCredential = sql(
    'addCredential',
    'INSERT INTO credentials (id, user_id, public_key, counter) VALUES ($1, $2, $3, $4)',
  );
  const advance = sql('advance', 'UPDATE credentials SET counter = $1 WHERE id = $2');
  const addChallenge = sql(
    'addChallenge',
    'INSERT INTO challenges (challenge, user_id, expires_at) VALUES ($1, $2, $3)',
  );
  const takeChallenge = sql(
    'takeChallenge',
    'DELETE FROM challenges WHERE challenge = $1 AND user_id = $2 AND expires_at > $3',
  );
  const addSession = sql('addSession', 'INSERT INTO sessions (id, user_id, expires_at) VALUES ($1, $2, $3)');
  const sessionUser = sql('sessionUser', 'SELECT user_id FROM sessions WHERE id = $1 AND expires_at > $2');

  return {
    migrate: () => pool.query(tables('BYTEA')),
    ping: () => pool.query('SELECT 1'),
    addUser,
    user: async (id) => (await user(id)).rows[0],
    credentials: async (userId) => (await credentials(userId)).rows,
    credential: async (id, userId) => {
      const row = (await credential(id, userId)).rows[0];
      return row && { id: row.id, publicKey: new Uint8Array(row.public_key), counter: Number(row.counter) };
    },
    addCredential: (userId, { id, publicKey, counter }) => addCredential(id, userId, Buffer.from(publicKey), counter),
    advance: (id, counter) => advance(counter, id),
    addChallenge,
    takeChallenge: async (challenge, userId, now) => (await takeChallenge(challenge, userId, now)).rowCount === 1,
    addSession,
    sessionUser: async (id, now) => (await sessionUser(id, now)).rows[0]?.user_id,
  };
}
