// SPDX-License-Identifier: Apache-2.0
package com.example.login;

import jakarta.servlet.http.HttpSession;
import java.net.URI;
import java.time.Instant;
import java.util.Objects;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.ClientAuthorizationException;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.csrf.CsrfToken;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/** A page for everyone, and one that requires a sign-in. */
@RestController
class Pages {
    @GetMapping(path = "/", produces = "text/html")
    String home() {
        return page("<h1>Spring Boot with Porchlight</h1><p><a href=\"/hello\">Sign in</a></p>");
    }

    /** Spring Security refreshes the tokens of the client before they expire. */
    @GetMapping(path = "/hello", produces = "text/html")
    String hello(
            @AuthenticationPrincipal OidcUser user,
            @RegisteredOAuth2AuthorizedClient("porchlight") OAuth2AuthorizedClient client,
            CsrfToken csrf) {
        Instant expires = client.getAccessToken().getExpiresAt();
        return page("""
                <h1>Hello %s</h1>
                <p>Your user name: %s. Your email address: %s. Your groups: %s. Your access token expires at %s.</p>
                <form action="/logout" method="post">
                  <input type="hidden" name="%s" value="%s">
                  <button>Sign out</button>
                </form>"""
                .formatted(
                        HtmlUtils.htmlEscape(Objects.requireNonNullElse(user.getFullName(), user.getPreferredUsername())),
                        HtmlUtils.htmlEscape(user.getPreferredUsername()),
                        email(user),
                        HtmlUtils.htmlEscape(String.valueOf(user.getClaimAsStringList("groups"))),
                        expires,
                        csrf.getParameterName(),
                        csrf.getToken()));
    }

    private static String email(OidcUser user) {
        if (user.getEmail() == null) {
            return "none";
        }
        return HtmlUtils.htmlEscape(user.getEmail()) + (Boolean.TRUE.equals(user.getEmailVerified()) ? "" : " (not verified)");
    }

    /** Ends the session if the tokens cannot be refreshed, because the sign-in has ended at Porchlight. The user signs in again. */
    @ExceptionHandler(ClientAuthorizationException.class)
    ResponseEntity<Void> signInAgain(HttpSession session) {
        session.invalidate();
        return ResponseEntity.status(HttpStatus.SEE_OTHER)
                .location(URI.create("/hello"))
                .build();
    }

    private static String page(String body) {
        return """
                <!doctype html>
                <html lang="en">
                  <meta charset="utf-8">
                  <title>Hello</title>
                  <link rel="icon" href="data:,">
                  %s
                </html>"""
                .formatted(body);
    }
}
