// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.Observability;
import dev.porchlight.observe.ObservabilitySettings;
import dev.porchlight.observe.log.LogWriter;
import dev.porchlight.server.limit.ClientAddresses;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Servers without logs, sessions and trusted proxies. */
final class QuietServer {
    private static final Observability OBSERVE = Observability.open(
            ObservabilitySettings.fromEnvironment("test", Map.of("LOG_LEVEL", "fatal")),
            LogWriter.to(OutputStream.nullOutputStream()));

    private QuietServer() {}

    static HttpServer with(Limits limits, Middleware... more) {
        return new HttpServer(
                limits, new ClientAddresses(List.of()), (access, authorization, cookies) -> false, middlewares(more));
    }

    /** The usual middlewares, with more of them inside of the telemetry. */
    static List<Middleware> middlewares(Middleware... more) {
        return Stream.of(
                        Stream.of(new RequestTelemetry(OBSERVE.http())),
                        Stream.of(more),
                        Stream.of(new ErrorBoundary(ProblemPages.NONE)))
                .<Middleware>flatMap(each -> each)
                .toList();
    }
}
