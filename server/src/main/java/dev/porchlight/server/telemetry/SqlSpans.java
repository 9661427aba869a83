// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanKind;
import dev.porchlight.observe.trace.Tracer;
import dev.porchlight.passkey.store.Sql;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A span for every statement that is run inside a trace, named after its verb and table. Thread-safe. */
public final class SqlSpans implements Sql.Watcher {
    private static final Pattern SHAPE = Pattern.compile(
            "(?is)^\\s*(select|insert|update|delete)\\b.*?\\b(?:from|into|update)?\\s*(passkey_\\w+|porchlight_\\w+).*");

    private final Tracer tracer;
    private final String system;

    /** Spans under the OpenTelemetry name of a database, such as {@code postgresql}. */
    public SqlSpans(Tracer tracer, String system) {
        this.tracer = tracer;
        this.system = system;
    }

    @Override
    public Runnable begin(String sql) {
        Span parent = Span.current();
        if (!parent.recording()) {
            return () -> {};
        }
        Span span =
                tracer.start(name(sql), Attributes.of("db.system.name", system, "db.query.text", sql), SpanKind.CLIENT);
        return span::end;
    }

    private static String name(String sql) {
        Matcher shape = SHAPE.matcher(sql);
        return shape.matches() ? shape.group(1).toUpperCase(Locale.ROOT) + ' ' + shape.group(2) : sql;
    }
}
