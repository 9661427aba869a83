// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.security;

import dev.porchlight.passkey.VerifiedAssertion;
import dev.porchlight.spring.web.PasskeySignIn;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AccountStatusUserDetailsChecker;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsChecker;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.web.authentication.session.SessionAuthenticationStrategy;
import org.springframework.security.web.context.SecurityContextRepository;

/**
 * Saves a verified login as Spring Security's own filters do: loads the account, checks its status, erases its
 * password, renews the session, publishes the success event and saves the security context. Thread-safe.
 */
record SecurityContextSignIn(
        @Nullable UserDetailsService users,
        SessionAuthenticationStrategy sessions,
        SecurityContextRepository contexts,
        @Nullable AuthenticationEventPublisher events)
        implements PasskeySignIn {
    private static final UserDetailsChecker STATUS = new AccountStatusUserDetailsChecker();

    @Override
    public Outcome signIn(VerifiedAssertion assertion, HttpServletRequest request, HttpServletResponse response) {
        var authentication = authenticate(assertion);
        if (authentication == null) {
            return Outcome.refused("the account is unknown, locked, disabled or expired");
        }
        authentication.eraseCredentials(); // keeps the password hash out of the session
        endSessionOfAnotherUser(assertion.userId(), request);
        try {
            sessions.onAuthentication(authentication, request, response);
        } catch (AuthenticationException e) {
            return Outcome.refused(
                    "the session strategy refused: " + e.getClass().getSimpleName());
        }
        if (events != null) {
            events.publishAuthenticationSuccess(authentication);
        }
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(authentication);
        SecurityContextHolder.setContext(context);
        contexts.saveContext(context, request, response);
        return Outcome.session();
    }

    private @Nullable PasskeyAuthentication authenticate(VerifiedAssertion assertion) {
        if (users == null) {
            return new PasskeyAuthentication(assertion, null);
        }
        try {
            UserDetails user = users.loadUserByUsername(assertion.userId());
            STATUS.check(user);
            return new PasskeyAuthentication(assertion, user);
        } catch (AuthenticationException e) {
            return null;
        }
    }

    /** Invalidates a session of another user, so that the new user cannot see its content. */
    private static void endSessionOfAnotherUser(String userId, HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        Principal before = request.getUserPrincipal();
        if (session != null && before != null && !before.getName().equals(userId)) {
            session.invalidate();
        }
    }
}
