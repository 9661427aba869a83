// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.log;

import org.jspecify.annotations.Nullable;

/**
 * Takes what the JDK, and whoever else uses {@link System.Logger}, has to log to a {@link Logger}. Thread-safe.
 *
 * <p>The JDK finds this class as a service and makes it itself. Until a logger is installed the lines go to standard error,
 * in the format and from the level that the environment asks for.
 */
public final class JdkLoggerFinder extends System.LoggerFinder {
    /** Global, and the only such state: the JDK keeps one finder for the process and gives no way to hand it anything. */
    private static volatile @Nullable Logger installed;

    /** For the JDK. */
    public JdkLoggerFinder() {}

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
    public System.Logger getLogger(String name, Module module) {
        return new JdkLogger(name);
    }

    static Logger target() {
        Logger logger = installed;
        return logger == null ? Fallback.LOGGER : logger;
    }

    /** Made only when a line comes before a logger does. */
    private static final class Fallback {
        static final Logger LOGGER = make();

        private static Logger make() {
            LogConfig config = LogConfig.fromEnvironment(System.getenv(), false);
            return new Logger(config.service(), config.thresholds(), config.format(), LogWriter.standardError());
        }
    }
}
