// SPDX-License-Identifier: Apache-2.0
/** Rows on limits: many people behind one address, and strangers who use another person's name. */
@NullMarked
package dev.porchlight.drill.limits;

import org.jspecify.annotations.NullMarked;
