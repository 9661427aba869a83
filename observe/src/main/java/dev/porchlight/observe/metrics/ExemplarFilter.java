// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.metrics;

/** The values that may become exemplars, as {@code OTEL_METRICS_EXEMPLAR_FILTER} names them. */
public enum ExemplarFilter {
    /** Values recorded inside a sampled span. */
    TRACE_BASED,
    /** All values; outside a sampled span, an exemplar has no ids. */
    ALWAYS_ON,
    ALWAYS_OFF
}
