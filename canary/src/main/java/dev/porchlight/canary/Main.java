// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.canary;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** The command line of the canary. */
public final class Main {
    private static final String USAGE = """
            Test a running service periodically: sign in, present assertions that must be refused, and export metrics.
            Usage: porchlight canary URL [OPTION VALUE]...

              URL            public URL of the service; https unless it is on this machine
              --origin       origin of its pages; default: the origin of the URL
              --admin-url    URL of its admin routes, if MANAGEMENT_PORT is set; default: the URL
              --user         user id for the canary's passkeys; default: canary
              --every        seconds from one round to the next, 1 to 180; default: 60
              --host         address to serve /metrics and /health on; default: 127.0.0.1
              --port         port to serve them on; default: 9464
              --once         run one round and exit

            Set ADMIN_TOKEN to the service's admin token: the canary requests enrollments with it.
            LOG_LEVEL, LOG_FORMAT and the OTEL_ variables work as for the service.

            Exit status: 0 stopped, or the round succeeded; 1 the round failed, or the port is in use; 2 invalid usage.""";

    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        System.exit(run(List.of(arguments), System.getenv(), System.out, System.err));
    }

    /** Runs until the process is stopped, or for one round, and returns the exit status. */
    static int run(List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err)
            throws InterruptedException {
        if (arguments.contains("--help") || arguments.contains("-h")) {
            out.println(USAGE);
            return 0;
        }
        CanarySettings settings;
        try {
            settings = CanarySettings.parse(arguments, environment);
        } catch (IllegalArgumentException e) {
            err.println("Error: " + e.getMessage() + "\n" + USAGE);
            return 2;
        }
        Observability observe =
                Observability.open(ObservabilitySettings.fromEnvironment("porchlight-canary", environment));
        Canary canary = new Canary(settings, observe);
        if (settings.once()) {
            try (observe) {
                return canary.round().equals(CanaryMetrics.OK) ? 0 : 1;
            }
        }
        try {
            canary.start();
        } catch (IOException e) {
            observe.close();
            err.println("Error: cannot serve metrics: " + e.getMessage() + ". Choose another --host or --port.");
            return 1;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            canary.close();
            observe.close();
            Runtime.getRuntime().halt(0);
        }));
        new CountDownLatch(1).await(); // until the process is stopped
        return 0;
    }
}
