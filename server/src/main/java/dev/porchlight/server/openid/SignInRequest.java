// SPDX-License-Identifier: Apache-2.0
package dev.porchlight.server.openid;

import dev.porchlight.base.JsonObject;
import dev.porchlight.base.JsonWriter;
import dev.porchlight.base.MalformedException;
import dev.porchlight.server.openid.OpenIdPorts.SignedInUser;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A valid authorization request. While the user signs in, it travels sealed through the browser, so the service stores nothing
 * for it.
 *
 * @param codeChallenge of PKCE, with S256
 * @param silent whether nothing may be shown ({@code prompt=none})
 * @param freshLogin whether the user must use the passkey now ({@code prompt=login})
 * @param freshConsent whether the user must agree now, also if they did before ({@code prompt=consent})
 * @param maxAge how many seconds ago the user may have signed in; null for no limit
 * @param expectedUser the only user who may sign in, by {@code id_token_hint} or {@code claims}; null for any
 * @param dpopThumbprint the key that tokens are bound to, if the client announced one
 * @param sessionBefore the session that the browser had when it was asked to sign in, empty for none; null before that
 * @param askedUser the user who saw the consent form; null before that
 * @param issuedAt when the request arrived, in milliseconds since the epoch
 */
record SignInRequest(
        String clientId,
        String redirectUri,
        List<String> scopes,
        @Nullable String state,
        @Nullable String nonce,
        String codeChallenge,
        boolean silent,
        boolean freshLogin,
        boolean freshConsent,
        @Nullable Long maxAge,
        @Nullable String loginHint,
        @Nullable String expectedUser,
        @Nullable String dpopThumbprint,
        @Nullable String sessionBefore,
        @Nullable String askedUser,
        long issuedAt) {

    /** Whether the user is the expected one, and the sign-in as recent as the request demands. */
    boolean isSatisfiedBy(SignedInUser user, Instant now) {
        if (!accepts(user)) {
            return false;
        }
        long authSecond = user.grant().authTime().getEpochSecond();
        if (freshLogin) {
            // Sign-in times are whole seconds. A session that the browser had before is not a new sign-in, even within
            // one.
            return isNew(user) && authSecond >= issuedAt / 1_000;
        }
        return maxAge == null || authSecond + maxAge >= now.getEpochSecond();
    }

    /** Whether the application asked for this user, or for no particular one. */
    boolean accepts(SignedInUser user) {
        return expectedUser == null || expectedUser.equals(user.grant().userId());
    }

    /** Whether the browser has another session than when it was asked to sign in. */
    boolean isNew(SignedInUser user) {
        return sessionBefore != null && !sessionBefore.equals(user.session());
    }

    /** The user name that the sign-in page suggests, or null. */
    @Nullable
    String suggestedUser() {
        return expectedUser == null ? loginHint : expectedUser;
    }

    /** Notes the session that does not count as a new sign-in, if none is noted. */
    SignInRequest notingSession(@Nullable SignedInUser user) {
        return sessionBefore == null ? with(dpopThumbprint, user == null ? "" : user.session(), askedUser) : this;
    }

    /** The request of a consent form that is shown to a user, whose decision alone it accepts. */
    SignInRequest asking(String userId) {
        return with(dpopThumbprint, sessionBefore, userId);
    }

    /** The request with tokens bound to a key. */
    SignInRequest boundTo(String thumbprint) {
        return with(thumbprint, sessionBefore, askedUser);
    }

    private SignInRequest with(@Nullable String thumbprint, @Nullable String session, @Nullable String asked) {
        return new SignInRequest(
                clientId,
                redirectUri,
                scopes,
                state,
                nonce,
                codeChallenge,
                silent,
                freshLogin,
                freshConsent,
                maxAge,
                loginHint,
                expectedUser,
                thumbprint,
                session,
                asked,
                issuedAt);
    }

    String toJson() {
        return JsonWriter.object(json -> {
            json.text("clientId", clientId).text("redirectUri", redirectUri).texts("scopes", scopes);
            optional(json, "state", state);
            optional(json, "nonce", nonce);
            json.text("codeChallenge", codeChallenge)
                    .bool("silent", silent)
                    .bool("freshLogin", freshLogin)
                    .bool("freshConsent", freshConsent);
            if (maxAge != null) {
                json.number("maxAge", maxAge);
            }
            optional(json, "loginHint", loginHint);
            optional(json, "expectedUser", expectedUser);
            optional(json, "dpopThumbprint", dpopThumbprint);
            optional(json, "sessionBefore", sessionBefore);
            optional(json, "askedUser", askedUser);
            json.number("issuedAt", issuedAt);
        });
    }

    static SignInRequest parse(String text) throws MalformedException {
        JsonObject json = JsonObject.parse(text, "request");
        Long issuedAt = json.optionalInteger("issuedAt");
        return new SignInRequest(
                json.text("clientId"),
                json.text("redirectUri"),
                json.texts("scopes"),
                json.optionalText("state"),
                json.optionalText("nonce"),
                json.text("codeChallenge"),
                Boolean.TRUE.equals(json.optionalBool("silent")),
                Boolean.TRUE.equals(json.optionalBool("freshLogin")),
                Boolean.TRUE.equals(json.optionalBool("freshConsent")),
                json.optionalInteger("maxAge"),
                json.optionalText("loginHint"),
                json.optionalText("expectedUser"),
                json.optionalText("dpopThumbprint"),
                json.optionalText("sessionBefore"),
                json.optionalText("askedUser"),
                issuedAt == null ? 0 : issuedAt);
    }

    private static void optional(JsonWriter json, String name, @Nullable String value) {
        if (value != null) {
            json.text(name, value);
        }
    }
}
