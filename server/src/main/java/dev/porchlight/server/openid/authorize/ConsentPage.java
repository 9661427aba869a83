// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.authorize;

import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.openid.client.Client;
import dev.porchlight.server.openid.protocol.Html;
import dev.porchlight.server.openid.token.OpenIdTokens;
import dev.porchlight.server.web.Language;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Asks the user whether an application may sign them in. */
final class ConsentPage {
    /** The scopes, in the order of the page, with what they mean for the user. */
    private static final List<Map.Entry<String, String>> SCOPES = List.of(
            Map.entry("openid", "openid.userName"),
            Map.entry("profile", "openid.displayName"),
            Map.entry(OpenIdTokens.GROUPS, "openid.groups"),
            Map.entry(OpenIdTokens.OFFLINE, "openid.offline"));

    private ConsentPage() {}

    /** A page that asks for consent. Every client gets refresh tokens, so it keeps its access while the user is away. */
    static Response of(Html html, Exchange exchange, Client client, String userId, List<String> scopes, String sealed) {
        Language language = Language.of(exchange);
        String items = SCOPES.stream()
                .filter(scope -> scope.getKey().equals(OpenIdTokens.OFFLINE) || scopes.contains(scope.getKey()))
                .map(scope -> "<li>" + Html.escape(language.text(scope.getValue())) + "</li>")
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
