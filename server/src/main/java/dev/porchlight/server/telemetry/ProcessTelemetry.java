// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.log.JdkLoggerFinder;
import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.observe.log.Thresholds;
import dev.porchlight.server.limit.OncePerSecond;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Telemetry of this process. While it is open, the JDK and libraries log through it. Thread-safe. */
public final class ProcessTelemetry {
    private static final List<String> QUIET =
            List.of("org.eclipse.jetty", "com.zaxxer.hikari", "jdk.httpclient", "jdk.internal.httpclient");
    /** Logs any host name a client sends, as a warning, as often as the client sends it. */
    private static final String ERRORS_ONLY = "org.eclipse.jetty.util.HostPort";

    private ProcessTelemetry() {}

    /** Opens telemetry with log lines to the writer, formatted for a terminal or for programs. */
    public static Observability open(ObservabilitySettings configured, LogWriter logs, boolean terminal) {
        ObservabilitySettings settings = configured.withLogLevels(quieted(configured.logLevels()));
        Observability observe = Observability.open(terminal ? settings.forTerminal() : settings, logs);
        // A pool warns about every broken connection; when a database goes down, that is all of them, repeatedly.
        JdkLoggerFinder.install(observe.logger(), new OncePerSecond()::pass);
        return observe;
    }

    /** Raises the level of libraries and the JDK's HTTP client to warn, unless {@code LOG_LEVEL} names them. */
    static Thresholds quieted(Thresholds asked) {
        Map<String, Level> byName = new HashMap<>();
        if (asked.general().compareTo(Level.WARN) < 0) {
            QUIET.forEach(name -> byName.put(name, Level.WARN));
        }
        byName.put(ERRORS_ONLY, Level.ERROR);
        byName.putAll(asked.byName());
        return new Thresholds(asked.general(), byName);
    }
}
