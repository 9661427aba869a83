// SPDX-License-Identifier: Apache-2.0
/** One JMH class per operation of the observe module: each method is a contestant that does the same work with its own library. */
@NullMarked
package dev.porchlight.bench.observe;

import org.jspecify.annotations.NullMarked;
