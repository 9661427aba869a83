// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.passkey.InvalidTextException;
import dev.porchlight.passkey.store.StorageException;
import dev.porchlight.passkey.store.StorageFault;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request to a passkey route, held to what all of them have in common. For the thread of that request. */
final class Exchange {
    static final String CORRELATION_HEADER = "X-Correlation-ID";
    /** Sixteen times what the largest honest answer of an authenticator takes. */
    static final int MAX_BODY_BYTES = 65_536;

    private static final Logger LOG = LoggerFactory.getLogger("dev.porchlight.spring");
    private static final Pattern CORRELATION_ID = Pattern.compile("[A-Za-z0-9._:/+=@-]{1,128}");
    private static final Pattern JSON =
            Pattern.compile("application/json(\\s*;\\s*charset=\"?utf-8\"?)?", Pattern.CASE_INSENSITIVE);

    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final String correlationId;
    private final boolean encoded;
    private final boolean elsewhere;

    /** What a route does. */
    @FunctionalInterface
    interface Work {
        Answer answer(Exchange exchange) throws ProblemException, IOException;
    }

    /** Reads all headers that count, so that a firewall which refuses one here answers for itself, and is no fault of ours. */
    private Exchange(HttpServletRequest request, HttpServletResponse response, Set<String> origins) {
        this.request = request;
        this.response = response;
        this.correlationId = correlationId(request.getHeader(CORRELATION_HEADER));
        this.encoded = request.getHeader("Content-Encoding") != null;
        this.elsewhere = isElsewhere(request.getHeader("Sec-Fetch-Site"), request.getHeader("Origin"), origins);
    }

    /** Does what the route does, and turns whatever goes wrong into a problem that says no more than it should. */
    static void run(HttpServletRequest request, HttpServletResponse response, Set<String> origins, Work route)
            throws IOException {
        Exchange exchange = new Exchange(request, response, origins);
        Answer answer;
        try {
            exchange.requireOurs();
            answer = route.answer(exchange);
        } catch (ProblemException refused) {
            answer = exchange.problem(refused.problem());
        } catch (InvalidTextException malformed) {
            answer = exchange.problem(Problem.malformed(String.valueOf(malformed.getMessage())));
        } catch (StorageException unavailable) {
            LOG.error("passkey storage is unavailable, correlationId={}", exchange.correlationId, unavailable);
            answer = exchange.problem(unavailable.fault() == StorageFault.FULL ? Problem.FULL : Problem.UNAVAILABLE);
        } catch (RuntimeException fault) {
            LOG.error("a passkey route failed, correlationId={}", exchange.correlationId, fault);
            answer = exchange.problem(Problem.INTERNAL);
        }
        response.setHeader(CORRELATION_HEADER, exchange.correlationId);
        answer.writeTo(response);
    }

    HttpServletRequest request() {
        return request;
    }

    HttpServletResponse response() {
        return response;
    }

    Answer problem(Problem problem) {
        return problem.answer(correlationId);
    }

    /** Tells the log why somebody was refused, which the answer does not. Codes and our own words, nothing that was received. */
    void logRefusal(String what, String reason, String detail) {
        LOG.warn("passkey {} refused: {} ({}), correlationId={}", what, reason, detail, correlationId);
    }

    /** The user that the query names, or null if it names none. A query that the server cannot read is its sender's fault. */
    @Nullable
    String userId() throws ProblemException {
        String[] values;
        try {
            values = request.getParameterValues("userId");
        } catch (RuntimeException unreadable) { // of another type by each server and firewall
            throw new ProblemException(Problem.malformed("The query cannot be read"));
        }
        if (values != null && values.length > 1) {
            throw new ProblemException(Problem.malformed("The query parameter userId is given more than once"));
        }
        return values == null ? null : values[0];
    }

    /**
     * The body. Bytes that are no UTF-8 become replacement characters, which no member of ours may hold. A form would not get
     * here, so {@link #userId} can only be the query's.
     */
    String json() throws ProblemException, IOException {
        String type = request.getContentType();
        if (type == null || !JSON.matcher(type).matches() || encoded) {
            throw new ProblemException(Problem.NOT_JSON);
        }
        if (request.getContentLengthLong() > MAX_BODY_BYTES) {
            throw new ProblemException(Problem.TOO_LARGE);
        }
        byte[] body = request.getInputStream().readNBytes(MAX_BODY_BYTES + 1);
        if (body.length > MAX_BODY_BYTES) {
            throw new ProblemException(Problem.TOO_LARGE);
        }
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Refuses what another site, or a sibling of ours, makes a browser send; options too, which leave a challenge behind. */
    private void requireOurs() throws ProblemException {
        if (elsewhere) {
            throw new ProblemException(Problem.CROSS_SITE);
        }
    }

    /**
     * An origin must be configured, and a site the application's own unless a configured page elsewhere sent the request.
     * Clients that are no browsers send neither.
     */
    private static boolean isElsewhere(@Nullable String site, @Nullable String origin, Set<String> ours) {
        if (origin != null) {
            return !ours.contains(origin);
        }
        return site != null && !site.equals("same-origin") && !site.equals("none");
    }

    /** The caller's if we would print it, otherwise a new one: not a secret, only unlikely to come twice. */
    private static String correlationId(@Nullable String given) {
        if (given != null && CORRELATION_ID.matcher(given).matches()) {
            return given;
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }
}
