// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.slf4j;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.JdkLoggerFinder;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.Logger;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.EventConstants;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.LoggingEvent;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventAware;
import org.slf4j.spi.MDCAdapter;

/**
 * An SLF4J logger that writes to our logger of the same name. The MDC, key-value pairs and markers become fields; messages are
 * formatted only if their level is enabled. Thread-safe.
 */
final class Slf4jLogger extends LegacyAbstractLogger implements LoggingEventAware {
    private static final long serialVersionUID = 1L;

    /** The marker on every line of Commons Logging, which Spring uses. It would say nothing. */
    private static final String COMMONS_LOGGING = "COMMONS-LOGGING";

    private final transient MDCAdapter contexts;
    private transient volatile @Nullable Binding binding;

    Slf4jLogger(String name, MDCAdapter contexts) {
        this.name = name;
        this.contexts = contexts;
    }

    /** The named child of the installed logger, cached until another logger is installed. */
    private record Binding(Logger installed, Logger named) {}

    @Override
    public boolean isTraceEnabled() {
        return logger().isEnabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return logger().isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return logger().isEnabled(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return logger().isEnabled(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return logger().isEnabled(Level.ERROR);
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            org.slf4j.event.Level level,
            @Nullable Marker marker,
            String pattern,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        write(level, pattern, arguments, thrown, marker == null ? List.of() : List.of(marker), List.of());
    }

    /** Writes an event of the fluent API, whose builder has checked the level. */
    @Override
    public void log(LoggingEvent event) {
        write(
                event.getLevel(),
                event.getMessage(),
                event.getArgumentArray(),
                event.getThrowable(),
                event.getMarkers() == null ? List.of() : event.getMarkers(),
                event.getKeyValuePairs() == null ? List.of() : event.getKeyValuePairs());
    }

    private void write(
            org.slf4j.event.Level level,
            String pattern,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown,
            List<Marker> markers,
            List<KeyValuePair> pairs) {
        Fields fields = new Fields();
        Map<String, String> context = contexts.getCopyOfContextMap();
        if (context != null) {
            context.forEach(fields::put);
        }
        pairs.forEach(pair -> fields.put(pair.key, pair.value));
        List<String> names = markers.stream()
                .filter(Objects::nonNull) // the fluent API accepts a null
                .map(Marker::getName)
                .filter(marker -> !marker.equals(COMMONS_LOGGING))
                .toList();
        if (!names.isEmpty()) {
            fields.put("markers", names);
        }
        if (level.toInt() >= EventConstants.WARN_INT) {
            long others = JdkLoggerFinder.repetitions(pattern);
            if (others < 0) {
                return;
            }
            if (others > 0) {
                fields.put("notLogged", others);
            }
        }
        logger().log(
                        Level.valueOf(level.name()),
                        MessageFormatter.basicArrayFormat(pattern, arguments),
                        thrown,
                        fields);
    }

    private Logger logger() {
        Logger installed = JdkLoggerFinder.target();
        Binding present = binding;
        if (present == null || present.installed != installed) {
            present = new Binding(installed, installed.named(name));
            binding = present;
        }
        return present.named;
    }
}
