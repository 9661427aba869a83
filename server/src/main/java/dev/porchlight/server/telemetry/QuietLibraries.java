// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.log.Level;
import dev.porchlight.observe.log.Thresholds;
import java.util.HashMap;
import java.util.Map;

/** From libraries and the JDK's HTTP client only warnings are written, unless {@code LOG_LEVEL} names them. */
final class QuietLibraries {
    private static final String VARIABLE = "LOG_LEVEL";
    private static final String QUIET =
            "org.eclipse.jetty=warn,com.zaxxer.hikari=warn," + "jdk.httpclient=warn,jdk.internal.httpclient=warn,";
    /** Repeats whatever a stranger sent as a host, as a warning, and as often as he likes. */
    private static final String HUSHED = "org.eclipse.jetty.util.HostPort=error,";

    private QuietLibraries() {}

    static Map<String, String> in(Map<String, String> environment) {
        String asked = environment.getOrDefault(VARIABLE, "");
        boolean quietAnyway = Thresholds.parse(asked, complaint -> {}).general().compareTo(Level.WARN) >= 0;
        Map<String, String> quiet = new HashMap<>(environment);
        quiet.put(VARIABLE, (quietAnyway ? "" : QUIET) + HUSHED + asked); // what comes later in the list wins
        return quiet;
    }
}
