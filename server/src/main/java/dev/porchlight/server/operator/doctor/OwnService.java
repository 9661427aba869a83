// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.operator.doctor;

import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.Settings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.stream.Stream;

/** Tells whether it is this service that listens somewhere on this machine. */
final class OwnService {
    private OwnService() {}

    static boolean answersAt(Config config, InetAddress host, int port, Duration timeout) {
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
}
