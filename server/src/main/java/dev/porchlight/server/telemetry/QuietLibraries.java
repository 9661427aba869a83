// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.Thresholds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Raises the threshold of libraries and the JDK's HTTP client to warn, unless {@code LOG_LEVEL} names them. */
final class QuietLibraries {
    private static final List<String> QUIET =
            List.of("org.eclipse.jetty", "com.zaxxer.hikari", "jdk.httpclient", "jdk.internal.httpclient");
    /** Logs any host name a client sends, as a warning, as often as the client likes. */
    private static final String ERRORS_ONLY = "org.eclipse.jetty.util.HostPort";

    private QuietLibraries() {}

    static Thresholds in(Thresholds asked) {
        Map<String, Level> byName = new HashMap<>();
        if (asked.general().compareTo(Level.WARN) < 0) {
            QUIET.forEach(name -> byName.put(name, Level.WARN));
        }
        byName.put(ERRORS_ONLY, Level.ERROR);
        byName.putAll(asked.byName());
        return new Thresholds(asked.general(), byName);
    }
}
