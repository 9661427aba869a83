// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"log"
	"net/http"
	"strings"
	"time"

	"github.com/duo-labs/webauthn/protocol"
	"github.com/duo-labs/webauthn/webauthn"
)

const (
	challengeLifetime = 5 * time.Minute
	sessionLifetime   = 12 * time.Hour
	maxBody           = 64 << 10
)

// passkeys has the routes of the Node peer. Challenges and sessions are in the database.
type passkeys struct {
	relyingParty *webauthn.WebAuthn
	store        *store
}

// token is the response to a sign-up and to a login.
type token struct {
	Token  string `json:"token"`
	UserID string `json:"userId"`
}

func (p *passkeys) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/health/ready", handle(http.MethodGet, p.ready))
	mux.HandleFunc("/auth/signup", handle(http.MethodPost, p.signUp))
	mux.HandleFunc("/auth/passkey/register/options", handle(http.MethodGet, p.registrationOptions))
	mux.HandleFunc("/auth/passkey/register/finish", handle(http.MethodPost, p.finishRegistration))
	mux.HandleFunc("/auth/passkey/login/options", handle(http.MethodGet, p.loginOptions))
	mux.HandleFunc("/auth/passkey/login/finish", handle(http.MethodPost, p.finishLogin))
	return mux
}

func (p *passkeys) ready(*http.Request) (any, error) {
	return map[string]string{"status": "up"}, p.store.ping()
}

func (p *passkeys) signUp(r *http.Request) (any, error) {
	var body struct {
		UserID string `json:"userId"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.UserID == "" {
		return nil, refusal{http.StatusBadRequest, "invalid_request"}
	}
	if err := p.store.addUser(body.UserID, random()); err != nil {
		return nil, err
	}
	session := newSession()
	return token{session.id, body.UserID}, p.store.addSession(session, body.UserID)
}

func (p *passkeys) registrationOptions(r *http.Request) (any, error) {
	user, err := p.signedIn(r)
	if err != nil {
		return nil, err
	}
	creation, session, err := p.relyingParty.BeginRegistration(
		user,
		webauthn.WithExclusions(user.descriptors()),
		webauthn.WithResidentKeyRequirement(protocol.ResidentKeyRequirementPreferred))
	if err != nil {
		return nil, err
	}
	return creationOptionsOf(creation.Response),
		p.store.addChallenge(session.Challenge, user.id, expiry(challengeLifetime))
}

func (p *passkeys) finishRegistration(r *http.Request) (any, error) {
	user, err := p.signedIn(r)
	if err != nil {
		return nil, err
	}
	failed := refusal{http.StatusBadRequest, "registration_failed"}
	response, err := protocol.ParseCredentialCreationResponseBody(r.Body)
	if err != nil {
		return nil, failed
	}
	challenge := response.Response.CollectedClientData.Challenge
	if spent, err := p.store.spendChallenge(challenge, user.id); err != nil || !spent {
		return nil, either(err, failed)
	}
	credential, err := p.relyingParty.CreateCredential(
		user, webauthn.SessionData{Challenge: challenge, UserID: user.handle}, response)
	if err != nil {
		return nil, failed
	}
	return map[string]string{"credentialId": base64url(credential.ID)}, p.store.addCredential(user.id, credential)
}

func (p *passkeys) loginOptions(r *http.Request) (any, error) {
	user, err := p.store.userWithCredentialIDs(r.URL.Query().Get("userId"))
	if err != nil {
		return nil, err
	}
	assertion, session, err := p.relyingParty.BeginLogin(
		user, webauthn.WithUserVerification(protocol.VerificationPreferred))
	if err != nil {
		return nil, errAuthenticationFailed
	}
	return requestOptionsOf(assertion.Response),
		p.store.addChallenge(session.Challenge, user.id, expiry(challengeLifetime))
}

// finishLogin verifies the response against the challenge that it names, then consumes that challenge, stores the sign
// count and opens the session in one transaction. That refuses a challenge which was never issued, has expired or was used
// before. A refused response consumes its challenge too.
func (p *passkeys) finishLogin(r *http.Request) (any, error) {
	response, err := protocol.ParseCredentialRequestResponseBody(r.Body)
	if err != nil {
		return nil, errAuthenticationFailed
	}
	user, err := p.store.userWithCredential(r.URL.Query().Get("userId"), response.ID)
	if err != nil {
		return nil, err
	}
	challenge := response.Response.CollectedClientData.Challenge
	credential, err := p.relyingParty.ValidateLogin(
		user, webauthn.SessionData{Challenge: challenge, UserID: user.handle}, response)
	if err != nil || credential.Authenticator.CloneWarning {
		_, err := p.store.spendChallenge(challenge, user.id)
		return nil, either(err, errAuthenticationFailed)
	}
	session := newSession()
	opened, err := p.store.finishLogin(challenge, user.id, response.ID, credential.Authenticator.SignCount, session)
	if err != nil || !opened {
		return nil, either(err, errAuthenticationFailed)
	}
	return token{session.id, user.id}, nil
}

func (p *passkeys) signedIn(r *http.Request) (*user, error) {
	id, err := p.store.sessionUser(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	if err != nil {
		return nil, err
	}
	return p.store.userWithCredentialIDs(id)
}

// refusal is an error that is reported to the client.
type refusal struct {
	status int
	code   string
}

func (r refusal) Error() string { return r.code }

var errAuthenticationFailed = refusal{http.StatusUnauthorized, "authentication_failed"}

// either returns the store's failure, or the refusal if the store did not fail.
func either(failure error, refused refusal) error {
	if failure != nil {
		return failure
	}
	return refused
}

func handle(method string, route func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		body, err := route(r)
		status := http.StatusOK
		if err != nil {
			refused, known := err.(refusal)
			if !known {
				log.Printf("%s: %v", r.URL.Path, err)
				refused = refusal{http.StatusInternalServerError, "internal_error"}
			}
			status, body = refused.status, map[string]string{"code": refused.code}
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		json.NewEncoder(w).Encode(body)
	}
}

// session is a session that is not stored yet.
type session struct {
	id        string
	expiresAt int64
}

func newSession() session {
	return session{base64url(random()), expiry(sessionLifetime)}
}

func expiry(lifetime time.Duration) int64 {
	return time.Now().Add(lifetime).UnixMilli()
}

func random() []byte {
	octets := make([]byte, 32)
	if _, err := rand.Read(octets); err != nil {
		panic(err)
	}
	return octets
}

func base64url(octets []byte) string {
	return base64.RawURLEncoding.EncodeToString(octets)
}
