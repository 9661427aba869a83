// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.protocol;

import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.web.Language;
import org.jspecify.annotations.Nullable;

/**
 * The page for a request of a client that is refused, and that the user has to know about. What is wrong with the request is
 * for operators, who find it with the support code.
 */
public final class ErrorPage {
    private ErrorPage() {}

    /**
     * A page with what the user can do, and a support code.
     *
     * @param back where the client learns of the refusal; null if that is not known to be the client's
     */
    public static Response of(
            Html html, Exchange exchange, Refusal refusal, String supportCode, @Nullable String back) {
        return of(html, exchange, refusal, supportCode, back, "openid.title");
    }

    /** The same for a refused logout. */
    public static Response ofLogout(Html html, Exchange exchange, Refusal refusal, String supportCode) {
        return of(html, exchange, refusal, supportCode, null, "openid.logoutTitle");
    }

    private static Response of(
            Html html, Exchange exchange, Refusal refusal, String supportCode, @Nullable String back, String title) {
        Language language = Language.of(exchange);
        String link = back == null
                ? "<a class=\"button\" href=\"/\">" + Html.escape(language.text("notfound.button")) + "</a>"
                : "<a class=\"button primary\" href=\"" + Html.escape(back) + "\">"
                        + Html.escape(language.text("openid.back")) + "</a>";
        String support = Html.escape(language.text("openid.support"))
                .replace("{code}", "<code>" + Html.escape(supportCode) + "</code>");
        return html.page(
                language,
                back == null ? 400 : 403,
                language.text(title),
                language.text(advice(refusal.reason())),
                "<p class=\"account support\">" + support + "</p>" + link);
    }

    private static String advice(Refusal.Reason reason) {
        return switch (reason) {
            case AUTHORIZATION_REQUEST_EXPIRED -> "openid.expired";
            case NOT_IN_GROUP -> "openid.notInGroup";
            default -> "openid.misconfigured";
        };
    }
}
