// SPDX-License-Identifier: Apache-2.0
/**
 * A real PostgreSQL for tests, and a PgBouncer. {@link dev.porchlight.testkit.postgres.PostgresServer} starts the server that
 * is installed on this machine, in a temporary directory and on a free port, even if the tests run as root. If none is
 * installed it throws an exception.
 */
package dev.porchlight.testkit.postgres;
