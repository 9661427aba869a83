// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.ServletRequestPathUtils;

/** Requests to routes, without a server. */
final class Requests {
    private Requests() {}

    /** A request of the browser with this session, if any. The path may have one query parameter. */
    static MockHttpServletRequest of(
            String method, String path, @Nullable String body, @Nullable MockHttpSession session) {
        String[] parts = path.split("[?=]", -1);
        var request = new MockHttpServletRequest(method, parts[0]);
        if (parts.length > 1) {
            request.setParameter(parts[1], parts[2]);
        }
        if (body != null) {
            request.setContentType("application/json");
            request.setContent(body.getBytes(StandardCharsets.UTF_8));
        }
        if (session != null) {
            request.setSession(session);
        }
        return request;
    }

    static MockHttpServletResponse send(RouterFunction<ServerResponse> routes, MockHttpServletRequest request)
            throws Exception {
        var response = new MockHttpServletResponse();
        ServletRequestPathUtils.parseAndCache(request);
        var serverRequest = ServerRequest.create(request, List.of());
        routes.route(serverRequest).orElseThrow().handle(serverRequest).writeTo(request, response, () -> List.of());
        return response;
    }
}
