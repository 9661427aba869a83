// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.Truncation;
import java.util.Set;

/** A field name as printed: sanitized, encoded once, and unable to forge the logger's own fields. */
final class FieldName {
    static final int MAX_LENGTH = 128;

    /** Names that the logger writes in any of its formats, or that a log agent interprets. */
    private static final Set<String> RESERVED = Set.of(
            "timestamp",
            "time",
            "timestampSeconds",
            "timestampNanos",
            "level",
            "severity",
            "message",
            "service",
            "trace_id",
            "span_id",
            "trace_flags",
            "exception",
            "stack_trace",
            "truncated",
            "@type",
            "serviceContext");

    private static final String CLOUD_PREFIX = "logging.googleapis.com/";

    final String given;

    /** The name inside a nested object, where no name is reserved. */
    final String nested;

    /** The name at the top level of a line. Names with equal printed names are the same field. */
    final String printed;

    /** The encoded text before the value, including the separator. */
    final byte[] encoded;

    final boolean secret;

    /** One bit derived from the name, to detect quickly that no name is duplicated. */
    final long bit;

    FieldName(String given, LineShape shape) {
        this.given = given;
        nested = clean(given);
        printed = RESERVED.contains(nested) || nested.startsWith(CLOUD_PREFIX) ? "extra." + nested : nested;
        encoded = shape.name(printed);
        secret = Secrets.covers(given);
        bit = 1L << (printed.hashCode() * 0x9e3779b9 >>> 26);
    }

    boolean sameAs(FieldName other) {
        return this == other || printed.equals(other.printed);
    }

    /** Truncates a long name and replaces unpaired surrogates, so that different names also differ in print. */
    private static String clean(String name) {
        StringBuilder clean = new StringBuilder(Math.min(name.length(), MAX_LENGTH));
        int end = Truncation.before(name, Math.min(name.length(), MAX_LENGTH));
        name.substring(0, end)
                .codePoints()
                .map(point -> point >= 0xd800 && point <= 0xdfff ? 0xfffd : point)
                .forEach(clean::appendCodePoint);
        return end == name.length()
                ? clean.toString()
                : clean.append(Truncation.mark(name.length() - end)).toString();
    }
}
