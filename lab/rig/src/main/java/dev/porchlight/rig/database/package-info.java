// SPDX-License-Identifier: Apache-2.0
/**
 * PostgreSQL for fault tests: a {@link dev.porchlight.rig.database.Cluster} keeps its data when it is killed, can hang,
 * and can have a standby that takes over.
 */
@NullMarked
package dev.porchlight.rig.database;

import org.jspecify.annotations.NullMarked;
