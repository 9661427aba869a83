// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Checks that the ports are free, or that the service listens on them. */
final class PortCheck {
    private final Config config;
    private final Duration timeout;

    PortCheck(Config config, Duration timeout) {
        this.config = config;
        this.timeout = timeout;
    }

    List<Diagnosis> run() {
        List<Diagnosis> results = new ArrayList<>();
        results.add(port("PORT", config.get(Settings.PORT)));
        config.get(Settings.MANAGEMENT_PORT).ifPresent(port -> results.add(port("MANAGEMENT_PORT", port)));
        return results;
    }

    private Diagnosis port(String variable, int port) {
        InetAddress host;
        try {
            host = InetAddress.getByName(config.get(Settings.HOST));
        } catch (UnknownHostException e) {
            return Diagnosis.problem(
                    "HOST " + config.get(Settings.HOST) + " cannot be resolved", "export HOST=0.0.0.0");
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(host, port));
            return Diagnosis.ok(variable + ' ' + port + " is free");
        } catch (IOException e) {
            return isThisService(host, port)
                    ? Diagnosis.ok("the service is running on " + variable + ' ' + port)
                    : Diagnosis.problem(
                            variable + ' ' + port + " on " + config.get(Settings.HOST) + " is in use: "
                                    + e.getMessage(),
                            "export " + variable + '=' + free() + "   # this one is free");
        }
    }

    /** Whether this service listens there. */
    private boolean isThisService(InetAddress host, int port) {
        String scheme = config.tls().isPresent() ? "https" : "http";
        String name = host.isAnyLocalAddress() ? "localhost" : config.get(Settings.HOST);
        HttpProbe probe = new HttpProbe(timeout);
        return Stream.of("/openapi.json", "/health/live").anyMatch(path -> {
            try {
                var response = probe.get(URI.create(scheme + "://" + name + ':' + port + path));
                return response.statusCode() == 200
                        && response.headers().firstValue("X-Correlation-ID").isPresent();
            } catch (IOException anotherService) {
                return false;
            }
        });
    }

    private static int free() {
        try (ServerSocket any = new ServerSocket(0)) {
            return any.getLocalPort();
        } catch (IOException e) {
            return 0;
        }
    }
}
