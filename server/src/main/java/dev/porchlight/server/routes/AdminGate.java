// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.routes;

import dev.porchlight.server.auth.Operator;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates operators: by the admin token or, in localhost mode without one, by a connection from this machine.
 * Thread-safe.
 */
public final class AdminGate {
    private static final Problem DISABLED =
            Problem.of(403, "admin_disabled", "The admin routes are disabled. Set ADMIN_TOKEN to enable them.");
    private static final Problem UNAUTHENTICATED =
            Problem.of(401, "unauthenticated", "This route requires the admin token.");

    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(?:\\.\\d{1,3}){3}|\\[?(?:::1|0:0:0:0:0:0:0:1)]?");

    /** Headers that proxies add. Behind a proxy, a loopback address says nothing about the client. */
    private static final List<String> PROXY_HEADERS =
            List.of("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP");

    private final Optional<String> token;
    private final boolean local;
    private final Operator operator;

    /** Without a token, only connections from this machine are accepted, and only in localhost mode. */
    public AdminGate(Optional<String> token, boolean local, Operator operator) {
        this.token = token;
        this.local = local;
        this.operator = operator;
    }

    /** Whether a request with this header is refused, whatever else it contains. */
    boolean refuses(@Nullable String authorization) {
        return token.isPresent() ? !isToken(Callers.bearer(authorization)) : !local;
    }

    private boolean isToken(@Nullable String given) {
        return given != null && token.isPresent() && MessageDigest.isEqual(bytes(given), bytes(token.get()));
    }

    /** Requires that the admin routes are on for this client. */
    void requireOn(Exchange exchange, Problem otherwise) throws ProblemException {
        if (token.isEmpty() && !(local && isFromThisMachine(exchange))) {
            throw new ProblemException(otherwise);
        }
    }

    Operator require(Exchange exchange) throws ProblemException {
        requireOn(exchange, DISABLED);
        String given = Callers.bearer(exchange);
        if (token.isPresent() && !isToken(given)) {
            exchange.unauthenticated(given != null);
            exchange.responseHeader("WWW-Authenticate", "Bearer");
            throw new ProblemException(UNAUTHENTICATED);
        }
        exchange.authenticated("");
        return operator;
    }

    /**
     * Whether both ends of the connection are this machine, with no proxy between. The requested host counts too, against DNS
     * rebinding.
     */
    private static boolean isFromThisMachine(Exchange exchange) {
        return LOOPBACK.matcher(exchange.clientAddress()).matches()
                && LOOPBACK.matcher(exchange.peerAddress()).matches()
                && LOOPBACK.matcher(exchange.serverName()).matches()
                && PROXY_HEADERS.stream().allMatch(header -> exchange.header(header) == null);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
