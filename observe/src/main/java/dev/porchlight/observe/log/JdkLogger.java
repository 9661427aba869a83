// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import dev.porchlight.observe.wire.StackText;
import java.text.MessageFormat;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A {@link System.Logger} of one name that forwards to the installed logger. Thread-safe. */
final class JdkLogger implements System.Logger {
    private static final Fields NO_FIELDS = new Fields();

    /** The installed logger and its child for this name. */
    private record Route(Logger target, Logger named) {}

    private final String name;

    /** Set without a lock: a route is immutable, and a thread that misses it creates an equal one. */
    private @Nullable Route route;

    JdkLogger(String name) {
        this.name = name;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isLoggable(Level level) {
        return level != Level.OFF && named().isEnabled(levelOf(level));
    }

    @Override
    public void log(Level level, Supplier<String> message) {
        log(level, message, null);
    }

    @Override
    public void log(Level level, Object message) {
        log(level, message::toString, null);
    }

    @Override
    public void log(Level level, Supplier<String> message, @Nullable Throwable thrown) {
        if (isLoggable(level)) {
            String text;
            try {
                text = message.get();
            } catch (RuntimeException failure) {
                text = StackText.errorText(failure);
            }
            log(level, null, text, thrown);
        }
    }

    @Override
    public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
        if (isLoggable(level)) {
            named().log(levelOf(level), localized(bundle, message), thrown, NO_FIELDS);
        }
    }

    @Override
    public void log(
            Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object @Nullable ... values) {
        if (isLoggable(level)) {
            named().log(levelOf(level), formatted(localized(bundle, format), values), null, NO_FIELDS);
        }
    }

    private static String localized(@Nullable ResourceBundle bundle, String message) {
        if (bundle == null || message == null) {
            return message;
        }
        try {
            return bundle.getString(message);
        } catch (MissingResourceException | ClassCastException noSuchText) {
            return message;
        }
    }

    private static String formatted(String format, @Nullable Object @Nullable [] values) {
        if (values == null || values.length == 0) {
            return format;
        }
        try {
            return MessageFormat.format(format, values);
        } catch (RuntimeException notAFormat) {
            return format;
        }
    }

    private Logger named() {
        Logger target = JdkLoggerFinder.target();
        Route known = route;
        if (known == null || known.target != target) {
            known = new Route(target, target.named(name));
            route = known;
        }
        return known.named;
    }

    private static dev.porchlight.observe.log.Level levelOf(Level level) {
        return switch (level) {
            case ALL, TRACE -> dev.porchlight.observe.log.Level.TRACE;
            case DEBUG -> dev.porchlight.observe.log.Level.DEBUG;
            case INFO -> dev.porchlight.observe.log.Level.INFO;
            case WARNING -> dev.porchlight.observe.log.Level.WARN;
            case ERROR, OFF -> dev.porchlight.observe.log.Level.ERROR;
        };
    }
}
