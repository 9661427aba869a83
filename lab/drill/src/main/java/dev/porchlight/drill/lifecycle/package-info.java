// SPDX-License-Identifier: Apache-2.0
/** Rows on instances that come and go: restarts, upgrades, clocks that jump, backups. */
@NullMarked
package dev.porchlight.drill.lifecycle;

import org.jspecify.annotations.NullMarked;
