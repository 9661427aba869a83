// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

/**
 * How much one span may hold; what is beyond is dropped and the drop is counted in the span.
 *
 * @param attributes of a span
 * @param events of a span
 * @param links of a span
 * @param eventAttributes of one event
 * @param linkAttributes of one link
 * @param valueLength of a text, in chars
 */
record SpanLimits(int attributes, int events, int links, int eventAttributes, int linkAttributes, int valueLength) {
    static final int COUNT = 128;
    static final SpanLimits DEFAULT = new SpanLimits(COUNT, COUNT, COUNT, COUNT, COUNT, Integer.MAX_VALUE);
}
