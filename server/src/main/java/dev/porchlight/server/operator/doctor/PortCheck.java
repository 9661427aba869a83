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

/** Whether the ports can be listened on. */
final class PortCheck {
    private final Config config;
    private final Duration timeout;

    PortCheck(Config config, Duration timeout) {
        this.config = config;
        this.timeout = timeout;
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        findings.add(port("PORT", config.get(Settings.PORT)));
        config.get(Settings.MANAGEMENT_PORT).ifPresent(port -> findings.add(port("MANAGEMENT_PORT", port)));
        return findings;
    }

    private Finding port(String variable, int port) {
        InetAddress host;
        try {
            host = InetAddress.getByName(config.get(Settings.HOST));
        } catch (UnknownHostException e) {
            return Finding.wrong("HOST " + config.get(Settings.HOST) + " is not known here", "export HOST=0.0.0.0");
        }
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(host, port));
            return Finding.fine(variable + ' ' + port + " is free");
        } catch (IOException e) {
            return isOurs(host, port)
                    ? Finding.fine("the service is running on " + variable + ' ' + port)
                    : Finding.wrong(
                            variable + ' ' + port + " on " + config.get(Settings.HOST) + " cannot be had: "
                                    + e.getMessage(),
                            "export " + variable + '=' + free() + "   # this one is free");
        }
    }

    /** Whether it is this service that listens there. */
    private boolean isOurs(InetAddress host, int port) {
        String scheme = config.tls().isPresent() ? "https" : "http";
        String name = host.isAnyLocalAddress() ? "localhost" : config.get(Settings.HOST);
        Probe probe = new Probe(timeout);
        return Stream.of("/openapi.json", "/health/live").anyMatch(path -> {
            try {
                var answer = probe.get(URI.create(scheme + "://" + name + ':' + port + path));
                return answer.statusCode() == 200
                        && answer.headers().firstValue("X-Correlation-ID").isPresent();
            } catch (IOException somethingElse) {
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
