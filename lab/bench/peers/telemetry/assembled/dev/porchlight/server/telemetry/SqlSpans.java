// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.server.http.Stack;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;

/** Statement spans, recorded with the OpenTelemetry SDK. */
public final class SqlSpans implements Sql.StatementListener {
    private final String system;
    private final StatementNames names = new StatementNames();

    public SqlSpans(dev.porchlight.observe.trace.Tracer tracer, String system) {
        this.system = system;
    }

    @Override
    public Runnable begin(String sql) {
        if (!Span.current().isRecording()) {
            return () -> {};
        }
        Span span = Stack.TRACER
                .spanBuilder(names.of(sql))
                .setSpanKind(SpanKind.CLIENT)
                .setAttribute("db.system.name", system)
                .setAttribute("db.query.text", sql)
                .startSpan();
        return span::end;
    }
}
