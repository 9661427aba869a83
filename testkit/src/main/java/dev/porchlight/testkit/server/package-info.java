// SPDX-License-Identifier: Apache-2.0
/**
 * Real servers for tests, which end with the process that started them: PostgreSQL, PgBouncer, MariaDB, Redis. They are those
 * that are installed on this machine, in temporary directories and on free ports, even if the tests run as root. If a program is
 * not installed, they throw {@link dev.porchlight.testkit.server.MissingProgramException}.
 */
package dev.porchlight.testkit.server;
