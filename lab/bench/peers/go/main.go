// SPDX-License-Identifier: Apache-2.0

// A passkey service with net/http and duo-labs/webauthn, on SQLite or PostgreSQL.
package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/duo-labs/webauthn/webauthn"
)

func main() {
	if err := run(os.Getenv("PORT"), os.Getenv("DATABASE_URL")); err != nil {
		log.Fatal(err)
	}
}

func run(port, database string) error {
	open := openSQLite
	if strings.HasPrefix(database, "postgres:") {
		open = openPostgres
	}
	store, err := open(database)
	if err != nil {
		return err
	}
	relyingParty, err := webauthn.New(&webauthn.Config{
		RPDisplayName: "Peer",
		RPID:          "localhost",
		RPOrigin:      "http://localhost:" + port,
	})
	if err != nil {
		return err
	}
	server := &http.Server{
		Addr:              "127.0.0.1:" + port,
		Handler:           (&passkeys{relyingParty, store}).routes(),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
	}
	stop, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer cancel()
	go func() {
		<-stop.Done()
		server.Shutdown(context.Background())
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
