// SPDX-License-Identifier: Apache-2.0

package main

import (
	"database/sql"
	"runtime"
	"time"

	_ "github.com/mattn/go-sqlite3"
)

// openSQLite opens one connection for writing, so that no writer waits for a lock, and one per core for reading.
// Every commit is on the disk when it returns.
func openSQLite(file string) (*store, error) {
	// database/sql gives a connection to one goroutine at a time, so SQLite needs no mutex.
	const durable = "?_journal_mode=WAL&_synchronous=FULL&_busy_timeout=10000&_mutex=no"
	write, err := sql.Open("sqlite3", "file:"+file+durable+"&_txlock=immediate")
	if err != nil {
		return nil, err
	}
	keep(write, 1)
	read, err := sql.Open("sqlite3", "file:"+file+durable+"&_query_only=true")
	if err != nil {
		return nil, err
	}
	keep(read, runtime.NumCPU())
	s, err := newStore(write, read, "BLOB")
	if err != nil {
		return nil, err
	}
	advance, err := write.Prepare(`UPDATE credentials SET counter = $1 WHERE id = $2`)
	s.finishLogin = func(challenge, userID, credentialID string, signCount uint32, it session) (bool, error) {
		tx, err := write.Begin()
		if err != nil {
			return false, err
		}
		defer tx.Rollback()
		spent, err := one(tx.Stmt(s.deleteChallenge).Exec(challenge, userID, time.Now().UnixMilli()))
		if err != nil || !spent {
			return false, err
		}
		if _, err := tx.Stmt(advance).Exec(int64(signCount), credentialID); err != nil {
			return false, err
		}
		if _, err := tx.Stmt(s.insertSession).Exec(it.id, userID, it.expiresAt); err != nil {
			return false, err
		}
		return true, tx.Commit()
	}
	return s, err
}

// keep keeps this many connections open. By default all but two are closed after each use.
func keep(db *sql.DB, connections int) {
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
}
