// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.authorize;

import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationErrorResponse;
import com.nimbusds.oauth2.sdk.AuthorizationSuccessResponse;
import com.nimbusds.oauth2.sdk.ResponseMode;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.openid.protocol.Html;
import dev.porchlight.server.openid.protocol.Refusal;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Redirects to a client and to the sign-in page. All responses to a client name the issuer (RFC 9207). Immutable. */
public final class AuthorizationResponses {
    static final String CONTINUE = "/oauth2/continue";

    private final String issuer;
    private final Html html;

    public AuthorizationResponses(String issuer, Html html) {
        this.issuer = issuer;
        this.html = html;
    }

    /** The pages that are shown to the user. */
    Html html() {
        return html;
    }

    /** The URI that brings a code to the client. */
    String codeUri(SignInRequest request, String code) {
        return new AuthorizationSuccessResponse(
                        URI.create(request.code().redirectUri()),
                        new AuthorizationCode(code),
                        null,
                        state(request.state()),
                        new Issuer(issuer),
                        ResponseMode.QUERY)
                .toURI()
                .toString();
    }

    /** The URI that brings an error to the client, whose redirect URI this must be. */
    String errorUri(String redirectUri, @Nullable String state, Refusal refusal) {
        return new AuthorizationErrorResponse(
                        URI.create(redirectUri),
                        refusal.reason().error(),
                        state(state),
                        new Issuer(issuer),
                        ResponseMode.QUERY)
                .toURI()
                .toString();
    }

    /** Sends the browser to the sign-in page with a sealed request. */
    static Response signInPage(String sealed) {
        return Response.redirect("/?request=" + sealed);
    }

    private static @Nullable State state(@Nullable String state) {
        return state == null ? null : new State(state);
    }
}
