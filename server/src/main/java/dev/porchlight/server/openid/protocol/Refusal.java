// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid.protocol;

import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.openid.connect.sdk.OIDCError;
import dev.porchlight.server.history.CeremonyEvent.ClientRefusal;
import dev.porchlight.server.http.Response;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A refused request of a client.
 *
 * @param parameter the parameter that was wrong, or empty
 * @param expected what would have been accepted; never a secret
 * @param found what the request had; never a secret
 */
public record Refusal(Reason reason, String parameter, String expected, String found) {

    /** Why a request is refused. The code is the same in metric, log, trace, audit row, console and response. */
    public enum Reason {
        UNKNOWN_CLIENT(OAuth2Error.INVALID_CLIENT, "This application is not registered here."),
        REDIRECT_URI_MISMATCH(OAuth2Error.INVALID_REQUEST, "The redirect URI is not registered for this application."),
        MALFORMED_REQUEST(OAuth2Error.INVALID_REQUEST, "The request is malformed."),
        REPEATED_PARAMETER(OAuth2Error.INVALID_REQUEST, "A parameter is given more than once."),
        UNSUPPORTED_RESPONSE_TYPE(
                OAuth2Error.UNSUPPORTED_RESPONSE_TYPE, "Only the authorization code flow is supported."),
        UNSUPPORTED_RESPONSE_MODE(OAuth2Error.INVALID_REQUEST, "Only response_mode=query and form_post are supported."),
        REQUEST_OBJECT_NOT_SUPPORTED(OAuth2Error.REQUEST_NOT_SUPPORTED, "Request objects are not supported."),
        REQUEST_URI_NOT_SUPPORTED(
                OAuth2Error.REQUEST_URI_NOT_SUPPORTED, "A pushed request must not refer to another one."),
        PUSHED_REQUEST_REQUIRED(OAuth2Error.INVALID_REQUEST, "This application must push its authorization requests."),
        INVALID_REQUEST_URI(
                OAuth2Error.INVALID_REQUEST_URI,
                "The pushed authorization request is unknown, was used, or has expired."),
        MISSING_OPENID_SCOPE(OAuth2Error.INVALID_SCOPE, "The scope must contain openid."),
        MISSING_PKCE(OAuth2Error.INVALID_REQUEST, "PKCE with S256 is required."),
        INVALID_PROMPT(
                OAuth2Error.INVALID_REQUEST, "prompt must be none, or some of login, consent and select_account."),
        INVALID_MAX_AGE(OAuth2Error.INVALID_REQUEST, "max_age must be a number of seconds."),
        AUTHORIZATION_REQUEST_EXPIRED(
                OAuth2Error.INVALID_REQUEST, "This sign-in took too long, or its link is damaged."),
        INVALID_ID_TOKEN_HINT(OAuth2Error.INVALID_REQUEST, "id_token_hint is not an ID token of this application."),
        INVALID_SUBJECT(OAuth2Error.INVALID_REQUEST, "The request must ask for one user, or for any."),
        OTHER_USER(OIDCError.LOGIN_REQUIRED, "The user is not the one that the application asked for."),
        LOGIN_REQUIRED(OIDCError.LOGIN_REQUIRED, "The user must sign in."),
        CONSENT_REQUIRED(OIDCError.CONSENT_REQUIRED, "The user must agree to the sign-in."),
        CONSENT_DENIED(OAuth2Error.ACCESS_DENIED, "The user did not agree to the sign-in."),
        NOT_IN_GROUP(OAuth2Error.ACCESS_DENIED, "The user is in none of the groups that may use this application."),
        INVALID_CLIENT(OAuth2Error.INVALID_CLIENT, "The application could not be authenticated."),
        UNSUPPORTED_GRANT_TYPE(
                OAuth2Error.UNSUPPORTED_GRANT_TYPE, "Only authorization_code and refresh_token are supported."),
        INVALID_CODE(OAuth2Error.INVALID_GRANT, "The code is invalid or has expired."),
        REPLAYED_CODE(OAuth2Error.INVALID_GRANT, "The code was used before; its tokens are revoked."),
        CODE_CLIENT_MISMATCH(OAuth2Error.INVALID_GRANT, "The code or refresh token was issued to another application."),
        CODE_REDIRECT_MISMATCH(OAuth2Error.INVALID_GRANT, "redirect_uri is not the one of the authorization request."),
        PKCE_MISMATCH(OAuth2Error.INVALID_GRANT, "code_verifier does not match the code challenge."),
        INVALID_REFRESH_TOKEN(OAuth2Error.INVALID_GRANT, "The refresh token is invalid or has expired."),
        REUSED_REFRESH_TOKEN(OAuth2Error.INVALID_GRANT, "The refresh token was used before; its tokens are revoked."),
        ACCESS_ENDED(
                OAuth2Error.INVALID_GRANT,
                "The passkey or the redirect URI was removed, the user was locked or signed out, or the settings of the application became stricter."),
        LEFT_GROUP(OAuth2Error.INVALID_GRANT, "The user is no longer in a group that may use this application."),
        INVALID_DPOP_PROOF(OAuth2Error.INVALID_DPOP_PROOF, "The DPoP proof is invalid."),
        INVALID_TOKEN(new ErrorObject("invalid_token", null, 401), "The access token is invalid or has expired."),
        LOGOUT_URI_MISMATCH(
                OAuth2Error.INVALID_REQUEST, "post_logout_redirect_uri is not registered for this application.");

        private final String code = name().toLowerCase(Locale.ROOT);
        private final String error;
        private final String sentence;

        Reason(ErrorObject error, String sentence) {
            this.error = error.getCode();
            this.sentence = sentence;
        }

        public String code() {
            return code;
        }

        /**
         * The error of the OAuth or OpenID Connect standard, with the support code in its description, because applications show
         * that to users. The client does not learn whether a user is signed in, so those errors have no code.
         */
        public ErrorObject error(String supportCode) {
            if (this == OTHER_USER) {
                return LOGIN_REQUIRED.error(supportCode);
            }
            return new ErrorObject(error, isRoutine() ? sentence : sentence + " Support code: " + supportCode + '.');
        }

        /** The error code of the standard. */
        public String oauthCode() {
            return error;
        }

        /** Whether clients expect the refusal, so that it is not worth a place in the history or the audit log. */
        boolean isRoutine() {
            return this == LOGIN_REQUIRED || this == CONSENT_REQUIRED || this == INVALID_TOKEN;
        }

        public String sentence() {
            return sentence;
        }

        /** Ends the handling of a request with {@linkplain #of the refusal}. */
        public RefusedException refused(String parameter, String expected, @Nullable String found) {
            return new RefusedException(of(parameter, expected, found));
        }

        /** The refusal of a request; {@code found} is what it had, null for nothing. */
        public Refusal of(String parameter, String expected, @Nullable String found) {
            return new Refusal(this, parameter, expected, found == null ? ClientRefusal.ABSENT : found);
        }
    }

    private static final int MAX_SHOWN = 200;

    public Refusal {
        parameter = cut(parameter);
        found = cut(found);
    }

    /** The response to a client, by RFC 6749, section 5.2. */
    public Response response(int status, String supportCode) {
        ErrorObject error = reason.error(supportCode);
        return Response.json(
                        status,
                        json -> json.text("error", error.getCode())
                                .optionalText("error_description", error.getDescription())
                                .text("code", reason.code()))
                .with("Cache-Control", "no-store");
    }

    /** A text of a request as operators see it. */
    public static String cut(String text) {
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
    }
}
