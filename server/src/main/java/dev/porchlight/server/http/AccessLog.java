// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import dev.porchlight.observe.log.Fields;
import dev.porchlight.observe.log.Level;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Logs one line per request, after its response. The path is the route's template: queries and path parameters contain user
 * ids, and an unmatched path may contain anything, such as a mistyped link with its secret.
 */
public final class AccessLog implements Middleware {
    private final boolean cloud;

    /** Creates an access log; with {@code cloud}, each line has the {@code httpRequest} field of Google Cloud Logging. */
    public AccessLog(boolean cloud) {
        this.cloud = cloud;
    }

    @Override
    public void around(Exchange exchange, Next next) throws Exception {
        try {
            next.proceed(exchange);
        } finally {
            if (exchange.logger().isEnabled(Level.INFO)) {
                exchange.logger()
                        .info(
                                exchange.endpoint().method().label() + " "
                                        + exchange.endpoint().route() + " " + exchange.status(),
                                fields(exchange));
            }
        }
    }

    private Fields fields(Exchange exchange) {
        Fields fields = new Fields()
                .put("method", exchange.endpoint().method().label())
                .put("route", exchange.endpoint().route())
                .put("status", exchange.status())
                .put("durationMs", exchange.durationNanos() / 1e6)
                .put("bytes", exchange.bytesSent())
                .put("client", exchange.clientAddress());
        String userAgent = exchange.header("User-Agent");
        if (userAgent != null) {
            fields.put("userAgent", userAgent);
        }
        return cloud ? fields.put("httpRequest", cloudRequest(exchange)) : fields;
    }

    private static Map<String, @Nullable Object> cloudRequest(Exchange exchange) {
        Map<String, @Nullable Object> request = new LinkedHashMap<>();
        request.put("requestMethod", exchange.endpoint().method().label());
        request.put("requestUrl", exchange.endpoint().route());
        request.put("status", exchange.status());
        request.put("responseSize", exchange.bytesSent());
        request.put("userAgent", exchange.header("User-Agent"));
        request.put("remoteIp", exchange.clientAddress());
        request.put("latency", exchange.durationNanos() / 1e9);
        request.put("protocol", "HTTP/" + exchange.protocolVersion());
        return request;
    }
}
