// SPDX-License-Identifier: Apache-2.0
/** The cost of durable writes. */
@NullMarked
package dev.porchlight.bench.storage;

import org.jspecify.annotations.NullMarked;
