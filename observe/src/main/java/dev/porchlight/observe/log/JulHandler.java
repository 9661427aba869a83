// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.SimpleFormatter;

/**
 * Writes the records of {@code java.util.logging} through a {@link Logger}, under the names of their loggers and with those
 * names' thresholds. Thread-safe.
 */
public final class JulHandler extends Handler {
    private final Logger logger;
    private final Formatter messages = new SimpleFormatter();
    private final Map<String, Logger> named = new ConcurrentHashMap<>();

    public JulHandler(Logger logger) {
        this.logger = Objects.requireNonNull(logger, "logger");
    }

    /**
     * Replaces all handlers of the root logger with one to {@code logger}, and sets the root logger's level to the lowest
     * threshold, so that records that no line would show are not created.
     */
    public static void install(Logger logger) {
        JulHandler handler = new JulHandler(logger);
        java.util.logging.Logger root = LogManager.getLogManager().getLogger("");
        for (Handler other : root.getHandlers()) {
            root.removeHandler(other);
        }
        root.setLevel(
                switch (logger.lowestThreshold()) {
                    case TRACE -> java.util.logging.Level.ALL;
                    case DEBUG -> java.util.logging.Level.FINE;
                    case INFO -> java.util.logging.Level.INFO;
                    case WARN -> java.util.logging.Level.WARNING;
                    case ERROR, FATAL -> java.util.logging.Level.SEVERE;
                });
        root.addHandler(handler);
    }

    @Override
    public void publish(LogRecord record) {
        if (record == null) {
            return;
        }
        Logger target = named.computeIfAbsent(String.valueOf((Object) record.getLoggerName()), logger::named);
        Level level = levelOf(record.getLevel().intValue());
        if (target.isEnabled(level)) {
            target.log(level, messages.formatMessage(record), record.getThrown(), new Fields());
        }
    }

    private static Level levelOf(int value) {
        if (value >= java.util.logging.Level.SEVERE.intValue()) {
            return Level.ERROR;
        }
        if (value >= java.util.logging.Level.WARNING.intValue()) {
            return Level.WARN;
        }
        if (value >= java.util.logging.Level.INFO.intValue()) {
            return Level.INFO;
        }
        return value >= java.util.logging.Level.FINE.intValue() ? Level.DEBUG : Level.TRACE;
    }

    /** Does nothing: the logger's writer flushes itself. */
    @Override
    public void flush() {}

    /** Does nothing: the logger's owner closes its writer. */
    @Override
    public void close() {}
}
