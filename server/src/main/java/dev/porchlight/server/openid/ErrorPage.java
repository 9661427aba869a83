// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.server.http.Response;
import org.jspecify.annotations.Nullable;

/** The page for a request of a client that is refused, and that the user has to know about. */
final class ErrorPage {
    private ErrorPage() {}

    /**
     * A page with the reason and a support code.
     *
     * @param back where the client learns of the refusal; null if that is not known to be the client's
     */
    static Response of(Refusal refusal, String supportCode, @Nullable String back) {
        String link = back == null
                ? "<p>Go back to the application and try again.</p>"
                : "<a class=\"button primary\" href=\"" + Html.escape(back) + "\">Back to the application</a>";
        return Html.page(
                back == null ? 400 : 403,
                "You can’t sign in to this application",
                refusal.reason().sentence() + ".",
                link + "<p>If it happens again, give support this code: <code>" + supportCode + "</code></p>");
    }
}
