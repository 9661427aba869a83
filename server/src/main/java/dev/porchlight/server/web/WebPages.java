// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Handler;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pages {@code /}, {@code /account} and {@code /console}, and their assets. Thread-safe. */
public final class WebPages {
    /** The files served below {@code /assets/}. */
    private static final List<String> ASSETS = List.of(
            "account-add.js",
            "account-remove.js",
            "account-view.js",
            "account.css",
            "account.js",
            "api.js",
            "backup-advice.js",
            "browsers.js",
            "console-ceremonies.js",
            "console-explain.js",
            "console-feed.js",
            "console-plots.js",
            "console.css",
            "console.js",
            "countdown.js",
            "dialog.js",
            "dom.js",
            "icons.js",
            "logo.svg",
            "messages.js",
            "new-passkeys.js",
            "passkey-card.js",
            "porchlight.css",
            "providers.json",
            "recovery.js",
            "session-list.js",
            "signin-actions.js",
            "signin-ceremony.js",
            "signin-view.js",
            "signin.js",
            "times.js",
            "token-store.js");

    /** Allows only files of this origin, no inline code, no HTML injection sinks and no framing. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none';"
                    + " require-trusted-types-for 'script'; trusted-types 'none'";

    private static final Map<String, String> PAGE_HEADERS = Map.of(
            "Content-Security-Policy", POLICY,
            "Cross-Origin-Opener-Policy", "same-origin",
            "Permissions-Policy", "publickey-credentials-create=(self), publickey-credentials-get=(self)");

    /** A placeholder in a page, such as <code>{{name}}</code>. */
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(\\w+)}}");

    private final Map<String, String> values;
    private final Map<String, WebFile> assets;

    /**
     * Creates the pages of a service.
     *
     * @param name the display name
     * @param origin the origin of its passkeys
     * @param signupOpen whether the sign-in page offers to create an account
     * @param sessions whether a login starts a session; otherwise the pages store the token
     * @param adminToken whether the console requires the admin token
     */
    public WebPages(String name, String origin, boolean signupOpen, boolean sessions, boolean adminToken) {
        values = Map.of(
                "name",
                name,
                "origin",
                origin,
                "signup",
                signupOpen ? "open" : "closed",
                "login",
                sessions ? "session" : "token",
                "console",
                adminToken ? "token" : "local");
        assets = ASSETS.stream()
                .collect(toUnmodifiableMap(file -> file, file -> new WebFile(file, bytes("assets/" + file), Map.of())));
    }

    /** Mounts the user pages and the client helper. */
    public void mount(Router.Builder router) {
        router.get("/", Access.PUBLIC, page("index.html"));
        router.get("/account", Access.PUBLIC, page("account.html"));
        router.get(
                "/porchlight.js", Access.PUBLIC_SCRIPT, new WebFile("porchlight.js", bytes("porchlight.js"), Map.of()));
    }

    /** Mounts the console page behind an access check. */
    public void mountConsole(Router.Builder router, UnaryOperator<Handler> gate) {
        router.get("/console", Access.PUBLIC, gate.apply(page("console.html")));
    }

    /** Mounts the assets, which every port with a page needs. */
    public void mountAssets(Router.Builder router) {
        router.get("/assets/{file}", Access.PUBLIC, this::asset);
    }

    private Response asset(Exchange exchange) throws ProblemException {
        WebFile file = assets.get(exchange.pathParameter("file"));
        if (file == null) {
            throw new ProblemException(Problem.NOT_FOUND);
        }
        return file.handle(exchange);
    }

    private WebFile page(String file) {
        String html = PLACEHOLDER
                .matcher(new String(bytes(file), UTF_8))
                .replaceAll(placeholder -> Matcher.quoteReplacement(escaped(value(placeholder.group(1)))));
        return new WebFile(file, html.getBytes(UTF_8), PAGE_HEADERS);
    }

    private String value(String key) {
        return Objects.requireNonNull(values.get(key), () -> "unknown placeholder: " + key);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static byte[] bytes(String file) {
        try (InputStream in = WebPages.class.getResourceAsStream(file)) {
            return Objects.requireNonNull(in, () -> "missing resource: " + file).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
