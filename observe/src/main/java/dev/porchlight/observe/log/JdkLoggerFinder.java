// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import org.jspecify.annotations.Nullable;

/**
 * Takes what the JDK and others log through {@link System.Logger} to a {@link Logger}. Thread-safe.
 *
 * <p>An application opts in. On a class path, it has a file {@code META-INF/services/java.lang.System$LoggerFinder} that
 * holds the name of this class; in a module, it {@code provides System.LoggerFinder with} a subclass. The JDK then creates the
 * finder itself, and {@link #install} names the logger. Until then lines from warnings up go to standard error.
 */
public class JdkLoggerFinder extends System.LoggerFinder {
    /** Global, and the only such state: the JDK keeps one finder for the process and gives no way to hand it anything. */
    private static volatile @Nullable Logger installed;

    private static volatile String fallbackService = LineEncoder.UNNAMED;

    /** For the JDK. */
    public JdkLoggerFinder() {}

    /** For a subclass that knows the name which lines carry before a logger is installed. */
    @SuppressWarnings("StaticAssignmentInConstructor") // the JDK makes one finder for the process
    protected JdkLoggerFinder(String service) {
        fallbackService = service;
    }

    /** Sends all lines of the process's system loggers, those that exist already included, to this logger from now on. */
    public static void install(Logger logger) {
        installed = logger;
    }

    /** Takes an installed logger out again, if it is still this one, as when its writer is about to be closed. */
    public static void uninstall(Logger logger) {
        if (installed == logger) {
            installed = null;
        }
    }

    @Override
    public final System.Logger getLogger(String name, Module module) {
        return new JdkLogger(name);
    }

    /** The installed logger, or one that writes warnings and worse to standard error. Also for other logging facades. */
    public static Logger target() {
        Logger logger = installed;
        return logger == null ? Fallback.LOGGER : logger;
    }

    /** Made only when a line comes before a logger does. */
    private static final class Fallback {
        static final Logger LOGGER = new Logger(
                fallbackService, Level.WARN, LogFormat.fromEnvironment(System.getenv()), LogWriter.standardError());
    }
}
