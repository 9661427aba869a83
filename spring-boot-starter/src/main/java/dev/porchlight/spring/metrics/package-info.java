// SPDX-License-Identifier: Apache-2.0
/**
 * What ceremonies come to, in the application's own Micrometer registry, under the names and labels that the service exports:
 * see docs/reference/metrics.md.
 */
@NullMarked
package dev.porchlight.spring.metrics;

import org.jspecify.annotations.NullMarked;
