// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.trace;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Google's older header {@code X-Cloud-Trace-Context}: {@code TRACE/SPAN;o=1}, the span id in decimal. */
final class CloudTraceContext {
    private static final Pattern FORMAT = Pattern.compile("([0-9a-fA-F]{32})/([0-9]{1,20})(?:;o=([0-9]+))?");

    private CloudTraceContext() {}

    /** The context a header stands for, or {@link SpanContext#NONE} when it is not valid. */
    static SpanContext parse(String header) {
        Matcher matcher = FORMAT.matcher(TraceParent.trim(header));
        if (!matcher.matches()) {
            return SpanContext.NONE;
        }
        try {
            SpanContext context = new SpanContext(
                    Long.parseUnsignedLong(matcher.group(1).substring(0, 16), 16),
                    Long.parseUnsignedLong(matcher.group(1).substring(16), 16),
                    Long.parseUnsignedLong(matcher.group(2)),
                    "1".equals(matcher.group(3)) ? SpanContext.SAMPLED : 0,
                    "",
                    true);
            return context.valid() ? context : SpanContext.NONE;
        } catch (NumberFormatException e) {
            return SpanContext.NONE; // twenty digits can be more than 64 bits
        }
    }
}
