// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LogFormat;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Logger;
import dev.porchlight.server.config.Config;
import org.jspecify.annotations.Nullable;

/**
 * Where the lines of libraries go. Global, because SLF4J finds its provider itself and gives no way to hand it anything.
 * Safe for use by many threads.
 */
final class LibraryLogs {
    private static volatile @Nullable Logger installed;

    private LibraryLogs() {}

    /** Sends the lines of all libraries to this logger from now on. */
    static void install(Logger logger) {
        installed = logger;
    }

    /** Takes a logger out again, if it is still this one. */
    static void uninstall(Logger logger) {
        if (installed == logger) {
            installed = null;
        }
    }

    static Logger target() {
        Logger logger = installed;
        return logger != null ? logger : Fallback.LOGGER;
    }

    /** For lines before there is a logger and after it is gone: the serious ones, to standard error. */
    private static final class Fallback {
        static final Logger LOGGER =
                new Logger(Config.SERVICE, Level.WARN, new LogFormat.Json(), LogWriter.standardError());
    }
}
