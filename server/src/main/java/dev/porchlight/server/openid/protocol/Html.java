// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.protocol;

import dev.porchlight.base.Bytes;
import dev.porchlight.server.history.BrowserOutcome;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Problem;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.web.Branding;
import dev.porchlight.server.web.Language;
import dev.porchlight.server.web.Languages;
import dev.porchlight.server.web.PageTemplate;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Small pages without scripts, with the name and logo of the service. Immutable. */
public final class Html {
    private static final String POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self';"
            + " base-uri 'none'; frame-ancestors 'none'";
    private static final String SUBMIT = "document.forms[0].submit()";
    private static final String SUBMIT_HASH =
            Base64.getEncoder().encodeToString(Bytes.ofUtf8(SUBMIT).sha256().toByteArray());
    private static final String PAGE = """
            <!doctype html>
            <html lang="%s" dir="%s">
              <head>
                {{head}}
                <title>%s · {{name}}</title>
                <link rel="stylesheet" href="/assets/signin.css">%s
              </head>
              <body>
            %s
              </body>
            </html>
            """;
    private static final String SHEET = """
                <main class="sheet">
                  <header class="hero">
                    <img src="{{logo}}" width="{{logoWidth}}" height="{{logoHeight}}" alt="">
                    <h1>%s</h1>
                    <p class="lead">%s</p>
                  </header>
                  %s
                </main>
                <footer class="footer"><a href="{{support}}">%s</a><a href="{{privacy}}">%s</a></footer>""";

    private final String page;
    private final String sheet;
    private final Languages languages;

    public Html(Branding branding) {
        this.page = branded(PageTemplate.withHead(PAGE), branding);
        this.sheet = branded(SHEET, branding);
        this.languages = branding.languages();
    }

    /** The language of the pages that a browser prefers. */
    public Language language(Exchange exchange) {
        return languages.of(exchange);
    }

    /** Fills in the placeholders, so that a template for {@link String#format} stays one. */
    private static String branded(String template, Branding branding) {
        String filled = template;
        for (var value : branding.values().entrySet()) {
            filled = filled.replace(
                    "{{" + value.getKey() + "}}", escape(value.getValue()).replace("%", "%%"));
        }
        return filled;
    }

    /** A page with this title and lead, which are texts; the body is HTML. */
    public Response page(Language language, int status, String title, String lead, String body) {
        String support = escape(language.text("common.support"));
        String privacy = escape(language.text("common.privacy"));
        String content = sheet.formatted(escape(title), escape(lead), body, support, privacy);
        return response(language, status, title, "", content);
    }

    /** An empty page that leads to another at once. The browser sees this origin as the one that leads there. */
    public Response leading(Language language, String uri) {
        String refresh = "\n    <meta http-equiv=\"refresh\" content=\"0; url=" + escape(uri) + "\">";
        return response(language, 200, language.text("openid.moment"), refresh, "");
    }

    /** A page that posts a form to a client at once, or by a click in a browser without scripts. */
    public Response posting(Language language, String uri, Map<String, List<String>> parameters) {
        StringBuilder form = new StringBuilder("<form class=\"stack\" method=\"post\" action=\"" + escape(uri) + "\">");
        parameters.forEach((name, values) -> form.append("<input type=\"hidden\" name=\"")
                .append(escape(name))
                .append("\" value=\"")
                .append(escape(values.get(0)))
                .append("\">"));
        form.append("<noscript><button class=\"primary\">")
                .append(escape(language.text("openid.back")))
                .append("</button></noscript></form><script>" + SUBMIT + "</script>");
        // The form's origin is not limited: the client may redirect it on, and it was registered.
        return response(language, 200, language.text("openid.moment"), "", form.toString())
                .with(
                        "Content-Security-Policy",
                        POLICY.replace("form-action 'self'", "script-src 'sha256-" + SUBMIT_HASH + "'"));
    }

    /**
     * A page for a request of a client that is refused, and that the user has to know about: what the user can do, and a
     * support code. What is wrong with the request is for operators, who find it with that code.
     *
     * @param back where the client learns of the refusal; null if that is not known to be the client's
     */
    public Response refusal(
            Exchange exchange, Refusal refusal, String supportCode, @Nullable String back, boolean logout) {
        Language language = language(exchange);
        String advice = switch (refusal.reason()) {
            case AUTHORIZATION_REQUEST_EXPIRED -> "openid.expired";
            case NOT_IN_GROUP -> "openid.notInGroup";
            default -> "openid.misconfigured";
        };
        String link = back == null
                ? "<a class=\"button\" href=\"/\">" + escape(language.text("notfound.button")) + "</a>"
                : "<a class=\"button primary\" href=\"" + escape(back) + "\">" + escape(language.text("openid.back"))
                        + "</a>";
        return page(
                language,
                back == null ? 400 : 403,
                language.text(logout ? "openid.logoutTitle" : "openid.title"),
                language.text(advice),
                support(language, supportCode) + link);
    }

    /** A page for a request that failed: what the user can do, a support code if there is one, and a link that repeats the request. */
    Response outage(
            Exchange exchange, Problem problem, BrowserOutcome outcome, @Nullable String supportCode, boolean logout) {
        Language language = language(exchange);
        boolean repeats = exchange.method().equals("GET");
        String query = exchange.query();
        String uri = repeats ? exchange.path() + (query == null ? "" : '?' + query) : "/";
        Response page = page(
                language,
                problem.status(),
                language.text(logout ? "openid.logoutTitle" : "openid.title"),
                language.text("error." + outcome.code()),
                (supportCode == null ? "" : support(language, supportCode)) + "<a class=\"button primary\" href=\""
                        + escape(uri) + "\">" + escape(language.text(repeats ? "common.tryAgain" : "notfound.button"))
                        + "</a>");
        return problem.status() == 503 ? page.with("Retry-After", "1") : page; // a limit has its own
    }

    private static String support(Language language, String supportCode) {
        String sentence =
                escape(language.text("openid.support")).replace("{code}", "<code>" + escape(supportCode) + "</code>");
        return "<p class=\"account support\">" + sentence + "</p>";
    }

    private Response response(Language language, int status, String title, String meta, String body) {
        byte[] html = page.formatted(language.tag(), language.direction(), escape(title), meta, body)
                .getBytes(StandardCharsets.UTF_8);
        return Response.of(status, "text/html; charset=utf-8", html)
                .with("Content-Security-Policy", POLICY)
                .with("Content-Language", language.tag())
                .with("Cache-Control", "no-store");
    }

    /** A text with a name in it, isolated because its direction may differ. The name is a text; the result is HTML. */
    public static String with(String text, String placeholder, String name) {
        return escape(text).replace('{' + placeholder + '}', "<b dir=\"auto\">" + escape(name) + "</b>");
    }

    public static String escape(String text) {
        return PageTemplate.escaped(text);
    }
}
