// SPDX-License-Identifier: Apache-2.0
// The tables, with each database's types.
export default (octets) => `
  CREATE TABLE IF NOT EXISTS users (id TEXT PRIMARY KEY, handle ${octets} NOT NULL);
  CREATE TABLE IF NOT EXISTS credentials (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users (id),
    public_key ${octets} NOT NULL,
    counter BIGINT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS credentials_of_user ON credentials (user_id);
  CREATE TABLE IF NOT EXISTS challenges (challenge TEXT PRIMARY KEY, user_id TEXT NOT NULL, expires_at BIGINT NOT NULL);
  CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, user_id TEXT NOT NULL, expires_at BIGINT NOT NULL);
`;
