// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.server.http.Response;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Asks the user whether an application of a third party may sign them in. */
final class ConsentPage {
    private static final Map<String, String> SCOPES = Map.of(
            "openid",
            "your user name",
            "profile",
            "your display name",
            OpenIdTokens.GROUPS,
            "the groups you belong to",
            "offline_access",
            "access while you’re away");

    private ConsentPage() {}

    static Response of(Client client, String userId, List<String> scopes, String sealed) {
        String items = scopes.stream()
                .map(scope -> "<li>" + SCOPES.getOrDefault(scope, scope) + "</li>")
                .collect(Collectors.joining());
        return Html.page(
                200,
                "Sign in to " + client.name() + "?",
                "You’re signed in as " + userId + ".",
                "<p>" + Html.escape(client.name()) + " will receive:</p><ul>" + items + "</ul>"
                        + "<form class=\"stack\" method=\"post\" action=\"/oauth2/consent\">"
                        + "<input type=\"hidden\" name=\"request\" value=\"" + Html.escape(sealed) + "\">"
                        + "<button class=\"primary\" name=\"decision\" value=\"agree\">Allow</button>"
                        + "<button name=\"decision\" value=\"deny\">Don’t allow</button></form>");
    }
}
