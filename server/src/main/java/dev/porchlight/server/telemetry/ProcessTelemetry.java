// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.log.JdkLoggerFinder;
import dev.porchlight.observe.log.LogWriter;

/** What this process observes of itself. While it is open, the JDK and the libraries log by it as well. Thread-safe. */
public final class ProcessTelemetry {
    private ProcessTelemetry() {}

    /** Opens it with log lines to the writer, for a person at a terminal or for a program. */
    public static Observability open(ObservabilitySettings configured, LogWriter logs, boolean terminal) {
        ObservabilitySettings settings = configured.withLogLevels(QuietLibraries.in(configured.logLevels()));
        Observability observe = Observability.open(terminal ? settings.forTerminal() : settings, logs);
        JdkLoggerFinder.install(observe.logger());
        LibraryLogs.install(observe.logger());
        return observe;
    }

    /** Sends and writes what is left. */
    public static void close(Observability observe) {
        LibraryLogs.uninstall(observe.logger());
        JdkLoggerFinder.uninstall(observe.logger());
        observe.close();
    }
}
