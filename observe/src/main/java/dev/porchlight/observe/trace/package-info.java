// SPDX-License-Identifier: Apache-2.0
/**
 * Spans, from {@code start} to the collector. {@link Tracer} starts a {@link Span}; {@link SpanContext} is what travels
 * between services, and {@link Propagation} reads and writes it as headers; {@link HttpServerSpans} knows the conventions
 * of a request span. Ended spans pass a bounded queue to one worker that sends them as OTLP over HTTP.
 */
package dev.porchlight.observe.trace;
