// SPDX-License-Identifier: Apache-2.0
/**
 * Long runs against the service as people start it. {@link dev.porchlight.bench.drill.Memory} logs in many times and watches
 * how much memory that takes; {@link dev.porchlight.bench.drill.LoginLoop} is one user who does it.
 */
@NullMarked
package dev.porchlight.bench.drill;

import org.jspecify.annotations.NullMarked;
