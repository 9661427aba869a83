// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.web;

import dev.porchlight.base.sql.StorageException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Ends a session whose passkey was removed, at its next request to any route of the application. If the storage is unavailable,
 * the response is 503. Thread-safe.
 */
final class RemovedPasskeyFilter extends OncePerRequestFilter implements Ordered {
    private static final Logger LOG = LoggerFactory.getLogger("dev.porchlight.spring");

    /** Just before the filters of Spring Security, at -100, so that they see no session. */
    private static final int ORDER = -101;

    private final Supplier<AccountUsers> users;

    /**
     * Creates a filter.
     *
     * @param users is called with the first request, because the server creates filters before the application is complete
     */
    RemovedPasskeyFilter(Supplier<AccountUsers> users) {
        this.users = users;
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            if (users.get().isPasskeyRemoved(request)) {
                request.getSession().invalidate();
            }
        } catch (StorageException e) {
            LOG.error("the passkey of a session cannot be checked", e);
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            return;
        }
        chain.doFilter(request, response);
    }
}
