// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.spring.explain;

import static org.springframework.web.util.HtmlUtils.htmlEscape;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * Explains support codes: {@code /actuator/passkeys/CODE} as JSON, and {@code /actuator/passkeys} as a page with a search field.
 * Off by default, because it shows the names of users. Thread-safe.
 */
@Endpoint(id = "passkeys", defaultAccess = Access.NONE)
public final class PasskeysEndpoint {
    /** Runs and loads nothing. The form leads back to this page. */
    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
              <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; form-action 'self'; base-uri 'none'">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>Support codes</title>
              </head>
              <body>
                <main>
                  <h1>Support codes</h1>
                  <form><label>Support code or correlation id <input name="code" value="%s"></label> <button>Explain</button></form>
            %s    </main>
              </body>
            </html>
            """;

    private final RecentRefusals refusals;
    private final UserCauses causes;

    PasskeysEndpoint(RecentRefusals refusals, UserCauses causes) {
        this.refusals = refusals;
        this.causes = causes;
    }

    /** Returns the failed requests with a code, or null for a 404 response. */
    @ReadOperation
    public @Nullable List<Refusal> explain(@Selector String code) {
        List<Refusal> found = find(code);
        return found.isEmpty() ? null : found;
    }

    private List<Refusal> find(String code) {
        return refusals.find(code).stream().map(causes::explain).toList();
    }

    /** Returns the page. Spring Boot 3.5 reads its own annotation, and Spring Boot 4 that of JSpecify. */
    @ReadOperation(produces = "text/html;charset=UTF-8")
    public String page(@org.springframework.lang.Nullable @Nullable String code) {
        StringBuilder results = new StringBuilder();
        if (code != null) {
            List<Refusal> found = find(code);
            found.forEach(refusal -> write(results, refusal));
            if (found.isEmpty()) {
                results.append(
                        "<p role=\"status\">This instance has no failed request with this code in the last 24 hours."
                                + " Look for the code in the log.</p>\n");
            }
        }
        return PAGE.formatted(code == null ? "" : htmlEscape(code), results);
    }

    private static void write(StringBuilder html, Refusal refusal) {
        html.append("<h2>").append(htmlEscape(refusal.cause().what())).append("</h2>\n<p>");
        html.append(htmlEscape(refusal.cause().advice())).append("</p>\n<dl>\n");
        write(html, "Support code", refusal.supportCode());
        write(html, "Time", Instant.ofEpochMilli(refusal.at()).toString());
        write(html, "Operation", refusal.operation());
        write(html, "User", refusal.user());
        write(html, "Cause", refusal.cause().code());
        write(html, "Expected", refusal.expected());
        write(html, "Found", refusal.found());
        write(html, "Properties", String.join(", ", refusal.cause().settings()));
        write(html, "Correlation id", refusal.correlationId());
        html.append("</dl>\n");
    }

    private static void write(StringBuilder html, String name, String value) {
        if (!value.isEmpty()) {
            html.append("<dt>").append(name).append("</dt><dd dir=\"auto\">");
            html.append(htmlEscape(value)).append("</dd>\n");
        }
    }
}
