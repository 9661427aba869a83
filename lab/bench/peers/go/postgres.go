// SPDX-License-Identifier: Apache-2.0

package main

import (
	"database/sql"
	"time"

	_ "github.com/lib/pq"
)

// On two cores, fewer are slower and twice as many are no faster.
const connections = 16

// One statement, so that a login ends with one round trip and one commit.
const finish = `
WITH spent AS (
  DELETE FROM challenges WHERE challenge = $1 AND user_id = $2 AND expires_at > $3 RETURNING user_id
), advanced AS (
  UPDATE credentials SET counter = $4 WHERE id = $5 AND EXISTS (SELECT FROM spent)
)
INSERT INTO sessions (id, user_id, expires_at) SELECT $6, user_id, $7 FROM spent`

// openPostgres opens a pool whose connections stay open.
func openPostgres(url string) (*store, error) {
	db, err := sql.Open("postgres", url+"?sslmode=disable")
	if err != nil {
		return nil, err
	}
	keep(db, connections)
	s, err := newStore(db, db, "BYTEA")
	if err != nil {
		return nil, err
	}
	prepared, err := db.Prepare(finish)
	s.finishLogin = func(challenge, userID, credentialID string, signCount uint32, it session) (bool, error) {
		return one(prepared.Exec(
			challenge, userID, time.Now().UnixMilli(), int64(signCount), credentialID, it.id, it.expiresAt))
	}
	return s, err
}
