// SPDX-License-Identifier: Apache-2.0
/** Rows on limits: many users behind one address, held connections, and requests in another user's name. */
@NullMarked
package dev.porchlight.drill.limits;

import org.jspecify.annotations.NullMarked;
