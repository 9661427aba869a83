// SPDX-License-Identifier: Apache-2.0
/** Rows on the lifecycle of instances: restarts, upgrades, clock jumps, backups. */
@NullMarked
package dev.porchlight.drill.lifecycle;

import org.jspecify.annotations.NullMarked;
