// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Forwards lines logged through {@link System.Logger} to a {@link Logger}. Thread-safe.
 *
 * <p>An application opts in. On the class path, it adds a file {@code META-INF/services/java.lang.System$LoggerFinder}
 * with the name of this class; a module {@code provides System.LoggerFinder with} a subclass. The JDK then creates the
 * finder, and {@link #install} sets the logger. Until then, warnings and errors go to standard error.
 */
public class JdkLoggerFinder extends System.LoggerFinder {
    /** The only global state: the JDK creates one finder per process and cannot pass it anything. */
    private static volatile @Nullable Logger installed;

    private static volatile ToLongFunction<String> repetition = pattern -> 0;

    private static volatile String fallbackService = LineEncoder.UNNAMED;

    private static @Nullable Logger fallback;

    /** Called by the JDK. */
    public JdkLoggerFinder() {}

    /** Sets the service name of lines that are logged before a logger is installed; that logger's name is used after it. */
    @SuppressWarnings("StaticAssignmentInConstructor") // the JDK creates one finder per process
    protected JdkLoggerFinder(String service) {
        fallbackService = service;
    }

    /** Forwards the lines of all system loggers, including existing ones, to this logger. */
    public static void install(Logger logger) {
        install(logger, pattern -> 0);
    }

    /**
     * Forwards the lines of all system loggers to this logger, and limits the warnings of libraries that log through another
     * facade.
     *
     * @param newRepetition returns the number of warnings with this message pattern that were held back since the last one, or a
     *     negative number to hold this one back
     */
    public static void install(Logger logger, ToLongFunction<String> newRepetition) {
        Objects.requireNonNull(logger, "logger");
        repetition = Objects.requireNonNull(newRepetition, "newRepetition");
        fallbackService =
                logger.service(); // for lines after its writer is closed, such as the reason of a failed start
        installed = logger;
    }

    /** Returns the number of similar warnings held back, or a negative number if this one is; for other logging facades. */
    public static long repetitions(String pattern) {
        return repetition.applyAsLong(pattern);
    }

    /** Uninstalls this logger if it is installed, for example before its writer is closed. */
    public static void uninstall(Logger logger) {
        if (installed == logger) {
            installed = null;
        }
    }

    @Override
    public final System.Logger getLogger(String name, Module module) {
        return new JdkLogger(name);
    }

    /**
     * Returns the installed logger, or one that writes warnings and above to standard error. Other logging facades may
     * use it.
     */
    public static Logger target() {
        Logger logger = installed;
        return logger == null ? fallback() : logger;
    }

    /** Created only if a line is logged while no logger is installed. */
    private static synchronized Logger fallback() {
        Logger logger = fallback;
        if (logger == null || !logger.service().equals(fallbackService)) {
            logger = new Logger(
                    fallbackService, Level.WARN, LogFormat.fromEnvironment(System.getenv()), LogWriter.standardError());
            fallback = logger;
        }
        return logger;
    }
}
