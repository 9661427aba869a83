// SPDX-License-Identifier: Apache-2.0
/** Rows on scarce resources: CPU time, file descriptors, memory. */
@NullMarked
package dev.porchlight.drill.pressure;

import org.jspecify.annotations.NullMarked;
