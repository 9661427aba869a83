// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.observe.servlet;

import dev.porchlight.observe.http.HttpServerRequest;
import jakarta.servlet.http.HttpServletMapping;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A servlet request as telemetry sees it. */
record ServletRequestView(HttpServletRequest request) implements HttpServerRequest {
    /** Spring MVC's name of the attribute for the pattern that a request matched. */
    private static final String SPRING = "org.springframework.web.servlet.HandlerMapping.bestMatchingPattern";

    /** The pattern that the request matched, or null if only a default servlet or a catch-all did. */
    @Nullable
    String template() {
        Object pattern = request.getAttribute(SPRING);
        if (pattern != null) {
            return pattern.toString();
        }
        HttpServletMapping mapping = request.getHttpServletMapping();
        boolean catchAll = mapping.getMappingMatch() == MappingMatch.DEFAULT
                || mapping.getMappingMatch() == null
                || mapping.getPattern().equals("/*");
        return catchAll ? null : mapping.getPattern();
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String tracedPath() {
        String path = request.getRequestURI();
        int parameters = path.indexOf(';'); // such as a session id
        return parameters < 0 ? path : path.substring(0, parameters);
    }

    @Override
    public String scheme() {
        return request.getScheme();
    }

    @Override
    public List<String> headers(String name) {
        Enumeration<String> values = request.getHeaders(name);
        return values == null ? List.of() : Collections.list(values); // some containers deny access with a null
    }

    @Override
    public @Nullable String header(String name) {
        return request.getHeader(name);
    }

    @Override
    public String serverName() {
        return request.getServerName();
    }

    @Override
    public int serverPort() {
        return request.getServerPort();
    }

    @Override
    public String clientAddress() {
        return request.getRemoteAddr();
    }

    @Override
    public String protocolVersion() {
        String protocol = request.getProtocol();
        return protocol.substring(protocol.indexOf('/') + 1);
    }
}
