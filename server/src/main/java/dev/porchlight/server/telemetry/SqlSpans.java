// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanKind;
import dev.porchlight.observe.trace.Tracer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Creates a span for every statement inside a trace, named after its verb and table. Thread-safe. */
public final class SqlSpans implements Sql.StatementListener {
    private static final Pattern SHAPE = Pattern.compile(
            "(?is)^\\s*(select|insert|update|delete)\\b.*?\\b(?:from|into|update)?\\s*(passkey_\\w+|porchlight_\\w+).*");
    private static final Pattern PARENTHESES = Pattern.compile("\\([^()]*\\)");

    /** There are a few dozen statements, all of them constants. */
    private static final int MAX_NAMES = 256;

    private final Tracer tracer;
    private final String system;
    private final Map<String, String> names = new ConcurrentHashMap<>();

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
        String name = names.get(sql);
        if (name == null) {
            name = name(sql);
            if (names.size() < MAX_NAMES) {
                names.put(sql, name);
            }
        }
        Span span = tracer.start(name, Attributes.of("db.system.name", system, "db.query.text", sql), SpanKind.CLIENT);
        return span::end;
    }

    /** The verb and table of a statement. */
    static String name(String sql) {
        Matcher shape = SHAPE.matcher(outermost(sql));
        if (!shape.matches()) {
            shape = SHAPE.matcher(sql);
        }
        return shape.matches() ? shape.group(1).toUpperCase(Locale.ROOT) + ' ' + shape.group(2) : sql;
    }

    /** Returns the statement without its subqueries, whose tables are not its subject. */
    private static String outermost(String sql) {
        String flat = sql;
        for (String before = ""; !flat.equals(before); ) {
            before = flat;
            flat = PARENTHESES.matcher(before).replaceAll("");
        }
        return flat;
    }
}
