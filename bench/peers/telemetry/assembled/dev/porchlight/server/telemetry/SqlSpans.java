// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.passkey.store.Sql;
import dev.porchlight.server.http.Stack;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The spans of statements by OpenTelemetry's SDK. */
public final class SqlSpans implements Sql.Watcher {
    private static final Pattern SHAPE = Pattern.compile(
            "(?is)^\\s*(select|insert|update|delete)\\b.*?\\b(?:from|into|update)?\\s*(passkey_\\w+|porchlight_\\w+).*");

    private final String system;

    public SqlSpans(dev.porchlight.observe.trace.Tracer tracer, String system) {
        this.system = system;
    }

    @Override
    public Runnable begin(String sql) {
        if (!Span.current().isRecording()) {
            return () -> {};
        }
        Span span = Stack.TRACER
                .spanBuilder(name(sql))
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute("db.system.name", system)
                .setAttribute("db.query.text", sql)
                .startSpan();
        return span::end;
    }

    private static String name(String sql) {
        Matcher shape = SHAPE.matcher(sql);
        return shape.matches() ? shape.group(1).toUpperCase(Locale.ROOT) + ' ' + shape.group(2) : sql;
    }
}
