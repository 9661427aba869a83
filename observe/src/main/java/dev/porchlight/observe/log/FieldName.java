// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.Truncation;
import java.util.Set;

/** How one field name is printed: made valid, kept from forging what the logger itself writes, and encoded once. */
final class FieldName {
    /** The most characters of a name that are printed. */
    static final int MAX_LENGTH = 128;

    /** What the logger writes, in any of its formats, or what a log agent would take from a line as its own. */
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

    /** The name as the caller gave it. */
    final String given;

    /** The name inside a nested object, where it can forge nothing. */
    final String nested;

    /** The name at the top of a line; two names are the same field when this is equal. */
    final String printed;

    /** What stands before the value in a line, separator included. */
    final byte[] encoded;

    /** Whether values under this name are redacted. */
    final boolean secret;

    /** One bit that equal names share and most others do not, for telling quickly that no name comes twice. */
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

    /** Cuts a long name and replaces what UTF-8 cannot say, because two names must differ in print to count as two. */
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
