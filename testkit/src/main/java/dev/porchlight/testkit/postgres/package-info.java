// SPDX-License-Identifier: Apache-2.0
/**
 * A real PostgreSQL for tests, and a PgBouncer before it. {@link dev.porchlight.testkit.postgres.PostgresServer} starts the server that is installed
 * on this machine, in a directory of its own and on a free port, also when the tests run as root, which PostgreSQL
 * refuses to. Where none is installed it says so, and the caller decides what that means.
 */
package dev.porchlight.testkit.postgres;
