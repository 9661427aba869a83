// SPDX-License-Identifier: Apache-2.0
/**
 * Ceremony metrics in the application's Micrometer registry, with the names and labels that the service exports: see
 * docs/reference/metrics.md.
 */
@NullMarked
package dev.porchlight.spring.metrics;

import org.jspecify.annotations.NullMarked;
