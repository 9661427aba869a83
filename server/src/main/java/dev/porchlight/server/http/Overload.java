// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.porchlight.observe.http.CorrelationId;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Refuses a request under overload as cheaply as possible: without middleware, with prepared headers, and without waiting for
 * the client.
 */
final class Overload {
    static final Problem PROBLEM = Problem.of(503, "overloaded", "The service is overloaded. Try again in a moment.");

    /** The headers of auth responses; see {@link SecurityHeaders}. */
    private static final HttpField[] HEADERS = {
        new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/problem+json"),
        new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store"),
        new PreEncodedHttpField(HttpHeader.RETRY_AFTER, "1"),
        new PreEncodedHttpField("X-Content-Type-Options", "nosniff"),
        new PreEncodedHttpField("Content-Security-Policy", SecurityHeaders.CONTENT_SECURITY_POLICY)
    };

    private static final String PLACEHOLDER = "@";
    private static final String[] BODY =
            new String(PROBLEM.response(PLACEHOLDER).body(), ISO_8859_1).split(PLACEHOLDER, 2);

    private Overload() {}

    static void refuse(Request request, Response response, Callback callback) {
        String id = CorrelationId.of(request.getHeaders().getValuesList(CorrelationId.HEADER));
        response.setStatus(PROBLEM.status());
        for (HttpField header : HEADERS) {
            response.getHeaders().put(header);
        }
        response.getHeaders().put(CorrelationId.HEADER, id);
        byte[] body = (BODY[0] + id + BODY[1]).getBytes(ISO_8859_1);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.length);
        response.write(true, ByteBuffer.wrap(body), callback);
    }
}
