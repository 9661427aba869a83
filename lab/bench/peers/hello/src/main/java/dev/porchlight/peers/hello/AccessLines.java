// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.peers.hello;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.context.annotation.Profile;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerMapping;

/**
 * What a team writes itself beside Micrometer or the Java agent: a correlation id and a line per request, within the span, whose
 * ids the tracing library adds to the MDC.
 */
@Component
@Profile("lines")
@Order(Ordered.HIGHEST_PRECEDENCE + 10) // after the filter that starts Micrometer's span
class AccessLines extends OncePerRequestFilter {
    private static final Logger LOGGER = LoggerFactory.getLogger(AccessLines.class);
    private static final String HEADER = "X-Correlation-ID";

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long start = System.nanoTime();
        String given = request.getHeader(HEADER);
        String id = given == null ? UUID.randomUUID().toString() : given;
        response.setHeader(HEADER, id);
        MDC.put("correlationId", id);
        try {
            chain.doFilter(request, response);
        } finally {
            LOGGER.atInfo()
                    .addKeyValue("method", request.getMethod())
                    .addKeyValue("route", request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE))
                    .addKeyValue("status", response.getStatus())
                    .addKeyValue("durationMs", (System.nanoTime() - start) / 1_000_000)
                    .addKeyValue("client", request.getRemoteAddr())
                    .log("request");
            MDC.remove("correlationId");
        }
    }
}
