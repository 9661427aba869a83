// SPDX-License-Identifier: Apache-2.0
/**
 * PostgreSQL that is meant to break: a {@link dev.porchlight.rig.database.Cluster} keeps its data over being killed, can hang,
 * and can have a standby that takes over.
 */
@NullMarked
package dev.porchlight.rig.database;

import org.jspecify.annotations.NullMarked;
