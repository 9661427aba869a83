// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.telemetry;

import dev.porchlight.observe.log.JdkLoggerFinder;
import dev.porchlight.server.config.Config;

/** Routes the JDK's log lines to the service's logger, with the service name from the first line on. Thread-safe. */
public final class SystemLogs extends JdkLoggerFinder {
    /** For the JDK. */
    public SystemLogs() {
        super(Config.SERVICE);
    }
}
