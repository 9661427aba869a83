// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.base.CommonProblem;
import dev.porchlight.base.CorrelationIds;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.base.sql.StorageException;
import dev.porchlight.base.sql.StorageFault;
import dev.porchlight.passkey.InvalidTextException;
import dev.porchlight.spring.explain.Cause;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Handles a request with the rules that all passkey routes share: same-origin requests, JSON bodies, a correlation id, and
 * problems as responses. Responses are written as bytes, without the application's message converters. Thread-safe.
 */
record PasskeyEndpoint(Origins origins, RefusalLog refusals, Handler handler)
        implements HandlerFunction<ServerResponse> {
    private static final Logger LOG = LoggerFactory.getLogger("dev.porchlight.spring");
    /** Sixteen times the largest legitimate response of an authenticator. */
    private static final int MAX_BODY_BYTES = JsonObject.MAX_CHARS;

    private static final String CORRELATION_ID = CorrelationIds.HEADER;
    private static final String ATTRIBUTE = PasskeyEndpoint.class.getName() + ".correlationId";
    private static final List<String> HEADERS =
            List.of(CORRELATION_ID, RefusalLog.TRACE_HEADER, "Sec-Fetch-Site", "Origin", "Host", "Content-Encoding");
    private static final Pattern JSON =
            Pattern.compile("application/json(\\s*;\\s*charset=\"?utf-8\"?)?", Pattern.CASE_INSENSITIVE);

    /** A problem of these routes. Code and message match the service's, so that clients can treat both alike. */
    static final class PasskeyProblem extends RuntimeException {
        private static final long serialVersionUID = 1;

        private final int status;
        private final String code;
        private final @Nullable String detail;
        private final @Nullable String origin;

        PasskeyProblem(int status, String code, String error, @Nullable String detail) {
            this(status, code, error, detail, null);
        }

        /**
         * A problem of a page at a wrong address.
         *
         * @param origin the one to use instead
         */
        PasskeyProblem(int status, String code, String error, @Nullable String detail, @Nullable String origin) {
            super(error, null, false, false);
            this.origin = origin;
            this.status = status;
            this.code = code;
            this.detail = detail;
        }

        private Cause cause() {
            String what = getMessage() + (detail == null ? "" : ' ' + detail);
            Cause failed = Cause.find("service", "failed");
            return status < 500 || failed == null
                    ? new Cause(code, what)
                    : new Cause(code, what, failed.advice(), failed.settings());
        }
    }

    /** Handles a request with access to the response, because a sign-in may set cookies. */
    @FunctionalInterface
    interface Handler {
        ServerResponse handle(ServerRequest request, HttpServletResponse response)
                throws IOException, MalformedException;
    }

    @Override
    public ServerResponse handle(ServerRequest request) {
        return ServerResponse.ok()
                .build((servletRequest, servletResponse) ->
                        respond(request, servletResponse).writeTo(servletRequest, servletResponse, List::of));
    }

    private ServerResponse respond(ServerRequest request, HttpServletResponse response) throws IOException {
        HttpServletRequest headers = request.servletRequest();
        // A firewall that refuses a header throws here and sends its own response. In the try block it would be a 500.
        HEADERS.forEach(headers::getHeader);
        String given = headers.getHeader(CORRELATION_ID);
        boolean accepted = given != null && CorrelationIds.isAccepted(given);
        String correlationId = accepted ? given : UUID.randomUUID().toString().replace("-", "");
        request.attributes().put(ATTRIBUTE, correlationId);
        PasskeyProblem problem;
        try {
            if (origins.isCrossSite(headers)) {
                throw crossSite(request);
            }
            return handler.handle(request, response);
        } catch (PasskeyProblem e) {
            problem = e;
        } catch (InvalidTextException | MalformedException e) {
            problem = malformed(e.getMessage() + '.');
        } catch (StorageException e) {
            LOG.error("passkey storage is unavailable, correlationId={}", correlationId, e);
            problem = problem(
                    e.fault() == StorageFault.FULL ? CommonProblem.STORAGE_FULL : CommonProblem.STORAGE_UNAVAILABLE);
        } catch (RuntimeException e) {
            LOG.error("a passkey route failed, correlationId={}", correlationId, e);
            problem = problem(CommonProblem.INTERNAL_ERROR);
        }
        if (problem.status != 401) {
            refusals.failed(request, problem.cause());
        }
        return response(request, problem);
    }

    /** Returns a query parameter, or null. Form bodies cannot set it, because only JSON bodies are accepted. */
    static @Nullable String query(ServerRequest request, String name) {
        String[] values;
        try {
            values = request.servletRequest().getParameterValues(name);
        } catch (RuntimeException unreadable) { // the type depends on the server and the firewall
            throw malformed("The query string is malformed.");
        }
        if (values != null && values.length > 1) {
            throw malformed("The query parameter " + name + " occurs more than once.");
        }
        return values == null ? null : values[0];
    }

    /** Returns the body. Invalid UTF-8 becomes replacement characters, which no valid response contains. */
    static String body(ServerRequest request) throws IOException {
        HttpServletRequest servletRequest = request.servletRequest();
        String type = servletRequest.getContentType();
        boolean encoded = servletRequest.getHeader("Content-Encoding") != null;
        if (type == null || !JSON.matcher(type).matches() || encoded) {
            throw problem(CommonProblem.NOT_JSON);
        }
        boolean small = servletRequest.getContentLengthLong() <= MAX_BODY_BYTES;
        byte[] body = small ? servletRequest.getInputStream().readNBytes(MAX_BODY_BYTES + 1) : new byte[0];
        if (!small || body.length > MAX_BODY_BYTES) {
            throw problem(CommonProblem.BODY_TOO_LARGE);
        }
        return new String(body, StandardCharsets.UTF_8);
    }

    static ServerResponse json(ServerRequest request, int status, String json) {
        return response(request, ServerResponse.status(status), MediaType.APPLICATION_JSON, json);
    }

    /** Returns a 204 response. */
    static ServerResponse empty(ServerRequest request) {
        return response(request, ServerResponse.status(204), null, "");
    }

    static PasskeyProblem problem(CommonProblem problem) {
        return problem(problem.status(), problem.code(), problem.error());
    }

    static PasskeyProblem problem(int status, String code, String error) {
        return new PasskeyProblem(status, code, error, null);
    }

    private static PasskeyProblem malformed(String detail) {
        CommonProblem problem = CommonProblem.MALFORMED_REQUEST;
        return new PasskeyProblem(problem.status(), problem.code(), problem.error(), detail);
    }

    private static ServerResponse response(ServerRequest request, PasskeyProblem problem) {
        String json = JsonWriter.object(members -> members.text("error", String.valueOf(problem.getMessage()))
                .text("code", problem.code)
                .number("status", problem.status)
                .text("correlationId", correlationId(request))
                .optionalText("detail", problem.detail)
                .optionalText("origin", problem.origin));
        var response = ServerResponse.status(problem.status);
        if (problem.status == 503) {
            response.header("Retry-After", "1");
        }
        return response(request, response, MediaType.APPLICATION_PROBLEM_JSON, json);
    }

    private static ServerResponse response(
            ServerRequest request, ServerResponse.BodyBuilder response, @Nullable MediaType type, String json) {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        if (type != null) {
            response.contentType(type).contentLength(body.length);
        }
        return response.build((servletRequest, servletResponse) -> {
            // set, not add: a filter may have set them before
            servletResponse.setHeader("Cache-Control", "no-store");
            servletResponse.setHeader("X-Content-Type-Options", "nosniff");
            servletResponse.setHeader(CORRELATION_ID, correlationId(request));
            servletResponse.getOutputStream().write(body);
            return null;
        });
    }

    static String correlationId(ServerRequest request) {
        return String.valueOf(request.attributes().get(ATTRIBUTE));
    }

    /** Returns the problem of a request from a page of another site, or of this application at another address. */
    private PasskeyProblem crossSite(ServerRequest request) throws IOException {
        CommonProblem problem = CommonProblem.CROSS_SITE;
        String address = origins.wrongAddress(request.servletRequest());
        if (address == null) {
            return problem(problem);
        }
        String reported =
                request.path().equals(PasskeyRoutes.REPORT) ? JsonObject.find(body(request), "ceremony") : null;
        refusals.wrongAddress(request, reported, String.join(" ", origins.all()), address);
        return new PasskeyProblem(problem.status(), problem.code(), problem.error(), null, origins.own());
    }
}
