// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanKind;
import dev.porchlight.observe.trace.Tracer;

/** Creates a span for every statement inside a trace, named after its verb and table. Thread-safe. */
public final class SqlSpans implements Sql.StatementListener {
    private final Tracer tracer;
    private final String system;
    private final StatementNames names = new StatementNames();

    /** Creates spans with the OpenTelemetry name of a database, such as {@code postgresql}. */
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
        Span span = tracer.start(
                names.of(sql), Attributes.of("db.system.name", system, "db.query.text", sql), SpanKind.CLIENT);
        return span::end;
    }
}
