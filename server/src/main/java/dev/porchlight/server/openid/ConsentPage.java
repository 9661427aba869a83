// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.web.Language;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Asks the user whether an application may sign them in. */
final class ConsentPage {
    private static final Map<String, String> SCOPES = Map.of(
            "openid",
            "openid.userName",
            "profile",
            "openid.displayName",
            OpenIdTokens.GROUPS,
            "openid.groups",
            OpenIdTokens.OFFLINE,
            "openid.offline");

    private static final List<String> ORDER = List.of("openid", "profile", OpenIdTokens.GROUPS, OpenIdTokens.OFFLINE);

    private ConsentPage() {}

    /** A page that asks for consent. Every client gets refresh tokens, so it keeps its access while the user is away. */
    static Response of(Html html, Exchange exchange, Client client, String userId, List<String> scopes, String sealed) {
        Language language = Language.of(exchange);
        String items = OpenIdTokens.SCOPES.stream()
                .filter(scope -> scope.equals(OpenIdTokens.OFFLINE) || scopes.contains(scope))
                .sorted(Comparator.comparingInt(ORDER::indexOf))
                .map(scope ->
                        "<li>" + Html.escape(language.text(SCOPES.getOrDefault(scope, "openid.userName"))) + "</li>")
                .collect(Collectors.joining());
        return html.page(
                        language,
                        200,
                        language.text("openid.consent").replace("{application}", client.name()),
                        language.text("signin.signedIn").replace("{user}", userId),
                        "<div><p>" + Html.with(language.text("openid.receives"), "application", client.name())
                                + "</p><ul>"
                                + items
                                + "</ul></div><form class=\"stack\" method=\"post\" action=\"/oauth2/consent\">"
                                + "<input type=\"hidden\" name=\"request\" value=\"" + Html.escape(sealed) + "\">"
                                + button("primary", "agree", language.text("openid.allow"))
                                + button("", "deny", language.text("openid.deny")) + "</form>")
                // With no-referrer, browsers send the form with the origin "null", which no route accepts.
                .with("Referrer-Policy", "same-origin");
    }

    private static String button(String style, String decision, String label) {
        return "<button class=\"" + style + "\" name=\"decision\" value=\"" + decision + "\">" + Html.escape(label)
                + "</button>";
    }
}
