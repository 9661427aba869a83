// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.web;

import dev.porchlight.base.Bytes;
import dev.porchlight.server.config.Config;
import dev.porchlight.server.config.ReturnUrls;
import dev.porchlight.server.config.Settings;
import dev.porchlight.server.config.SignupField;
import dev.porchlight.server.http.Access;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Handler;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.ProblemException;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.http.Router;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The pages {@code /}, {@code /account} and {@code /console}, and their assets. Thread-safe. */
public final class WebPages {
    private static final String STYLES = "porchlight.css";

    /** The path of an enrollment link whose # was encoded on its way. */
    private static final String ENCODED_LINK = "/%23enroll";

    /** Allows only files of this origin, no inline code, no HTML injection sinks and no framing. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none';"
                    + " require-trusted-types-for 'script'; trusted-types 'none'";

    private static final Map<String, String> PAGE_HEADERS = Map.of(
            "Content-Security-Policy", POLICY,
            "Cross-Origin-Opener-Policy", "same-origin",
            "Permissions-Policy", "publickey-credentials-create=(self), publickey-credentials-get=(self)");

    private final Map<String, String> values;
    private final ReturnUrls returnUrls;
    private final Predicate<Exchange> hasSession;
    private final Languages languages;
    private final Map<String, WebFile> assets = new ConcurrentHashMap<>();
    private final Map<String, WebFile> modules = new ConcurrentHashMap<>();
    private final Map<Language, WebFile> notFound;

    /**
     * Creates the pages of a service.
     *
     * @param origins every origin whose pages can use its passkeys
     * @param hasSession whether a request carries a session cookie, which may be invalid
     */
    public WebPages(Config config, Branding branding, List<String> origins, Predicate<Exchange> hasSession) {
        this.returnUrls = config.get(Settings.RETURN_URLS);
        this.hasSession = hasSession;
        boolean consoleLink = config.get(Settings.MANAGEMENT_PORT).isEmpty() && config.local() && config.loopback();
        values = new HashMap<>(branding.values());
        values.put("origin", config.relyingParty().origin());
        values.put("origins", String.join(" ", origins));
        values.put("signup", config.get(Settings.SIGNUP) ? "open" : "closed");
        values.put(
                "fields",
                config.get(Settings.SIGNUP_FIELDS).stream()
                        .map(SignupField::toString)
                        .collect(Collectors.joining(" ")));
        values.put("recovery", config.get(Settings.RECOVERY) ? "codes" : "off");
        values.put("login", config.get(Settings.LOGIN_RESULT).session() ? "session" : "token");
        boolean sessions = config.get(Settings.MANAGEMENT_PORT).isEmpty()
                && config.get(Settings.LOGIN_RESULT).session();
        values.put("consoleSignIn", sessions ? "passkey" : "none");
        values.put("consoleLink", consoleLink ? "/console" : "");
        languages = branding.languages();
        assets.put(STYLES, styles(branding.css()));
        assets.putAll(branding.assets());
        notFound = page("not-found.html", Map.of());
    }

    private static WebFile styles(String brand) {
        return new WebFile(
                STYLES,
                () -> Bytes.copyOf(WebFile.read("assets/" + STYLES))
                        .concat(Bytes.ofUtf8(brand))
                        .toByteArray(),
                Map.of());
    }

    /** Mounts the user pages, the client helper, and an HTML page for browsers that request an unknown path. */
    public void mount(Router.Builder router) {
        router.get("/", Access.PUBLIC, signInPage());
        Map<Language, WebFile> account = page("account.html", Map.of());
        router.get(
                "/account", Access.PUBLIC, exchange -> choose(account, exchange).handle(exchange));
        router.get(
                "/porchlight.js",
                Access.PUBLIC_SCRIPT,
                new WebFile("porchlight.js", () -> WebFile.read("porchlight.js"), Map.of()));
        router.notFound(this::notFound);
    }

    /** Responds to a request for an unknown path: to a browser with a page, to others with a problem. */
    public Response notFound(Exchange exchange) {
        if (!acceptsHtml(exchange)) {
            return Problem.NOT_FOUND.response(exchange.correlationId());
        }
        String path = exchange.path();
        return path.regionMatches(true, 0, ENCODED_LINK, 0, ENCODED_LINK.length())
                ? Response.redirect("/#" + path.substring("/%23".length()))
                : choose(notFound, exchange).withStatus(404);
    }

