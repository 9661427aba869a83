// SPDX-License-Identifier: Apache-2.0
/** Rows on misbehaving clients: slow, malformed, huge. */
@NullMarked
package dev.porchlight.drill.http;

import org.jspecify.annotations.NullMarked;
