// SPDX-License-Identifier: Apache-2.0

package main

import (
	"database/sql"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/duo-labs/webauthn/protocol"
	"github.com/duo-labs/webauthn/webauthn"
)

// The Node peer's tables. OCTETS is BLOB or BYTEA.
const tables = `
CREATE TABLE IF NOT EXISTS users (id TEXT PRIMARY KEY, handle OCTETS NOT NULL);
CREATE TABLE IF NOT EXISTS credentials (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  public_key OCTETS NOT NULL,
  counter BIGINT NOT NULL
);
CREATE INDEX IF NOT EXISTS credentials_of_user ON credentials (user_id);
CREATE TABLE IF NOT EXISTS challenges (challenge TEXT PRIMARY KEY, user_id TEXT NOT NULL, expires_at BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS sessions (id TEXT PRIMARY KEY, user_id TEXT NOT NULL, expires_at BIGINT NOT NULL);
`

// store has the statements of both databases, prepared once. They have no request context: the drivers would start a
// goroutine for each statement to watch it, and a statement takes microseconds.
type store struct {
	ping                func() error
	insertUser          *sql.Stmt
	selectCredentialIDs *sql.Stmt
	selectCredential    *sql.Stmt
	insertCredential    *sql.Stmt
	insertChallenge     *sql.Stmt
	deleteChallenge     *sql.Stmt
	insertSession       *sql.Stmt
	selectSession       *sql.Stmt
	finishLogin         func(challenge, userID, credentialID string, signCount uint32, s session) (bool, error)
}

// newStore creates the tables and prepares the statements on the connections for writing and for reading.
func newStore(write, read *sql.DB, octets string) (*store, error) {
	if _, err := write.Exec(strings.ReplaceAll(tables, "OCTETS", octets)); err != nil {
		return nil, err
	}
	s := &store{ping: read.Ping}
	return s, prepare(map[**sql.Stmt]statement{
		&s.insertUser: {write, `INSERT INTO users (id, handle) VALUES ($1, $2)`},
		&s.selectCredentialIDs: {read, `SELECT u.handle, c.id FROM users u LEFT JOIN credentials c ON c.user_id = u.id
			WHERE u.id = $1`},
		&s.selectCredential: {read, `SELECT u.handle, c.public_key, c.counter FROM credentials c
			JOIN users u ON u.id = c.user_id WHERE c.id = $1 AND c.user_id = $2`},
		&s.insertCredential: {write, `INSERT INTO credentials (id, user_id, public_key, counter) VALUES ($1, $2, $3, $4)`},
		&s.insertChallenge:  {write, `INSERT INTO challenges (challenge, user_id, expires_at) VALUES ($1, $2, $3)`},
		&s.deleteChallenge:  {write, `DELETE FROM challenges WHERE challenge = $1 AND user_id = $2 AND expires_at > $3`},
		&s.insertSession:    {write, `INSERT INTO sessions (id, user_id, expires_at) VALUES ($1, $2, $3)`},
		&s.selectSession:    {read, `SELECT user_id FROM sessions WHERE id = $1 AND expires_at > $2`},
	})
}

type statement struct {
	db   *sql.DB
	text string
}

func prepare(statements map[**sql.Stmt]statement) (err error) {
	for prepared, it := range statements {
		if *prepared, err = it.db.Prepare(it.text); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) addUser(id string, handle []byte) error {
	_, err := s.insertUser.Exec(id, handle)
	return err
}

// userWithCredentialIDs returns a user with only the ids of their credentials, which is all that options need.
func (s *store) userWithCredentialIDs(id string) (*user, error) {
	rows, err := s.selectCredentialIDs.Query(id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := &user{id: id}
	for rows.Next() {
		var credentialID sql.NullString
		if err := rows.Scan(&found.handle, &credentialID); err != nil {
			return nil, err
		}
		if credentialID.Valid {
			if err := found.add(credentialID.String, webauthn.Credential{}); err != nil {
				return nil, err
			}
		}
	}
	if found.handle == nil {
		return nil, either(rows.Err(), errAuthenticationFailed)
	}
	return found, rows.Err()
}

// userWithCredential returns a user with one of the user's credentials.
func (s *store) userWithCredential(id, credentialID string) (*user, error) {
	found := &user{id: id}
	var credential webauthn.Credential
	err := s.selectCredential.QueryRow(credentialID, id).
		Scan(&found.handle, &credential.PublicKey, &credential.Authenticator.SignCount)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errAuthenticationFailed
	}
	if err != nil {
		return nil, err
	}
	return found, found.add(credentialID, credential)
}

func (s *store) addCredential(userID string, c *webauthn.Credential) error {
	_, err := s.insertCredential.Exec(base64url(c.ID), userID, c.PublicKey, int64(c.Authenticator.SignCount))
	return err
}

func (s *store) addChallenge(challenge, userID string, expiresAt int64) error {
	_, err := s.insertChallenge.Exec(challenge, userID, expiresAt)
	return err
}

// spendChallenge reports whether the challenge was issued to the user, has not expired and was not spent before.
func (s *store) spendChallenge(challenge, userID string) (bool, error) {
	return one(s.deleteChallenge.Exec(challenge, userID, time.Now().UnixMilli()))
}

func (s *store) addSession(it session, userID string) error {
	_, err := s.insertSession.Exec(it.id, userID, it.expiresAt)
	return err
}

func (s *store) sessionUser(id string) (userID string, err error) {
	err = s.selectSession.QueryRow(id, time.Now().UnixMilli()).Scan(&userID)
	if errors.Is(err, sql.ErrNoRows) {
		err = refusal{http.StatusUnauthorized, "not_signed_in"}
	}
	return userID, err
}

// one reports whether a statement changed a row.
func one(result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, err
	}
	changed, err := result.RowsAffected()
	return changed == 1, err
}

// user is a user as the library sees one.
type user struct {
	id          string
	handle      []byte
	credentials []webauthn.Credential
}

func (u *user) WebAuthnID() []byte                         { return u.handle }
func (u *user) WebAuthnName() string                       { return u.id }
func (u *user) WebAuthnDisplayName() string                { return u.id }
func (u *user) WebAuthnIcon() string                       { return "" }
func (u *user) WebAuthnCredentials() []webauthn.Credential { return u.credentials }

func (u *user) descriptors() []protocol.CredentialDescriptor {
	descriptors := make([]protocol.CredentialDescriptor, len(u.credentials))
	for i, credential := range u.credentials {
		descriptors[i] = protocol.CredentialDescriptor{Type: protocol.PublicKeyCredentialType, CredentialID: credential.ID}
	}
	return descriptors
}

func (u *user) add(credentialID string, credential webauthn.Credential) (err error) {
	credential.ID, err = base64.RawURLEncoding.DecodeString(credentialID)
	u.credentials = append(u.credentials, credential)
	return err
}
