// SPDX-License-Identifier: Apache-2.0
/** What durable writes cost. */
@NullMarked
package dev.porchlight.bench.storage;

import org.jspecify.annotations.NullMarked;
