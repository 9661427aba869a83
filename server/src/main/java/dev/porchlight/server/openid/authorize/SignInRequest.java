// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.authorize;

import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationErrorResponse;
import com.nimbusds.oauth2.sdk.AuthorizationResponse;
import com.nimbusds.oauth2.sdk.AuthorizationSuccessResponse;
import com.nimbusds.oauth2.sdk.ResponseMode;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.oauth2.sdk.id.State;
import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.auth.Session;
import dev.porchlight.server.http.Exchange;
import dev.porchlight.server.http.Response;
import dev.porchlight.server.openid.grant.CodeRequest;
import dev.porchlight.server.openid.protocol.Html;
import dev.porchlight.server.openid.protocol.Refusal;
import dev.porchlight.server.web.Language;
import java.net.URI;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A valid authorization request. While the user signs in, it travels sealed through the browser, so the service stores nothing
 * for it.
 *
 * @param id names the request when the passkey is used for it, so that no other sign-in counts
 * @param byForm whether the response is a form that the browser posts, instead of a redirect
 * @param pushed whether the client pushed the request, which yields one code
 * @param askedUser the user who saw the consent form; null before that
 * @param issuedAt when the request arrived, in milliseconds since the epoch
 */
record SignInRequest(
        String id,
        String clientId,
        CodeRequest code,
        @Nullable String state,
        boolean byForm,
        boolean pushed,
        Login login,
        @Nullable String askedUser,
        long issuedAt) {

    /**
     * How the user has to sign in.
     *
     * @param silent whether nothing may be shown ({@code prompt=none})
     * @param fresh whether the user must use the passkey for this request ({@code prompt=login} or {@code max_age=0})
     * @param choice whether the user must choose the account ({@code prompt=select_account})
     * @param freshConsent whether the user must agree now, also if they did before ({@code prompt=consent})
     * @param maxAge how many seconds ago the user may have signed in; null for no limit
     * @param hint the user name that the sign-in page suggests, or null
     * @param expectedUser the only user who may sign in, by {@code id_token_hint} or {@code claims}; empty for one who no longer
     *     exists, null for any
     */
    record Login(
            boolean silent,
            boolean fresh,
            boolean choice,
            boolean freshConsent,
            @Nullable Long maxAge,
            @Nullable String hint,
            @Nullable String expectedUser) {}

    /** Where the responses to a request go: the client's own redirect URI, with its state. */
    record Target(
            String clientId, String redirectUri, @Nullable String state, boolean byForm) {

        /** Brings a code to the client. All responses to a client name the issuer (RFC 9207). */
        AuthorizationResponse success(String issuer, String code) {
            return new AuthorizationSuccessResponse(
                    URI.create(redirectUri),
                    new AuthorizationCode(code),
                    null,
                    stateOrNull(),
                    new Issuer(issuer),
                    ResponseMode.QUERY);
        }

        /** Brings an error to the client. */
        AuthorizationResponse error(String issuer, Refusal refusal, String supportCode) {
            return new AuthorizationErrorResponse(
                    URI.create(redirectUri),
                    refusal.reason().error(supportCode),
                    stateOrNull(),
                    new Issuer(issuer),
                    ResponseMode.QUERY);
        }

        /**
         * Sends the browser to the client.
         *
         * @param leads whether a page leads there, because a browser follows redirects after a form only to where the policy of
         *     its page allows
         */
        Response send(Html html, Exchange exchange, AuthorizationResponse response, boolean leads) {
            Language language = html.language(exchange);
            if (byForm) {
                return html.posting(language, redirectUri, response.toParameters());
            }
            String uri = response.toURI().toString();
            return leads ? html.leading(language, uri) : Response.redirect(uri);
        }

        private @Nullable State stateOrNull() {
            return state == null ? null : new State(state);
        }
    }

    Target target() {
        return new Target(clientId, code.redirectUri(), state, byForm);
    }

    boolean silent() {
        return login.silent();
    }

    /** Whether the user is the expected one, and the sign-in as recent as the request demands. */
    boolean isSatisfiedBy(Session session, Instant now) {
        if (!accepts(session)) {
            return false;
        }
        if (login.fresh()) {
            return isCompletedBy(session);
        }
        Instant authTime = session.grant().authTime();
        return login.maxAge() == null
                || isCompletedBy(session)
                || !authTime.plusSeconds(login.maxAge()).isBefore(now);
    }

    /** Whether the application asked for this user, or for no particular one. */
    boolean accepts(Session session) {
        return login.expectedUser() == null || login.expectedUser().equals(session.userId());
    }

    /** Whether the passkey was used for this very request: a session that began elsewhere, even later, does not count. */
    boolean isCompletedBy(Session session) {
        return id.equals(session.requestId());
    }

    /** Whether it leaves the user nothing to decide: it names no other user, and does not ask for a choice or consent. */
    boolean isClearFor(Session session) {
        return !login.choice()
                && !login.freshConsent()
                && (login.hint() == null || login.hint().equals(session.userId()));
    }

    /** The request after a step that failed: the user decides how to continue, so that no page loads again and again. */
    SignInRequest choosing() {
        var choosing = new Login(
                login.silent(),
                login.fresh(),
                true,
                login.freshConsent(),
                login.maxAge(),
                login.hint(),
                login.expectedUser());
        return new SignInRequest(id, clientId, code, state, byForm, pushed, choosing, askedUser, issuedAt);
    }

    /** The request of a consent form that is shown to a user, whose decision alone it accepts. */
    SignInRequest asking(String userId) {
        return new SignInRequest(id, clientId, code, state, byForm, pushed, login, userId, issuedAt);
    }

    /** The request after the client pushed it, with tokens bound to a key, if there is one. */
    SignInRequest pushed(@Nullable String thumbprint) {
        return new SignInRequest(
                id, clientId, code.boundTo(thumbprint), state, byForm, true, login, askedUser, issuedAt);
    }

    String toJson() {
        return JsonWriter.object(json -> {
            json.text("id", id)
                    .text("clientId", clientId)
                    .optionalText("state", state)
                    .bool("byForm", byForm)
                    .bool("pushed", pushed)
                    .bool("silent", login.silent())
                    .bool("freshLogin", login.fresh())
                    .bool("choice", login.choice())
                    .bool("freshConsent", login.freshConsent())
                    .optionalNumber("maxAge", login.maxAge())
                    .optionalText("loginHint", login.hint())
                    .optionalText("expectedUser", login.expectedUser())
                    .optionalText("askedUser", askedUser)
                    .number("issuedAt", issuedAt);
            code.write(json);
        });
    }

    static SignInRequest parse(String text) throws MalformedException {
        JsonObject json = JsonObject.parse(text, "request");
        return new SignInRequest(
                json.text("id"),
                json.text("clientId"),
                CodeRequest.read(json),
                json.optionalText("state"),
                Boolean.TRUE.equals(json.optionalBool("byForm")),
                Boolean.TRUE.equals(json.optionalBool("pushed")),
                new Login(
                        Boolean.TRUE.equals(json.optionalBool("silent")),
                        Boolean.TRUE.equals(json.optionalBool("freshLogin")),
                        Boolean.TRUE.equals(json.optionalBool("choice")),
                        Boolean.TRUE.equals(json.optionalBool("freshConsent")),
                        json.optionalInteger("maxAge"),
                        json.optionalText("loginHint"),
                        json.optionalText("expectedUser")),
                json.optionalText("askedUser"),
                json.integer("issuedAt"));
    }
}
