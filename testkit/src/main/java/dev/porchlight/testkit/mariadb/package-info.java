// SPDX-License-Identifier: Apache-2.0
/** A real MariaDB server for tests, which {@code kill -9} can end. */
package dev.porchlight.testkit.mariadb;
