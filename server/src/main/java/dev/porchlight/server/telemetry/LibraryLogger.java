// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.JdkLoggerFinder;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.server.limit.OncePerSecond;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.EventConstants;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** An SLF4J logger that writes to our logger of the same name. */
final class LibraryLogger extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1L;

    /** A pool warns about every broken connection; when a database goes down, that is all of them, repeatedly. */
    private static final OncePerSecond WARNINGS = new OncePerSecond();

    private transient volatile @Nullable Binding binding;

    LibraryLogger(String name) {
        this.name = name;
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
        Fields fields = new Fields();
        if (level.toInt() >= EventConstants.WARN_INT) {
            long others = WARNINGS.pass(pattern);
            if (others == OncePerSecond.HELD_BACK) {
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
