// SPDX-License-Identifier: Apache-2.0
/** Rows on messages to other systems. */
@NullMarked
package dev.porchlight.drill.outbox;

import org.jspecify.annotations.NullMarked;
