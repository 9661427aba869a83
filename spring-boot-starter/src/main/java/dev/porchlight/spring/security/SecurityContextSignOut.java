// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.security;

import dev.porchlight.spring.web.PasskeySignOut;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.session.SessionInformation;
import org.springframework.security.core.session.SessionRegistry;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.logout.CompositeLogoutHandler;
import org.springframework.security.web.authentication.logout.LogoutHandler;
import org.springframework.security.web.authentication.logout.SecurityContextLogoutHandler;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.session.ConcurrentSessionFilter;

/**
 * Signs out as Spring Security's logout filter does: runs the application's logout handlers, invalidates the session and
 * clears the stored security context. Thread-safe.
 */
final class SecurityContextSignOut implements PasskeySignOut {
    private final LogoutHandler handlers;
    private final @Nullable SessionRegistry sessions;
    private final Iterable<SecurityFilterChain> chains;

    SecurityContextSignOut(
            SecurityContextRepository contexts,
            List<LogoutHandler> more,
            @Nullable SessionRegistry sessions,
            Iterable<SecurityFilterChain> chains) {
        this.sessions = sessions;
        this.chains = chains;
        SecurityContextLogoutHandler session = new SecurityContextLogoutHandler();
        session.setSecurityContextRepository(contexts);
        List<LogoutHandler> all = new ArrayList<>(more);
        all.add(session);
        this.handlers = new CompositeLogoutHandler(all);
    }

    @Override
    public void signOut(HttpServletRequest request, HttpServletResponse response) {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        handlers.logout(request, response, authentication);
    }

    @Override
    public boolean signOutEverywhere(String userId, HttpServletRequest request, HttpServletResponse response) {
        Authentication authentication = SecurityContextHolder.getContext().getAuthentication();
        if (sessions == null || authentication == null || !endsExpiredSessions()) {
            return false;
        }
        sessions.getAllSessions(authentication.getPrincipal(), false).forEach(SessionInformation::expireNow);
        signOut(request, response);
        return true;
    }

    /** Returns whether a filter ends the sessions that the registry only marks as expired. */
    private boolean endsExpiredSessions() {
        for (SecurityFilterChain chain : chains) {
            if (chain.getFilters().stream().anyMatch(ConcurrentSessionFilter.class::isInstance)) {
                return true;
            }
        }
        return false;
    }
}
