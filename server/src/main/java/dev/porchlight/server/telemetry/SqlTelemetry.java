// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.base.sql.Sql;
import dev.porchlight.observe.Observability;
import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.observe.trace.Attributes;
import dev.porchlight.observe.trace.Span;
import dev.porchlight.observe.trace.SpanKind;
import dev.porchlight.observe.trace.Tracer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Creates a span for every statement inside a trace, named after its verb and table, and a debug line with the statement for the
 * logger {@code sql}. Statements are constants, without values; spans do not repeat them. Thread-safe.
 */
public final class SqlTelemetry implements Sql.StatementListener {
    private static final Pattern SHAPE = Pattern.compile(
            "(?is)^\\s*(select|insert|update|delete)\\b.*?\\b(?:from|into|update)?\\s*(passkey_\\w+|porchlight_\\w+).*");
    private static final Pattern PARENTHESES = Pattern.compile("\\([^()]*\\)");

    /** There are a few dozen statements, all of them constants. */
    private static final int MAX_NAMES = 256;

    private final Tracer tracer;
    private final Logger logger;
    private final Attributes system;
    private final Map<String, String> names = new ConcurrentHashMap<>();

    /** Creates spans with the OpenTelemetry name of a database, such as {@code postgresql}. */
    public SqlTelemetry(Observability observe, String system) {
        this.tracer = observe.tracer();
        this.logger = observe.logger().named("sql");
        this.system = Attributes.of("db.system.name", system);
    }

    @Override
    public Runnable begin(String sql) {
        boolean traced = Span.current().recording();
        boolean logged = logger.isEnabled(Level.DEBUG);
        if (!traced && !logged) {
            return () -> {};
        }
        Span span = traced ? tracer.start(nameOf(sql), system, SpanKind.CLIENT) : Span.none();
        if (!logged) {
            return span::end;
        }
        long start = System.nanoTime();
        return () -> {
            long nanos = System.nanoTime() - start;
            span.end();
            logger.debug(nameOf(sql), Fields.of("statement", sql, "durationMs", nanos / 1e6));
        };
    }

    @Override
    public void retried(String sql, int attempt) {
        if (logger.isEnabled(Level.DEBUG)) {
            logger.debug(nameOf(sql) + " is retried", Fields.of("statement", sql, "attempt", attempt));
        }
    }

    private String nameOf(String sql) {
        String name = names.get(sql);
        if (name == null) {
            name = name(sql);
            if (names.size() < MAX_NAMES) {
                names.put(sql, name);
            }
        }
        return name;
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
