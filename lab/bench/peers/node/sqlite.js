// SPDX-License-Identifier: Apache-2.0
// The store on better-sqlite3. Every commit is on the disk when it returns.
import Database from 'better-sqlite3';
import tables from './tables.js';

export default function sqlite(file) {
  const db = new Database(file, { timeout: 10_000 });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(tables('BLOB'));
  const sql = (text) => db.prepare(text);
  const addUser = sql('INSERT INTO users (id, handle) VALUES (?, ?)');
  const user = sql('SELECT id, handle FROM users WHERE id = ?');
  const credentials = sql('SELECT id FROM credentials WHERE user_id = ?');
  const credential = sql('SELECT id, public_key, counter FROM credentials WHERE id = ? AND user_id = ?');
  const addCredential = sql('INSERT INTO credentials (id, user_id, public_key, counter) VALUES (?, ?, ?, ?)');
  const advance = sql('UPDATE credentials SET counter = ? WHERE id = ?');
  const addChallenge = sql('INSERT INTO challenges (challenge, user_id, expires_at) VALUES (?, ?, ?)');
  const takeChallenge = sql('DELETE FROM challenges WHERE challenge = ? AND user_id = ? AND expires_at > ?');
  const addSession = sql('INSERT INTO sessions (id, user_id, expires_at) VALUES (?, ?, ?)');
  const sessionUser = sql('SELECT user_id FROM sessions WHERE id = ? AND expires_at > ?');
  const ping = sql('SELECT 1');

  return {
    migrate: () => {},
    ping: () => ping.get(),
    addUser: (id, handle) => addUser.run(id, handle),
    user: (id) => user.get(id),
    credentials: (userId) => credentials.all(userId),
    credential: (id, userId) => {
      const row = credential.get(id, userId);
      return row && { id: row.id, publicKey: new Uint8Array(row.public_key), counter: row.counter };
    },
    addCredential: (userId, { id, publicKey, counter }) =>
      addCredential.run(id, userId, Buffer.from(publicKey), counter),
    advance: (id, counter) => advance.run(counter, id),
    addChallenge: (challenge, userId, expiresAt) => addChallenge.run(challenge, userId, expiresAt),
    takeChallenge: (challenge, userId, now) => takeChallenge.run(challenge, userId, now).changes === 1,
    addSession: (id, userId, expiresAt) => addSession.run(id, userId, expiresAt),
    sessionUser: (id, now) => sessionUser.get(id, now)?.user_id,
  };
}