    /**
     * Returns the handler of the sign-in page. The page has a variant for each combination of two facts about the request,
     * and contains no request data. An application's request says nothing about the session, because browsers do not send
     * its cookie with it: the page finds out.
     */
    private Handler signInPage() {
        Map<Language, WebFile> plain = signInPage("sign-in", "none");
        Map<Language, WebFile> returning = signInPage("sign-in", "allowed");
        Map<Language, WebFile> withSession = signInPage("loading", "none");
        Map<Language, WebFile> withSessionReturning = signInPage("loading", "allowed");
        return exchange -> {
            boolean returns = returnsTo(exchange);
            Map<Language, WebFile> page = hasSession.test(exchange) || isRequested(exchange)
                    ? (returns ? withSessionReturning : withSession)
                    : (returns ? returning : plain);
            return choose(page, exchange).handle(exchange);
        };
    }

    /** Whether an application asks for the sign-in. */
    private static boolean isRequested(Exchange exchange) {
        String query = exchange.query();
        return query != null && query.startsWith("request=");
    }

    private Map<Language, WebFile> signInPage(String view, String returnTo) {
        return page("index.html", Map.of("view", view, "return", returnTo));
    }

    /** Whether the request has a {@code return_to} that may be followed. Logs one that may not. */
    private boolean returnsTo(Exchange exchange) {
        try {
            String address = exchange.queryParameter("return_to");
            if (address == null || returnUrls.allows(address)) {
                return address != null;
            }
        } catch (ProblemException e) {
            // given more than once, or not decodable
        }
        exchange.logger().info("return_to ignored: not a path of this origin, and not within RETURN_URLS");
        return false;
    }

    private static boolean acceptsHtml(Exchange exchange) {
        boolean read = exchange.method().equals("GET") || exchange.method().equals("HEAD");
        return read && String.join(",", exchange.headers("Accept")).contains("text/html");
    }

    /**
     * Mounts the console page.
     *
     * @param rules what its forms need to know of the service, by the names in the page
     */
    public void mountConsole(Router.Builder router, Map<String, String> rules) {
        Languages offered = languages.ofConsole();
        Map<Language, WebFile> console = page("console.html", rules, offered);
        router.get(
                "/console",
                Access.CONSOLE_PAGE,
                exchange -> Objects.requireNonNull(console.get(offered.of(exchange)))
                        .handle(exchange));
    }

    /** Mounts the assets and the modules of the client helper, which every port with a page needs. */
    public void mountAssets(Router.Builder router) {
        router.get("/porchlight/{file}", Access.PUBLIC_SCRIPT, exchange -> file("porchlight/", modules, exchange));
        router.get("/assets/{file}", Access.PUBLIC, exchange -> file("assets/", assets, exchange));
    }

    /** Serves a file of a directory, whose files are all public. Those requested so far are in a map. */
    private static Response file(String directory, Map<String, WebFile> known, Exchange exchange)
            throws ProblemException {
        String name = exchange.pathParameter("file");
        WebFile file = known.get(name);
        if (file == null) {
            file = WebFile.find(directory, name);
            if (file == null) {
                throw new ProblemException(Problem.NOT_FOUND);
            }
            known.put(name, file);
        }
        return file.handle(exchange);
    }

    /** Returns a page in every language. */
    private Map<Language, WebFile> page(String file, Map<String, String> more) {
        return page(file, more, languages);
    }

    private Map<Language, WebFile> page(String file, Map<String, String> more, Languages offered) {
        Map<String, String> all = new HashMap<>(values);
        all.putAll(more);
        return offered.all().stream()
                .collect(Collectors.toMap(language -> language, language -> page(file, language, all)));
    }

    private static WebFile page(String file, Language language, Map<String, String> values) {
        Map<String, String> headers = new HashMap<>(PAGE_HEADERS);
        headers.put("Content-Language", language.tag());
        headers.put("Vary", "Accept-Language");
        return new WebFile(file, () -> new PageTemplate(file).render(language, values), headers);
    }

    private WebFile choose(Map<Language, WebFile> page, Exchange exchange) {
        return Objects.requireNonNull(page.get(languages.of(exchange)));
    }
}
