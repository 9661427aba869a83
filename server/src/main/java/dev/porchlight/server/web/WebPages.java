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

/** The pages and where they are: {@code /}, {@code /account}, {@code /console}, and what they load. Thread-safe. */
public final class WebPages {
    /** Every file that is served below {@code /assets/}. */
    private static final List<String> ASSETS = List.of(
            "account-add.js",
            "account-news.js",
            "account-remove.js",
            "account-view.js",
            "account.css",
            "account.js",
            "api.js",
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
            "login.js",
            "logo.svg",
            "messages.js",
            "passkey-card.js",
            "porchlight.css",
            "providers.json",
            "safety.js",
            "session-list.js",
            "signin-actions.js",
            "signin-ceremony.js",
            "signin-view.js",
            "signin.js",
            "times.js",
            "ways.js");

    /** Only our own files run and show; no text becomes code, and nobody puts a page of ours into theirs. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none';"
                    + " require-trusted-types-for 'script'; trusted-types 'none'";

    private static final Map<String, String> PAGE_HEADERS = Map.of(
            "Content-Security-Policy", POLICY,
            "Cross-Origin-Opener-Policy", "same-origin",
            "Permissions-Policy", "publickey-credentials-create=(self), publickey-credentials-get=(self)");

    /** Where a page has a word that is the service's own, such as <code>{{name}}</code>. */
    private static final Pattern WORD = Pattern.compile("\\{\\{(\\w+)}}");

    private final Map<String, String> words;
    private final Map<String, WebFile> assets;

    /**
     * The pages of one service.
     *
     * @param name what people know it by
     * @param origin where its passkeys work
     * @param signupOpen whether the sign-in page offers to create an account
     * @param sessions whether a login opens a session; otherwise the pages keep its token
     * @param adminToken whether the console asks for the admin token
     */
    public WebPages(String name, String origin, boolean signupOpen, boolean sessions, boolean adminToken) {
        words = Map.of(
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

    /** Mounts the pages for users, and the helper for applications. */
    public void mount(Router.Builder router) {
        router.get("/", Access.PUBLIC, page("index.html"));
        router.get("/account", Access.PUBLIC, page("account.html"));
        router.get(
                "/porchlight.js", Access.PUBLIC_SCRIPT, new WebFile("porchlight.js", bytes("porchlight.js"), Map.of()));
    }

    /** Mounts the page for operators, behind a gate. */
    public void mountConsole(Router.Builder router, UnaryOperator<Handler> gate) {
        router.get("/console", Access.PUBLIC, gate.apply(page("console.html")));
    }

    /** Mounts what the pages load, which is needed wherever one of them is. */
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
        String html = WORD.matcher(new String(bytes(file), UTF_8))
                .replaceAll(word -> Matcher.quoteReplacement(escaped(word(word.group(1)))));
        return new WebFile(file, html.getBytes(UTF_8), PAGE_HEADERS);
    }

    private String word(String key) {
        return Objects.requireNonNull(words.get(key), () -> "a page asks for " + key);
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
            return Objects.requireNonNull(in, () -> file + " is not in the jar").readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
